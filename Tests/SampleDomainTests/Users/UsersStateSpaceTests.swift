import ReluxTesting
import SampleServices
import Testing

@testable import SampleDomain

/// The rules of the roster, in every state that two users can reach.
@Suite("Users, every state of two users")
struct UsersStateSpaceTests {
    private enum Step: Hashable, Sendable {
        case told(Users.State.Action)
        case asked
    }

    private static func places(_ name: String) -> [User?] { [.here(name), .away(name), nil] }

    /// All combinations of two users who are online, offline, or unknown, at two ages.
    private static var steps: [Step] {
        let snapshots = (0..<9).flatMap { number -> [Snapshot<UserDirectory>] in
            let (ann, bob) = (places("Ann")[number % 3], places("Bob")[number / 3])
            let users = [ann, bob].compactMap(\.self)
            return [1, 2].map { Snapshot(users: users, revision: $0) }
        }
        let others: [Users.State.Action] = [.failed(.gone), .loadCancelled]
        return snapshots.map { .told(.changed($0)) } + others.map { .told($0) } + [.asked]
    }

    private static let invariants: [StateSpace.Invariant<Users.State>] = [
        .init("everybody stands in the section of their presence, by name", isInOrder),
        .init("nobody is known before anything was told") { $0.all.isEmpty || $0.revision > 0 },
    ]

    @Sendable private static func isInOrder(_ state: Users.State) -> Bool {
        Users.Section.allCases.allSatisfy { section in
            let users = state.roster.value.map { Array($0.users(in: section)) } ?? []
            let names = users.map(\.name)
            return users.allSatisfy { ($0.presence == .online) == (section == .online) } && names == names.sorted()
        }
    }

    @Test("Every rule holds, in every order of events")
    func rules() {
        let report = StateSpace.explore(
            from: Users.State(),
            actions: Self.steps,
            invariants: Self.invariants
        ) { state, step in
            switch step {
            case .told(let action): state.reduce(action)
            case .asked: state.reduce(.load)
            }
        }

        #expect(report.cut == nil)
    }

    @Test("The reducer is pure", arguments: 0..<4 as Range<UInt64>)
    func purity(seed: UInt64) {
        let actions = Self.steps.compactMap { step -> Users.State.Action? in
            if case .told(let action) = step { action } else { nil }
        }
        expectPure(from: Users.State(), seed: seed) { _, generator in
            actions.randomElement(using: &generator) ?? .loadCancelled
        }
    }
}

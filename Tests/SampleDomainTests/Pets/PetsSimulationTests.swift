import Relux
import ReluxTesting
import SampleServices
import Testing

@testable import SampleDomain

/// Impatient users and a service that is slow, fails, and sometimes ignores cancellation, in many orders.
@Suite("Pets, users who come and go") struct PetsSimulationTests {
    @Test("Whatever users do, a page shows its own pet, nothing gets older, and nothing is left loading")
    func pages() async {
        let seen = Lock<Set<Occurrence>>([])

        // One of the conditions below is about the time.
        await Simulation.explore(seeds: seeds(200), timePassesEarly: false) { world in
            let history = History()
            let configuration = Relux.StoreConfiguration(observers: [history])
            let store = try await world.store(configuration) {
                Pets.Module(
                    service: UnreliablePetsService(world: world),
                    patience: Pets.Patience(limit: .milliseconds(400), attempts: 3, pause: .milliseconds(50))
                )
            }
            world.always("a page shows its own pet", of: Pets.State.self) { state in
                state.details.allSatisfy { id, details in
                    details.value.map { $0.id == id && $0.about == "About \(id)." } ?? true
                }
            }
            world.always("what was loaded stays, and gets no older") { states in
                guard let state = states[Pets.State.self] else { return true }
                return history.goesOn(with: state)
            }
            world.always("what isn't being loaded stays as it is") { states in
                guard let state = states[Pets.State.self] else { return true }
                return history.leavesAlone(state)
            }
            // Time stands still while anything can run, so this only leaves time to notice the change.
            world.always("a load ends in the moment in which its page goes") { states in
                guard let state = states[Pets.State.self], let stack = states[Navigation.Stack.self] else {
                    return true
                }
                return history.endsInTime(state, stack, at: world.clock.now.offset)
            }
            world.always("a failed try is told only while another may follow", of: Pets.State.self) { state in
                state.setbacks.keys.allSatisfy { subject in
                    switch subject {
                    case .catalogue: state.catalogue.isLoading
                    case .pet(let id): state.details(of: id).isLoading
                    }
                }
            }
            world.always("no page comes but by who opens it") { _ in history.pushes <= history.opens }
            world.finally("nothing is left loading", of: Pets.State.self) { state in
                !state.catalogue.isLoading && state.details.values.allSatisfy { !$0.isLoading }
                    && state.setbacks.isEmpty
            }
            world.finally("every page shows a pet or says why not") { states in
                guard let stack = states[Navigation.Stack.self], let state = states[Pets.State.self] else {
                    return false
                }
                return stack.path.allSatisfy { page in
                    switch page {
                    case .pet(let id): !state.details(of: id).isIdle
                    }
                }
            }

            for number in 0..<2 {
                world.task("user \(number)") { try await User(world: world, store: store, history: history).work() }
            }
            await world.settled()
            seen.withLock { $0.formUnion(history.occurrences) }
        }

        #expect(seen.withLock { $0 } == Set(Occurrence.allCases))
    }
}

/// Events that must occur in some of the orders. Otherwise the simulation would prove less than it claims.
private enum Occurrence: CaseIterable {
    case catalogueLoaded, petLoaded, reloaded, slow, failed, setBack, left, superseded, reopened
}

/// Answers late, wrongly, or not at all. The name in each answer is the number of its request.
private struct UnreliablePetsService: PetsService {
    let world: Simulation.World
    let questions = Questions()

    let origin = "simulation"

    final class Questions: Sendable {
        private let count = Lock(0)

        func next() -> String {
            count.withLock { count in
                count += 1
                return String(count)
            }
        }
    }

    func pets() async throws(PetsServiceError) -> [Pet.Summary] {
        let number = questions.next()
        try await travel(missing: .status(404))
        return [.sample("a", name: number), .sample("b", name: number)]
    }

    func pet(id: Pet.ID) async throws(PetsServiceError) -> Pet {
        let number = questions.next()
        try await travel(missing: .notFound(id))
        return .sample(id, name: number)
    }

    private func travel(missing: PetsServiceError.Reason) async throws(PetsServiceError) {
        do {
            try await world.latency(.zero ... .milliseconds(500), heedsCancellation: world.fails(0.5))
        } catch {
            throw PetsServiceError(.cancelled, place: origin)
        }
        if world.fails(0.25) { throw PetsServiceError(.offline(.brokenOff), place: origin) }
        if world.fails(0.1) { throw PetsServiceError(missing, place: origin) }
    }
}

/// Opens and closes pages, whether they have shown anything or not.
private struct User {
    let world: Simulation.World
    let store: Relux.Store
    let history: History

    func work() async throws {
        for _ in 0..<world.random(in: 4...10) {
            try await world.latency(.zero ... .milliseconds(300))
            let id = world.random(of: ["a", "b", "c"]) ?? "a"
            switch world.random(in: 0...9) {
            case 0...3: await store.dispatch(Pets.Command.open(id))
            case 4, 5: await store.dispatch(Navigation.Stack.Action.pop)
            case 6:
                // Back and forth, before anything could notice.
                await store.dispatch(Navigation.Stack.Action.popToRoot)
                await store.dispatch(Pets.Command.open(id))
            case 7: await store.dispatch(Navigation.Stack.Action.popTo(.pet(id)))
            case 8: await store.dispatch(Pets.Effect.load(.catalogue))
            default: await store.dispatch(Pets.Effect.load(.pet(id)))
            }
        }
    }
}

/// What has been shown.
private final class History: Relux.StoreObserver {
    private struct Contents {
        var opens = 0
        var pushes = 0
        var numbers: [Pets.Subject: Int] = [:]
        var state = Pets.State()
        /// Since when a pet has been loading without a page.
        var strays: [Pet.ID: Duration] = [:]
        var occurrences: Set<Occurrence> = []
        var left: Set<Pet.ID> = []
    }

    private let contents = Lock(Contents())

    var occurrences: Set<Occurrence> { contents.withLock { $0.occurrences } }

    /// The number of requests to open a page.
    var opens: Int { contents.withLock { $0.opens } }

    /// The number of pages that were pushed.
    var pushes: Int { contents.withLock { $0.pushes } }

    func actionReduced(_ record: Relux.ActionRecord) {
        contents.withLock { contents in
            switch record.action {
            case is Pets.Command: contents.opens += 1
            case Navigation.Stack.Action.push: contents.pushes += 1
            case Pets.State.Action.catalogueLoaded: contents.occurrences.insert(.catalogueLoaded)
            case Pets.State.Action.petLoaded: contents.occurrences.insert(.petLoaded)
            case Pets.State.Action.setBack(_, let setback):
                contents.occurrences.insert(.setBack)
                if case .slow = setback.failure.reason { contents.occurrences.insert(.slow) }
            case Pets.State.Action.loadFailed: contents.occurrences.insert(.failed)
            case Pets.State.Action.loadCancelled(.pet(let id)):
                contents.occurrences.insert(.left)
                contents.left.insert(id)
            case Pets.Effect.load(.pet(let id)):
                if contents.left.contains(id) { contents.occurrences.insert(.reopened) }
            default: break
            }
        }
    }

    func runEnded(_ run: Relux.RunRecord, _ outcome: Relux.RunOutcome, lateError: (any Error)?) {
        if outcome.description == "superseded" {
            contents.withLock { _ = $0.occurrences.insert(.superseded) }
        }
    }

    /// Whether nothing is loading whose page was closed before this moment.
    func endsInTime(_ state: Pets.State, _ stack: Navigation.Stack, at now: Duration) -> Bool {
        contents.withLock { contents in
            let strays = state.details.filter { $0.value.isLoading && !stack.contains(.pet($0.key)) }
            let before = contents.strays
            contents.strays = Dictionary(uniqueKeysWithValues: strays.keys.map { ($0, before[$0] ?? now) })
            return contents.strays.values.allSatisfy { $0 == now }
        }
    }

    /// Whether only what was being loaded has changed.
    func leavesAlone(_ state: Pets.State) -> Bool {
        contents.withLock { contents in
            let before = contents.state
            contents.state = state
            return (before.catalogue.isLoading || before.catalogue.value == state.catalogue.value)
                && state.details.allSatisfy { id, details in
                    before.details(of: id).isLoading || before.details(of: id).value == details.value
                }
        }
    }

    /// Whether everything that was known is still known, from the same request or a later one.
    func goesOn(with state: Pets.State) -> Bool {
        contents.withLock { contents in
            let catalogue = state.catalogue.value.flatMap { $0.first?.name }.flatMap { Int($0) }
            var numbers = catalogue.map { [Pets.Subject.catalogue: $0] } ?? [:]
            for (id, details) in state.details {
                numbers[.pet(id)] = details.value.flatMap { Int($0.summary.name) }
            }
            let before = contents.numbers
            contents.numbers = numbers
            if before.contains(where: { (numbers[$0.key] ?? 0) > $0.value }) {
                contents.occurrences.insert(.reloaded)
            }
            return before.allSatisfy { subject, number in numbers[subject].map { $0 >= number } ?? false }
        }
    }
}

import Foundation
import Relux
import ReluxTesting
import SampleServices
import Testing

@testable import SampleDomain

/// Two front ends of one service, with users who arrive and leave in bursts, reports that are late, lost, or out of
/// order, and failures, in many orders.
@Suite("Users, two front ends of one service") struct UsersSimulationTests {
    @Test("Whatever happens, every user is in the right place, and nothing gets older")
    func comingsAndGoings() async {
        let seen = Lock<Set<Occurrence>>([])

        await Simulation.explore(seeds: seeds(200)) { world in
            let place = Place(world: world)
            var stores: [Relux.Store] = []
            for seat in 0..<2 {
                let store = try await world.store {
                    Users.Module(service: Line(place: place, seat: seat))
                    Seat.Module(history: History())
                }
                stores.append(store)
            }
            world.always("everybody stands in the section of their presence, by name, once") { states in
                guard let roster = states[Users.State.self]?.roster.value else { return true }
                return Users.Section.allCases.allSatisfy { section in
                    let users = Array(roster.users(in: section))
                    return users.allSatisfy { ($0.presence == .online) == (section == .online) }
                        && users.map(\.name) == users.map(\.name).sorted()
                } && Set(roster.all.map(\.id)).count == roster.all.count
            }
            world.always("nothing known gets older") { states in
                guard let history = states[Seat.self]?.history, let state = states[Users.State.self] else {
                    return true
                }
                return history.goesOn(with: state)
            }

            for (seat, store) in stores.enumerated() {
                world.task("who sits at \(seat)") { try await Sitter(world: world, store: store, place: place).work() }
            }
            world.task("others") { try await place.others() }
            await world.settled()
            place.mend()
            for store in stores { try await store.perform(Users.Effect.load) }
            await world.settled()
            // Noticed only by a front end that still follows.
            place.change { $0.users["last"] = .here("Last") }
            await world.settled()

            let now = place.snapshot
            for store in stores {
                // A world is settled without its watchers, one of which follows the users.
                try await store.wait(until: Users.State.self) {
                    $0.roster == .loaded(Users.Roster(now.value.users))
                }
            }
            seen.withLock { $0.formUnion(place.occurrences) }
        }

        #expect(seen.withLock { $0 } == Set(Occurrence.allCases))
    }
}

/// Events that must occur in some of the orders. Otherwise the simulation would prove less than it claims.
private enum Occurrence: CaseIterable {
    case burst, removed, newsLost, overtaken, broken, refused, failed
}

/// The actual users.
private final class Place: Sendable {
    struct Contents {
        var users: [User.ID: User] = [:]
        var revision = 1
        var isMended = false
        var readers: [Int: AsyncStream<Result<Snapshot<UserDirectory>, StorageError>>.Continuation] = [:]
        var occurrences: Set<Occurrence> = []

        var snapshot: Snapshot<UserDirectory> {
            Snapshot(users: users.values.sorted { $0.id < $1.id }, revision: revision)
        }
    }

    let world: Simulation.World
    private let contents = Lock(Contents())

    init(world: Simulation.World) {
        self.world = world
    }

    var occurrences: Set<Occurrence> { contents.withLock { $0.occurrences } }
    var snapshot: Snapshot<UserDirectory> { contents.withLock { $0.snapshot } }
    var isMended: Bool { contents.withLock { $0.isMended } }

    func note(_ occurrence: Occurrence) {
        _ = contents.withLock { $0.occurrences.insert(occurrence) }
    }

    /// Changes something and notifies the readers: each with a delay, and perhaps after a later change.
    func change(_ body: (inout Contents) -> Void) {
        let readers = contents.withLock { contents in
            body(&contents)
            contents.revision += 1
            return contents.readers.keys.sorted()
        }
        for seat in readers { tell(seat) }
    }

    private func tell(_ seat: Int) {
        world.task("news for seat \(seat)") { [self] in
            let early = snapshot
            try await world.latency(.zero ... .milliseconds(200))
            // Taken early or late, so that a burst results in one report or several, and not always in order.
            let isLate = isMended || world.fails(0.6)
            if isLate { note(.newsLost) }
            let told = isLate ? snapshot : early
            contents.withLock { contents in
                if contents.readers[seat].map({ $0.yield(.success(told)) }) != nil, told.revision < contents.revision {
                    contents.occurrences.insert(.overtaken)
                }
            }
        }
    }

    func follow(at seat: Int) -> AsyncStream<Result<Snapshot<UserDirectory>, StorageError>> {
        let (stream, reader) = AsyncStream.makeStream(of: Result<Snapshot<UserDirectory>, StorageError>.self)
        contents.withLock { contents in
            contents.readers[seat] = reader
            reader.yield(.success(contents.snapshot))
        }
        return stream
    }

    /// Reports a failure to a seat.
    func fail(_ seat: Int) {
        contents.withLock { contents in
            if contents.readers[seat].map({ $0.yield(.failure(.gone)) }) != nil { contents.occurrences.insert(.broken) }
        }
    }

    /// From now on nothing fails, and the last report is current.
    func mend() {
        contents.withLock { $0.isMended = true }
        change { _ in }
    }

    /// Programs that nobody here knows about.
    func others() async throws {
        for _ in 0..<world.random(in: 3...8) {
            try await world.latency(.zero ... .milliseconds(300))
            switch world.random(in: 0...3) {
            case 0, 1:
                note(.burst)
                for _ in 0..<world.random(in: 2...5) { change { pass(&$0) } }
            case 2:
                change { contents in
                    guard let id = world.random(of: contents.users.keys.sorted()) else { return }
                    contents.users[id] = nil
                    contents.occurrences.insert(.removed)
                }
            default: fail(world.random(in: 0...1))
            }
        }
    }

    /// A user arrives or leaves.
    private func pass(_ contents: inout Contents) {
        let name = world.random(of: ["Ann", "Bob", "Cid"]) ?? "Ann"
        let isHere = world.fails(0.5)
        contents.users[name.lowercased()] =
            isHere ? .here(name, since: contents.revision) : .away(name, since: contents.revision)
    }
}

/// The service as one front end reaches it.
private struct Line: UsersService {
    let place: Place
    let seat: Int

    private func pass() async throws(StorageError) {
        do {
            try await place.world.latency(.zero ... .milliseconds(300), heedsCancellation: place.world.fails(0.5))
        } catch {
            throw StorageError(.cancelled, file: "line")
        }
        if !place.isMended, place.world.fails(0.2) {
            place.note(.failed)
            throw StorageError(.diskFull, file: "line")
        }
    }

    func load() async throws(StorageError) -> Snapshot<UserDirectory> {
        let snapshot = place.snapshot
        try await pass()
        // The answer is as old as the request, or current.
        return place.world.fails(0.5) ? snapshot : place.snapshot
    }

    func save(_ change: UserDirectory.Change) async throws(StorageError) -> Snapshot<UserDirectory> {
        try await pass()
        place.change { contents in
            var directory = contents.snapshot.value
            directory.apply(change)
            for user in directory.users { contents.users[user.id] = user }
        }
        return place.snapshot
    }

    func changesElsewhere() async -> AsyncStream<Result<Snapshot<UserDirectory>, StorageError>> {
        place.follow(at: seat)
    }
}

/// Distinguishes the stores.
private struct Seat: Relux.State {
    typealias Action = Never

    struct Module: Relux.Module {
        let history: History

        var states: [any Relux.State] { [Seat(history: history)] }
    }

    let history: History

    static func == (lhs: Seat, rhs: Seat) -> Bool { lhs.history === rhs.history }
}

/// Looks at users, and records arrivals and departures.
private struct Sitter {
    let world: Simulation.World
    let store: Relux.Store
    let place: Place

    func work() async throws {
        for _ in 0..<world.random(in: 4...10) {
            try await world.latency(.zero ... .milliseconds(300))
            let name = world.random(of: ["Ann", "Bob", "Cid", "A/n", ""]) ?? "Ann"
            switch world.random(in: 0...3) {
            case 0, 1: await store.dispatch(Users.Effect.load)
            case 2: await perform(.arrive(name: name))
            default: await perform(.leave(name: name))
            }
        }
    }

    private func perform(_ command: Users.Command) async {
        do throws(Relux.EffectError) {
            try await store.perform(command)
        } catch {
            if case .failed(UsersError.noName) = error { place.note(.refused) }
        }
    }
}

/// The age of what one front end has shown.
private final class History: Sendable {
    private let revision = Lock(0)

    func goesOn(with state: Users.State) -> Bool {
        revision.withLock { revision in
            defer { revision = state.revision }
            return state.revision >= revision
        }
    }
}

import Foundation
import Relux
import ReluxTesting
import SampleServices

@testable import SampleDomain

extension ApplicationWorld {
    /// The data of all profiles. All services are slow, fail at random, and sometimes ignore cancellation.
    final class House: Sendable {
        struct Flat: Sendable {
            let items: InMemoryItemsService
            let history: InMemoryItemsHistoryService
            let settings: InMemorySettingsService
        }

        let session: InMemorySessionService
        let users: InMemoryUsersService
        private let world: Simulation.World
        private let ledger: Ledger
        private let visits: Visits
        private let flats: [String: Flat]
        private let lastID = Lock(0)

        init(_ world: Simulation.World, _ ledger: Ledger) {
            self.world = world
            self.ledger = ledger
            let visits = Visits(world: world)
            session = InMemorySessionService { () throws(StorageError) in
                if await !visits.travel() { throw StorageError(.diskFull, file: "session") }
            }
            users = InMemoryUsersService { (_) throws(StorageError) in
                if await !visits.travel() { throw StorageError(.diskFull, file: "users") }
            }
            self.visits = visits
            var flats: [String: Flat] = [:]
            for (number, folder) in ["common", "ada", "bob"].enumerated() {
                flats[folder] = Self.flat(folder, number, visits, ledger)
            }
            self.flats = flats
        }

        private static func flat(_ folder: String, _ number: Int, _ visits: Visits, _ ledger: Ledger) -> Flat {
            let item = Item.sample(1_000 + number)
            ledger.keep(item.id.uuidString, in: folder)
            ledger.keep("\(folder)'s name", in: folder)
            return Flat(
                items: InMemoryItemsService(
                    [item],
                    beforeLoad: { () throws(StorageError) in
                        if await !visits.travel() { throw StorageError(.diskFull, file: folder) }
                    },
                    beforeSave: { (changes) throws(StorageError) in
                        if await !visits.travel() { throw StorageError(.diskFull, file: folder) }
                        visits.count(folder)
                        ledger.write(changes.map(\.id.uuidString), to: folder)
                        ledger.delete(changes.compactMap { if case .delete(let id) = $0 { id } else { nil } })
                    }
                ),
                history: InMemoryItemsHistoryService { (changes) throws(StorageError) in
                    if await !visits.travel() { throw StorageError(.diskFull, file: folder) }
                    guard let changes else { return }
                    visits.count(folder)
                    ledger.write(changes.flatMap(\.marks), to: folder)
                },
                settings: InMemorySettingsService(UserSettings(displayName: "\(folder)'s name")) {
                    (changes) throws(StorageError) in
                    if await !visits.travel() { throw StorageError(.diskFull, file: folder) }
                    guard let changes else { return }
                    visits.count(folder)
                    ledger.write(changes.displayName.map { [$0] } ?? [], to: folder)
                }
            )
        }

        func flat(_ folder: String) -> Flat {
            flats[folder] ?? Self.flat(folder, 9, visits, ledger)
        }

        /// The number of writes by folder.
        var writes: [String: Int] { visits.writes }

        /// One of two profiles, or nobody.
        static func anybody(in world: Simulation.World) throws -> ProfileName? {
            try world.random(of: ["ada", "bob", ""]).flatMap { try $0.isEmpty ? nil : ProfileName($0) }
        }

        /// From now on nothing fails.
        func mend() { visits.mend() }

        /// Virtual time and unused ids.
        var source: Items.Source {
            Items.Source(
                now: { [world] in noon.addingTimeInterval(world.clock.now.offset / .seconds(1)) },
                makeID: {
                    .sample(
                        self.lastID.withLock { id in
                            id += 1
                            return id
                        })
                }
            )
        }

        /// All services, with a door.
        var services: Application.Services {
            Application.Services(
                session: session,
                users: users,
                pets: SlowPetsService(world: world, ledger: ledger),
                items: { self.flat($0).items },
                history: { self.flat($0).history },
                settings: { self.flat($0).settings }
            )
        }

        /// The changes of other processes to all data and, if permitted, to the session.
        func changeElsewhere(changesSession: Bool) async throws {
            for number in 0..<6 {
                try await world.latency(.zero ... .milliseconds(500))
                guard let folder = world.random(of: ["common", "ada", "bob"]) else { return }
                let item = Item.sample(2_000 + number)
                ledger.keep(item.id.uuidString, in: folder)
                ledger.keep("\(folder)'s name \(number)", in: folder)
                await flat(folder).items.changeElsewhere([.insert(item)])
                await flat(folder).settings.changeElsewhere(SettingsChanges(displayName: "\(folder)'s name \(number)"))
                if world.fails(0.3), let victim = world.random(of: await flat(folder).items.snapshot.items) {
                    ledger.delete([victim.id])
                    await flat(folder).items.changeElsewhere([.delete(victim.id)])
                }
                await users.changeElsewhere(try .here("Ann", since: number))
                await users.changeElsewhere(try world.fails(0.5) ? .here("Bob") : .away("Bob"))
                if changesSession, world.fails(0.5) {
                    await session.changeElsewhere(try Self.anybody(in: world))
                }
            }
        }
    }

    /// The simulated connections to the services.
    final class Visits: Sendable {
        private struct Contents {
            var isMended = false
            var writes: [String: Int] = [:]
        }

        private let world: Simulation.World
        private let contents = Lock(Contents())

        init(world: Simulation.World) {
            self.world = world
        }

        var writes: [String: Int] { contents.withLock { $0.writes } }

        func mend() { contents.withLock { $0.isMended = true } }

        func count(_ folder: String) { contents.withLock { $0.writes[folder, default: 0] += 1 } }

        /// Waits for a random time, sometimes ignoring cancellation.
        ///
        /// - Returns: Whether the call succeeds.
        func travel() async -> Bool {
            do {
                try await world.latency(.zero ... .milliseconds(250), heedsCancellation: world.fails(0.5))
            } catch {
                return false
            }
            return contents.withLock { $0.isMended } || !world.fails(0.1)
        }
    }

    /// Pets whose names are the time of the request.
    struct SlowPetsService: PetsService {
        let world: Simulation.World
        let ledger: Ledger

        let origin = "simulation"

        func pets() async throws(PetsServiceError) -> [Pet.Summary] {
            let name = "asked in \(ledger.epoch)"
            ledger.make(name)
            await travel()
            return [.sample("a", name: name)]
        }

        func pet(id: Pet.ID) async throws(PetsServiceError) -> Pet {
            await travel()
            return .sample(id)
        }

        private func travel() async {
            try? await world.latency(.zero ... .milliseconds(300), heedsCancellation: world.fails(0.5))
        }
    }
}

extension ItemsHistory.Change {
    fileprivate var marks: [ApplicationWorld.Mark] {
        switch self {
        case .done(let step), .grown(let step), .undone(let step), .redone(let step):
            step.changes.compactMap { $0.id?.uuidString }
        }
    }
}

import Foundation
import Relux
import ReluxTesting
import SampleServices
import Testing

@testable import SampleDomain

/// The whole application, while the profile changes again and again, in many orders.
@Suite("Application, changes of profile") struct ApplicationSimulationTests {
    private typealias World = ApplicationWorld

    @Test("After a sign-out at any time, none of that user's data is shown or written, and nothing is lost")
    func handingOver() async {
        let seen = Lock<Set<World.Occurrence>>([])

        await Simulation.explore(seeds: seeds(300)) { world in
            // Commands fail when there is nothing to undo, and when their data can't be read or written.
            world.expectFailure(ItemsError.self)
            world.expectFailure(SettingsError.self)
            world.expectFailure(UsersError.self)
            world.expectFailure(StorageError.self)
            world.expectFailure(PetsServiceError.self)
            let ledger = World.Ledger()
            let house = World.House(world, ledger)
            let store = try await world.store(Relux.StoreConfiguration(observers: [ledger])) {
                Application.Module(
                    services: house.services, source: house.source, patience: .milliseconds(300))
            }
            Self.expect(world, ledger)

            // In half of the worlds nobody else signs in or out. No command may then be cancelled by anybody else.
            let isShared = world.fails(0.5)
            world.task("the door") {
                try await World.Porter(world: world, store: store, ledger: ledger, isShared: isShared).work()
            }
            for number in 0..<2 {
                world.task("user \(number)") { try await World.Visitor(world: world, store: store).work() }
            }
            world.task("another process") { try await house.changeElsewhere(changesSession: isShared) }
            await world.settled()

            house.mend()
            try await Self.expectRest(world, house, ledger, store)
            try await store.perform(Session.Command.signIn(ProfileName("ada")))
            try await store.perform(Session.Command.signOut)
            let written = house.writes
            await world.settled()
            #expect(house.writes.filter { $0.key != "common" } == written.filter { $0.key != "common" })
            #expect(try await store.state(of: Session.State.self).standing == .nobody)
            #expect(ledger.trespasses == [])
            #expect(ledger.troubles == [])
            seen.withLock { $0.formUnion(ledger.occurrences) }
        }

        #expect(seen.withLock { $0 } == Set(World.Occurrence.allCases))
    }

    /// Holds after every action.
    private static func expect(_ world: Simulation.World, _ ledger: World.Ledger) {
        world.always("the list and its history are those of whoever is there", of: \Items.State.marks, ledger)
        world.always("the settings are those of whoever is there", of: \Settings.State.marks, ledger)
        world.always("the pages are those of whoever is there", of: \Navigation.Stack.marks, ledger)
        world.always("the pets are those of whoever is there", of: \Pets.State.marks, ledger)
        world.always("the theme outlives everybody") { _ in ledger.isThemeKept }
        world.always("no page lies on one like it", of: Navigation.Stack.self) { stack in
            zip(stack.path, stack.path.dropFirst()).allSatisfy { $0 != $1 } && stack.modals.isEmpty
        }
        world.always("every page on the stack is there, and no other") { states in
            guard let stack = states[Navigation.Stack.self] else { return true }
            let pages = states.states(of: PetPage.State.self, in: PetPage.Module.self)
            return pages.map(\.id) == stack.entries.map(\.id)
                && pages.map { .pet($0.state.id) } == stack.entries.map(\.page)
        }
        world.finally("nothing is loading, and every page shows its pet or why not") { states in
            guard let pets = states[Pets.State.self] else { return false }
            let pages = states.states(of: PetPage.State.self, in: PetPage.Module.self).map(\.state.pet)
            return !pets.catalogue.isLoading && pages.allSatisfy { $0.value != nil || $0.failure != nil }
        }
    }

    /// Holds when everything has settled and every service is reachable.
    private static func expectRest(
        _ world: Simulation.World,
        _ house: World.House,
        _ ledger: World.Ledger,
        _ store: Relux.Store
    ) async throws {
        // Another process signs a profile in or out. Nobody here has to do anything.
        let name = try World.House.anybody(in: world)
        await house.session.changeElsewhere(name)
        // A world is settled without its watchers, one of which notices the change.
        try await store.wait(until: Session.State.self) { $0.profile?.name == name }
        await world.settled()

        await store.dispatch {
            Items.Effect.save
            Settings.Effect.save
            Items.Effect.load
            Settings.Effect.load
            Users.Effect.load
        }.finished()
        let flat = house.flat(name?.text ?? "common")
        let (items, settings) = (await flat.items.snapshot.items, await flat.settings.value)
        #expect(try await store.state(of: Items.State.self).list == Items.List(items))
        #expect(try await store.state(of: Settings.State.self).settings == settings)
        let users = Users.Roster(await house.users.value.users)
        #expect(try await store.state(of: Users.State.self).roster == .loaded(users))

        for folder in ["common", "ada", "bob"] {
            let kept = Set(await house.flat(folder).items.snapshot.items.map(\.id))
            #expect(ledger.promised(to: folder).subtracting(kept) == [])
        }
        try await store.idle()
    }
}

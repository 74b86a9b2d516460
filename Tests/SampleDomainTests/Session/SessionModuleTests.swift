import Relux
import ReluxTesting
import SampleServices
import Testing

@testable import SampleDomain

/// The features together in a store, with the theme and the door between them.
@Suite(.timeLimit(.minutes(10))) struct SessionModuleTests {
    private let ada: ProfileName
    private let items = ["ada": InMemoryItemsService([.sample(1)]), "common": InMemoryItemsService()]
    private let settings = [
        "ada": InMemorySettingsService(UserSettings(displayName: "Ada", theme: .collaroy)),
        "common": InMemorySettingsService(),
    ]

    init() throws {
        ada = try ProfileName("ada")
    }

    private func store(_ service: InMemorySessionService) async throws -> Relux.Store {
        let door = ProfileDoor()
        let (items, settings) = (items, settings)
        return try await Relux.Store {
            Session.Module(service: service, door: door, patience: .seconds(3_600))
            Items.Module(service: ProfileService(behind: door) { items[$0] ?? InMemoryItemsService() })
            Settings.Module(service: ProfileService(behind: door) { settings[$0] ?? InMemorySettingsService() })
            Pets.Module(service: BundledPetsService())
        }
    }

    @Test func `a profile that signs in gets a list and settings of its own`() async throws {
        let store = try await store(InMemorySessionService())
        let before = try await store.perform(Session.Command.restore)

        let profile = try await store.perform(Session.Command.signIn(ada))
        try await store.idle()

        #expect(before == nil && profile?.folder == "ada")
        #expect(try await store.state(of: Items.State.self).list.titles == ["Item 1"])
        #expect(try await store.state(of: Settings.State.self).settings.displayName == "Ada")
        #expect(try await store.state(of: Settings.Appearance.self).theme == .collaroy)
    }

    @Test func `signing out leaves nothing behind but the theme`() async throws {
        let store = try await store(InMemorySessionService(ada))
        try await store.perform(Session.Command.restore)
        try await store.perform(Items.Command.complete([.id(.sample(1))]))
        await store.dispatch(Pets.Command.open("pebble"))
        try await store.idle()

        let profile = try await store.perform(Session.Command.signOut)
        try await store.idle()

        #expect(profile == nil)
        #expect(try await store.state(of: Items.State.self).list == Items.List())
        #expect(try await store.state(of: Items.State.self).history == ItemsHistory())
        #expect(try await store.state(of: Settings.State.self).settings == UserSettings())
        #expect(try await store.state(of: Pets.State.self) == Pets.State())
        #expect(try await store.state(of: Navigation.Stack.self) == Navigation.Stack())
        #expect(try await store.state(of: Settings.Appearance.self).theme == .collaroy)
        #expect(await items["ada"]?.snapshot.items.first?.isCompleted == true)
    }

    @Test func `a command performed before the profile is known waits for it`() async throws {
        let store = try await store(InMemorySessionService(ada))
        let adding = await store.dispatch(Items.Effect.load)

        try await store.perform(Session.Command.restore)
        await adding.finished()
        try await store.idle()

        #expect(try await store.state(of: Items.State.self).list.titles == ["Item 1"])
    }

    @Test func `signing in again with the same profile changes nothing`() async throws {
        let store = try await store(InMemorySessionService(ada))
        try await store.perform(Session.Command.restore)
        await store.dispatch(Pets.Command.open("pebble"))
        try await store.idle()

        try await store.perform(Session.Command.signIn(ada))

        #expect(try await store.state(of: Navigation.Stack.self).top == .pet("pebble"))
    }

    @Test func `a failure is thrown, and leaves everybody signed in`() async throws {
        let full = StorageError(.diskFull, file: "session.json")
        let isFull = Lock(false)
        let service = InMemorySessionService(ada) { () throws(StorageError) in
            if isFull.withLock({ $0 }) { throw full }
        }
        let store = try await store(service)
        try await store.perform(Session.Command.restore)
        try await store.idle()
        isFull.withLock { $0 = true }

        do throws(Relux.EffectError) {
            try await store.perform(Session.Command.signOut)
            Issue.record("It should have failed.")
        } catch {
            guard case .failed(let failure as StorageError) = error else { throw error }
            #expect(failure == full)
        }
        isFull.withLock { $0 = false }
        try await store.perform(Items.Command.reopen([]))

        #expect(try await store.state(of: Session.State.self).profile?.name == ada)
        #expect(try await store.state(of: Items.State.self).list.titles == ["Item 1"])
    }

    @Test func `cancelling the wait doesn't leave the change half done`() async throws {
        let gate = Gate()
        let service = InMemorySessionService(ada) { () throws(StorageError) in await gate.pass() }
        let store = try await store(service)
        let waiting = Task { try await store.perform(Session.Command.restore) }
        await gate.arrivals()

        waiting.cancel()
        gate.open()
        _ = await waiting.result
        try await store.idle()

        #expect(try await store.state(of: Session.State.self).profile?.name == ada)
        #expect(try await store.state(of: Items.State.self).list.titles == ["Item 1"])
    }

    @Test func `a change that is cancelled after it is stored is still carried out`() async throws {
        let gate = Gate()
        let isHeld = Lock(false)
        let service = InMemorySessionService(ada) { () throws(StorageError) in
            if isHeld.withLock({ $0 }) { await gate.pass() }
        }
        let store = try await store(service)
        try await store.perform(Session.Command.restore)
        try await store.idle()
        isHeld.withLock { $0 = true }
        let leaving = await store.dispatch(Session.Command.signOut)
        await gate.arrivals()

        await store.cancel(Session.Changer.self)
        gate.open()
        await leaving.finished()
        try await store.idle()

        #expect(await service.profile == nil)
        #expect(try await store.state(of: Session.State.self).standing == .nobody)
        #expect(try await store.state(of: Items.State.self).list == Items.List())
        #expect(try await store.state(of: Settings.State.self).settings == UserSettings())
    }

    @Test func `after a reset of the store nobody is known, until the session is restored`() async throws {
        let store = try await store(InMemorySessionService(ada))
        try await store.perform(Session.Command.restore)
        try await store.idle()

        await store.reset()
        let standing = try await store.state(of: Session.State.self).standing
        try await store.perform(Session.Command.restore)
        try await store.idle()

        #expect(standing == .unknown)
        #expect(try await store.state(of: Items.State.self).list.titles == ["Item 1"])
    }
}

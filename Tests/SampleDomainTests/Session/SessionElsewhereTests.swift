import Relux
import ReluxTesting
import SampleServices
import Testing

@testable import SampleDomain

/// How a store follows sign-ins and sign-outs elsewhere.
@Suite(.timeLimit(.minutes(10))) struct SessionElsewhereTests {
    private let (ada, bob): (ProfileName, ProfileName)
    private let items = [
        "ada": InMemoryItemsService([.sample(1)]), "bob": InMemoryItemsService([.sample(2)]),
        "common": InMemoryItemsService(),
    ]

    init() throws {
        (ada, bob) = (try ProfileName("ada"), try ProfileName("bob"))
    }

    private func store(_ service: InMemorySessionService, watches: Bool = true) async throws -> Relux.Store {
        let (door, items) = (ProfileDoor(), items)
        return try await Relux.Store {
            Session.Module(
                service: service, door: door, patience: .seconds(3_600), watchesElsewhere: watches)
            Items.Module(service: ProfileService(behind: door) { items[$0] ?? InMemoryItemsService() })
            Settings.Module(service: ProfileService(behind: door) { _ in InMemorySettingsService() })
            Pets.Module(service: BundledPetsService())
        }
    }

    /// Waits until the session has this standing.
    private func standing(_ standing: Session.State.Standing, in store: Relux.Store) async throws {
        for await present in store.values(of: Session.State.self, \.standing) where present == standing { break }
        try await store.idle()
    }

    private func standing(of name: ProfileName) -> Session.State.Standing {
        .signedIn(Profile(name: name, folder: name.text))
    }

    @Test func `a sign-in elsewhere signs in here, with that profile's list`() async throws {
        let service = InMemorySessionService()
        let store = try await store(service)
        try await store.perform(Session.Command.restore)

        await service.changeElsewhere(ada)
        try await standing(standing(of: ada), in: store)
        let first = try await store.state(of: Items.State.self).list.titles
        await service.changeElsewhere(bob)
        try await standing(standing(of: bob), in: store)

        #expect(first == ["Item 1"])
        #expect(try await store.state(of: Items.State.self).list.titles == ["Item 2"])
    }

    @Test func `a sign-out elsewhere leaves nothing behind but the theme, and loses nothing`() async throws {
        let service = InMemorySessionService(ada)
        let store = try await store(service)
        try await store.perform(Session.Command.restore)
        try await store.perform(Settings.Command.choose(.theme(.collaroy)))
        await store.dispatch(Pets.Command.open("pebble"))
        try await store.perform(Items.Command.complete([.id(.sample(1))]))

        await service.changeElsewhere(nil)
        try await standing(.nobody, in: store)

        #expect(try await store.state(of: Items.State.self).list == Items.List())
        #expect(try await store.state(of: Items.State.self).history == ItemsHistory())
        #expect(try await store.state(of: Settings.State.self).settings == UserSettings())
        #expect(try await store.state(of: Pets.State.self) == Pets.State())
        #expect(try await store.state(of: Navigation.Stack.self) == Navigation.Stack())
        #expect(try await store.state(of: Settings.Appearance.self).theme == .collaroy)
        #expect(await items["ada"]?.snapshot.items.first?.isCompleted == true)
    }

    /// The watcher, which a change of profile restarts, must follow the next change too.
    @Test func `one change after another is followed`() async throws {
        let service = InMemorySessionService()
        let store = try await store(service)
        try await store.perform(Session.Command.restore)

        for _ in 0..<5 {
            await service.changeElsewhere(ada)
            try await standing(standing(of: ada), in: store)
            await service.changeElsewhere(nil)
            try await standing(.nobody, in: store)
        }

        #expect(await service.profile == nil)
    }

    @Test func `a failure to read is reported, and cleared when it can be read`() async throws {
        let error = StorageError(.notAFile, file: "session.json")
        let service = InMemorySessionService(ada)
        let store = try await store(service)
        try await store.perform(Session.Command.restore)
        let failures = store.values(of: Session.State.self, \.elsewhereFailure)

        await service.failElsewhere(error)
        for await failure in failures where failure != nil { break }
        let failed = try await store.state(of: Session.State.self)
        await service.changeElsewhere(ada)
        for await failure in failures where failure == nil { break }

        #expect(failed.elsewhereFailure == error && failed.profile?.name == ada)
        #expect(try await store.state(of: Session.State.self).profile?.name == ada)
    }

    @Test func `a front end that runs for one command follows nothing`() async throws {
        let service = InMemorySessionService(ada)
        let store = try await store(service, watches: false)
        try await store.perform(Session.Command.restore)

        await service.changeElsewhere(nil)
        try await store.idle()

        #expect(try await store.state(of: Session.State.self).profile?.name == ada)
    }
}

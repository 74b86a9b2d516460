import Relux
import ReluxTesting
import SampleServices
import Testing

@testable import SampleDomain

/// The troubles of all features, retries, and the last saves.
@Suite(.timeLimit(.minutes(10))) struct TroubleTests {
    private let full = StorageError(.diskFull, file: "items")
    private let locked = StorageError(.diskFull, file: "settings")

    /// Services that fail until they are told not to.
    private func failing(_ fault: Fault) -> (InMemoryItemsService, InMemorySettingsService) {
        let (full, locked) = (full, locked)
        let items = InMemoryItemsService(
            beforeLoad: { () throws(StorageError) in if fault.isThere { throw full } },
            beforeSave: { (_) throws(StorageError) in if fault.isThere { throw full } }
        )
        let settings = InMemorySettingsService { (_) throws(StorageError) in if fault.isThere { throw locked } }
        return (items, settings)
    }

    private final class Fault: Sendable {
        private let value = Lock(false)
        var isThere: Bool { value.withLock { $0 } }
        func begin() { value.withLock { $0 = true } }
        func end() { value.withLock { $0 = false } }
    }

    private func store(_ fault: Fault) async throws -> Relux.Store {
        let (items, settings) = failing(fault)
        return try await Relux.Store {
            Items.Module(service: items, source: .counting(), watchesElsewhere: false)
            Settings.Module(service: settings, watchesElsewhere: false)
            Trouble.Module(patience: .seconds(3_600))
        }
    }

    private func troubles(in store: Relux.Store) async -> [Trouble] { await store.read { Trouble.all(in: $0) } }

    @Test func `a store without any of the features has no troubles, and nothing to lose`() async throws {
        // Its time doesn't pass: on a busy machine, the patience of a departure may be over before it begins.
        let store = try await Relux.Store(Relux.StoreConfiguration(clock: ManualClock())) { Trouble.Module() }

        try await store.perform(Trouble.Command.retry)

        #expect(await troubles(in: store) == [])
        #expect(try await store.perform(Trouble.Departure.prepare))
    }

    @Test func `imminent losses come first, and a retry resolves them`() async throws {
        let fault = Fault()
        let store = try await store(fault)
        try await store.perform(Items.Effect.load)
        fault.begin()
        try await store.perform(Settings.Effect.load)
        try await store.perform(Items.Command.add(title: "New", .end))
        try await store.idle()
        let failed = await troubles(in: store)

        try await store.perform(Trouble.Command.retry)
        let failedAgain = await troubles(in: store)
        fault.end()
        try await store.perform(Trouble.Command.retry)

        #expect(failed == [.items(.saving, full), .settings(.reading, locked)])
        #expect(failed.map(\.isLossAhead) == [true, false])
        #expect(failedAgain == failed)
        #expect(await troubles(in: store) == [])
        #expect(try await !store.state(of: Items.State.self).hasUnsavedChanges)
        #expect(try await store.state(of: Settings.State.self).isLoaded)
    }

    @Test func `each trouble is retried by its own feature`() async throws {
        let pets = Pets.State.after(.failed(.offline))
        var users = Users.State()
        users.reduce(.failed(StorageError(.noPermission(.folder), file: "users")))
        var session = Session.State()
        session.reduce(.failed(locked))
        var items = Items.State()
        items.reduce(.elsewhereFailed(full))
        items.reduce(.historyFailed(full))
        let tester = try await SagaTester(Trouble.Retrier(), states: [items, pets, users, session])
        try await tester.answer(Session.Command.self) { _ in .value(nil) }
        try await tester.answer(Pets.Effect.self) { _ in .value(()) }
        try await tester.answer(Users.Effect.self) { _ in .value(()) }
        try await tester.answer(Items.HistoryEffect.self) { _ in .value(()) }

        await tester.start(.retry)

        #expect(tester.performed(Pets.Effect.self) == [.load])
        #expect(tester.performed(Users.Effect.self) == [.load])
        #expect(tester.performed(Items.HistoryEffect.self) == [.load])
        #expect(tester.performed(Session.Command.self) == [.restore])
        // Following changes made elsewhere either resumes automatically or never.
        #expect(tester.performed(Items.Effect.self) == [])
    }

    @Test func `changes to the session elsewhere are a trouble for as long as they can't be read`() async throws {
        let garbage = StorageError(.damaged("no object"), file: "session")
        let both = Session.State().after(.failed(garbage), .elsewhereFailed(garbage))
        let followed = Session.State().after(.elsewhereFailed(garbage))
        let cases: [(Session.State, [Trouble])] = [
            (followed, [.sessionElsewhere(garbage)]),
            (both, [.session(garbage)]),
            (followed.after(.failed(locked)), [.session(locked), .sessionElsewhere(garbage)]),
            (followed.after(.changedElsewhere), []),
        ]
        for (state, expected) in cases {
            let store = Relux.Store(Relux.StoreConfiguration(states: [state]))
            try await store.register(Session.Module(service: InMemorySessionService(), door: ProfileDoor()))

            #expect(await troubles(in: store) == expected)
        }
        #expect(!Trouble.sessionElsewhere(garbage).mayPass && !Trouble.sessionElsewhere(garbage).isLossAhead)
    }

    /// A retry used to read the history, even if it had never been read, which cleared the failure and saved nothing.
    @Test func `a step that could not be recorded is saved by a retry`() async throws {
        let fault = Fault()
        let history = InMemoryItemsHistoryService { [full] (changes) throws(StorageError) in
            if changes != nil, fault.isThere { throw full }
        }
        let store = try await Relux.Store {
            Items.Module(
                service: InMemoryItemsService(), history: history, source: .counting(), watchesElsewhere: false)
            Trouble.Module(patience: .seconds(3_600))
        }
        fault.begin()
        try await store.perform(Items.Command.add(title: "New", .end))
        try await store.idle()
        let failed = await troubles(in: store)
        try await store.perform(Trouble.Command.retry)
        let failedAgain = await troubles(in: store)

        fault.end()
        try await store.perform(Trouble.Command.retry)

        #expect(failed == [.items(.saving, full)] && failedAgain == failed)
        #expect(await troubles(in: store) == [])
        #expect(await history.value.done.count == 1)
    }

    @Test func `the failure of a page counts while it is visible, and is retried by the page`() async throws {
        let service = ScriptedPetsService(one: { (id, attempt) throws(PetsServiceError) in
            if attempt == 1 { throw .missing }
            return .sample(id)
        })
        let store = try await Relux.Store {
            Pets.Module(service: service)
            Trouble.Module()
        }
        await store.dispatch(Pets.Command.open("a"))
        let page = store.scope(of: PetPage.Module.self, id: 1)
        try await page.wait(until: PetPage.State.self) { !$0.pet.isLoading }
        let visible = await troubles(in: store)
        await store.dispatch(Pets.Command.open("b"))
        let covered = await troubles(in: store)
        await store.dispatch(Navigation.Stack.Action.pop)

        try await store.perform(Trouble.Command.retry)

        #expect(visible == [.petPage(1, .missing)] && covered == [])
        #expect(await troubles(in: store) == [])
        #expect(try await page.state(of: PetPage.State.self).pet == .loaded(.sample("a")))
    }

    @Test func `leaving waits for the last saves, and reports whether everything is saved`() async throws {
        let fault = Fault()
        let store = try await store(fault)
        try await store.perform(Items.Effect.load)
        fault.begin()
        try await store.perform(Items.Command.add(title: "New", .end))
        try await store.idle()

        let whileFailing = try await store.perform(Trouble.Departure.prepare)
        fault.end()
        let afterwards = try await store.perform(Trouble.Departure.prepare)

        #expect(!whileFailing && afterwards)
        #expect(try await !store.state(of: Items.State.self).hasUnsavedChanges)
    }

    /// A title typed just before leaving used to be lost silently, because nothing was unsaved yet.
    @Test func `earlier commands are carried out and saved before leaving`() async throws {
        let gate = Gate()
        let service = InMemoryItemsService(beforeLoad: { () throws(StorageError) in await gate.pass() })
        let store = try await Relux.Store {
            Items.Module(service: service, source: .counting(), watchesElsewhere: false)
            Settings.Module(service: InMemorySettingsService(), watchesElsewhere: false)
            Trouble.Module(patience: .seconds(3_600))
        }
        await store.dispatch(Items.Command.add(title: "New", .end))
        await store.dispatch(Items.Command.add(title: "Newer", .end))
        await gate.arrivals()
        let commands = store.actionStream(of: Items.Command.self)
        let opening = Task {
            for await case .catchUp in commands { return gate.open() }
        }

        let isSaved = try await store.perform(Trouble.Departure.prepare)
        let saved = await service.snapshot.items.map(\.title)

        #expect(isSaved && saved == ["New", "Newer"])
        // The commands are released even if nobody waits for them.
        opening.cancel()
        gate.open()
    }

    @Test func `commands that still wait when the patience is over are lost, and that is reported`() async throws {
        for answered in [false, true] {
            let states: [any Relux.State] = [Items.State(), Settings.State(), Session.State()]
            let tester = try await SagaTester(Trouble.Leaver(patience: .seconds(5)), states: states)
            try await tester.answer(Session.Command.self) { _ in .value(nil) }
            try await tester.answer(Items.Command.self) { _ in .suspended }
            try await tester.answer(Settings.Command.self) { _ in .value(()) }

            await tester.start(.prepare)
            await tester.advance(by: .milliseconds(4_999))
            let early = tester.output
            if answered { await tester.resume(Items.Command.self, with: .value(.changed([]))) }
            await tester.advance(by: .milliseconds(1))

            #expect(early == nil)
            #expect(tester.output == answered)
            #expect(tester.performed(Session.Command.self) == [.catchUp])
        }
    }

    @Test func `a sign-in before leaving is carried out, and cancels the departure`() async throws {
        let (gate, ada) = (Gate(), try ProfileName("ada"))
        let service = InMemorySessionService { () throws(StorageError) in await gate.pass() }
        let store = try await Relux.Store {
            Session.Module(
                service: service, door: ProfileDoor(), patience: .seconds(3_600), watchesElsewhere: false)
            Trouble.Module(patience: .seconds(3_600))
        }
        await store.dispatch(Session.Command.signIn(ada))
        await gate.arrivals()
        let commands = store.actionStream(of: Session.Command.self)
        let opening = Task {
            for await case .catchUp in commands { return gate.open() }
        }

        await #expect(throws: Relux.EffectError.self) { try await store.perform(Trouble.Departure.prepare) }
        // The commands are released even if nobody waits for them.
        opening.cancel()
        gate.open()
        #expect(try await store.perform(Trouble.Departure.prepare))
        #expect(await service.profile?.name == ada)
    }

    @Test func `leaving doesn't wait forever`() async throws {
        let clock = ManualClock()
        let gate = Gate()
        let service = InMemoryItemsService(beforeSave: { (_) throws(StorageError) in await gate.pass() })
        let store = try await Relux.Store(Relux.StoreConfiguration(clock: clock)) {
            Items.Module(service: service, source: .counting(), watchesElsewhere: false)
            Trouble.Module(patience: .seconds(5))
        }
        try await store.perform(Items.Command.add(title: "New", .end))
        await gate.arrivals()

        let departure = Task { try await store.perform(Trouble.Departure.prepare) }
        await clock.sleepers(atLeast: 1)
        await clock.advance(by: .seconds(5))

        #expect(try await departure.value == false)
        gate.open()
        try await store.idle()
    }
}

extension Session.State {
    /// The state after some more actions.
    fileprivate func after(_ actions: Action...) -> Session.State {
        var copy = self
        for action in actions { copy.reduce(action) }
        return copy
    }
}

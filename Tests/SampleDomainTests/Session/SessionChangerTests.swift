import Relux
import ReluxTesting
import SampleServices
import Testing

@testable import SampleDomain

/// The flow that changes the profile, alone.
@Suite(.timeLimit(.minutes(10))) struct SessionChangerTests {
    private let ada: Profile
    private let full = StorageError(.diskFull, file: "session.json")

    init() throws {
        ada = Profile(name: try ProfileName("ada"), folder: "ada")
    }

    private func tester(
        _ service: InMemorySessionService,
        _ door: ProfileDoor,
        _ states: any Relux.State...,
        session: Session.State = Session.State(),
        loadsData: Bool = false
    ) async throws -> SagaTester<Session.Command> {
        let lastSaves = Session.LastSaves(patience: .seconds(5))
        let changer = Session.Changer(service: service, door: door, lastSaves: lastSaves, loadsData: loadsData)
        let tester = try await SagaTester(changer, states: states + [session])
        try await tester.answer(Settings.Command.self) { _ in .value(()) }
        return tester
    }

    private var unsaved: Settings.State {
        var state = Settings.State()
        state.reduce(.changed(SettingsChanges(theme: .collaroy)))
        return state
    }

    @Test func `the profile of the last session enters, and the door opens`() async throws {
        let door = ProfileDoor()
        let tester = try await tester(InMemorySessionService(ada.name), door)

        await tester.start(.restore)

        #expect(tester.dispatched(Session.State.Action.self) == [.entered(ada, hasLeftUnsaved: false)])
        #expect(await opened(door) == "ada")
    }

    @Test func `if nobody is signed in, the door opens to the common folder`() async throws {
        let door = ProfileDoor()
        let tester = try await tester(InMemorySessionService(), door)

        await tester.start(.restore)

        #expect(tester.dispatched(Session.State.Action.self) == [.entered(nil, hasLeftUnsaved: false)])
        #expect(await opened(door) == "common")
    }

    @Test func `a sign-in is stored before the profile enters`() async throws {
        let (service, door) = (InMemorySessionService(), ProfileDoor())
        let tester = try await tester(service, door)

        await tester.start(.signIn(ada.name))

        #expect(await service.profile == ada)
        #expect(tester.dispatched(Session.State.Action.self) == [.entered(ada, hasLeftUnsaved: false)])
        #expect(await opened(door) == "ada")
    }

    @Test func `if it can't be stored, nothing else happens`() async throws {
        let service = InMemorySessionService { [full] () throws(StorageError) in throw full }
        let door = ProfileDoor(folder: "common")
        let tester = try await tester(service, door)
        await tester.expectFailure(StorageError.self)

        for change in [Session.Command.restore, .signIn(ada.name), .signOut] { await tester.start(change) }

        #expect(
            tester.dispatched(Session.State.Action.self) == [.failed(full), .failed(full), .failed(full)])
        #expect(await opened(door) == "common")
    }

    @Test func `unsaved changes are saved before anybody leaves`() async throws {
        let tester = try await tester(InMemorySessionService(ada.name), ProfileDoor(folder: "ada"), unsaved)
        let asked = Lock<[Settings.Effect]>([])
        try await tester.answer(Settings.Effect.self) { effect in
            asked.withLock { $0.append(effect) }
            return .value(())
        }

        await tester.start(.signOut)

        // The settings stay unsaved, because the answer saves nothing, and that is reported.
        #expect(tester.dispatched(Session.State.Action.self) == [.entered(nil, hasLeftUnsaved: true)])
        #expect(asked.withLock { $0 } == [.save])
    }

    @Test func `the last saves take no longer than the patience allows`() async throws {
        let door = ProfileDoor(folder: "ada")
        let tester = try await tester(InMemorySessionService(ada.name), door, unsaved)
        try await tester.answer(Settings.Effect.self) { _ in .suspended }

        await tester.start(.signOut)
        let before = tester.dispatched(Session.State.Action.self)
        await tester.advance(by: .seconds(5))

        #expect(before.isEmpty)
        #expect(tester.dispatched(Session.State.Action.self) == [.entered(nil, hasLeftUnsaved: true)])
        #expect(await opened(door) == "common")
    }

    @Test func `catching up changes nothing, keeps a failure, and leaves nothing to restore`() async throws {
        var failed = signedIn
        failed.reduce(.failed(full))
        let before = failed
        let door = ProfileDoor(folder: "ada")
        let tester = try await tester(InMemorySessionService(ada.name), door, session: failed)

        await tester.start(.catchUp)
        failed.reduce(Session.Command.catchUp)

        #expect(tester.output == .some(ada) && tester.steps.isEmpty && failed == before)
        let changer = Session.Changer(
            service: InMemorySessionService(), door: door, lastSaves: .init(patience: .zero), loadsData: false)
        #expect(changer.actionOnCancel(.catchUp) == nil && changer.actionOnCancel(.signOut) != nil)
    }

    private var signedIn: Session.State {
        var session = Session.State()
        session.reduce(.entered(ada, hasLeftUnsaved: false))
        return session
    }

    @Test func `earlier commands are carried out first, and then everything is saved`() async throws {
        let tester = try await tester(InMemorySessionService(ada.name), ProfileDoor(folder: "ada"), unsaved)
        let asked = Lock<[String]>([])
        try await tester.answer(Settings.Command.self) { command in
            asked.withLock { $0.append("\(command)") }
            return .suspended
        }
        try await tester.answer(Settings.Effect.self) { effect in
            asked.withLock { $0.append("\(effect)") }
            return .value(())
        }

        await tester.start(.signOut)
        let before = asked.withLock { $0 }
        await tester.resume(Settings.Command.self, with: .value(()))

        #expect(before == ["catchUp"])
        #expect(asked.withLock { $0 } == ["catchUp", "save"])
    }

    @Test func `a sign-out cancelled during the last saves leaves the profile signed in`() async throws {
        let service = InMemorySessionService(ada.name)
        let door = ProfileDoor(folder: "ada")
        let tester = try await tester(service, door, unsaved, session: signedIn)
        try await tester.answer(Settings.Effect.self) { _ in .suspended }
        await tester.start(.signOut)

        await tester.cancel()

        #expect(tester.dispatched(Session.State.Action.self).isEmpty)
        #expect(await service.profile == ada)
        #expect(await opened(door) == "ada")
    }

    @Test func `a sign-out elsewhere acts like a command, which saves unsaved changes first`() async throws {
        let service = InMemorySessionService(ada.name)
        let door = ProfileDoor(folder: "ada")
        let tester = try await tester(service, door, unsaved, session: signedIn)
        let asked = Lock<[Settings.Effect]>([])
        try await tester.answer(Settings.Effect.self) { effect in
            asked.withLock { $0.append(effect) }
            return .value(())
        }
        await service.changeElsewhere(nil)

        await tester.start(.restore)

        #expect(asked.withLock { $0 } == [.save])
        #expect(tester.dispatched(Session.State.Action.self) == [.entered(nil, hasLeftUnsaved: true)])
        #expect(await opened(door) == "common")
    }

    @Test func `what is stored during the last saves counts`() async throws {
        let service = InMemorySessionService(ada.name)
        let bob = try ProfileName("bob")
        let tester = try await tester(service, ProfileDoor(folder: "ada"), unsaved, session: signedIn)
        try await tester.answer(Settings.Effect.self) { _ in .suspended }
        await service.changeElsewhere(nil)
        await tester.start(.restore)

        await service.changeElsewhere(bob)
        await tester.advance(by: .seconds(5))

        let profile = Profile(name: bob, folder: "bob")
        #expect(tester.dispatched(Session.State.Action.self) == [.entered(profile, hasLeftUnsaved: true)])
    }

    @Test func `the registered features start reading`() async throws {
        let tester = try await tester(
            InMemorySessionService(), ProfileDoor(), Items.State(), Settings.State(), loadsData: true
        )
        try await tester.answer(Items.Effect.self) { _ in .value(()) }
        try await tester.answer(Settings.Effect.self) { _ in .value(()) }

        await tester.start(.restore)

        #expect(tester.dispatched(Items.Effect.self) == [.load])
        #expect(tester.dispatched(Settings.Effect.self) == [.load])
    }

    @Test func `features that aren't registered aren't asked`() async throws {
        let tester = try await tester(InMemorySessionService(), ProfileDoor(), loadsData: true)

        await tester.start(.restore)

        #expect(tester.dispatched(Items.Effect.self).isEmpty && tester.dispatched(Settings.Effect.self).isEmpty)
    }

    /// The folder in which a service behind the door works.
    private func opened(_ door: ProfileDoor) async -> String? {
        let asked = Lock<String?>(nil)
        _ = try? await ProfileService(behind: door) { folder in
            asked.withLock { $0 = folder }
            return InMemorySettingsService()
        }.load()
        return asked.withLock { $0 }
    }
}

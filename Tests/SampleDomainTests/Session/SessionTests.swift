import Foundation
import Relux
import ReluxPersistence
import ReluxTesting
import SampleServices
import TestFixtures
import Testing

@testable import SampleDomain

/// Signing in and out, across all features.
@Suite(.timeLimit(.minutes(10))) struct SessionTests {
    private let ada = Profile.named("Ada")

    private func store(_ storage: any Relux.Storage) async throws -> Relux.Store {
        let store = try await Relux.Store {
            Application.Module(storage: storage, presence: BundledPresence(rhythm: .seconds(3_600)))
        }
        try await opened(.guest, in: store)
        return store
    }

    /// Waits until the account of a profile has been loaded.
    @discardableResult
    private func opened(_ profile: Profile, in store: Relux.Store) async throws -> Relux.Scope {
        let names = store.values { reader in Account.state(Items.State.self, in: reader)?.profile }
        _ = await names.first { $0 == profile }
        return store.scope(of: Account.Module.self, id: profile)
    }

    @Test func `each profile has a list and settings of its own`() async throws {
        let store = try await store(Relux.MemoryStorage())
        let guest = store.scope(of: Account.Module.self, id: .guest)
        await guest.dispatch(Items.List.Action.added(.sample(1, "common"), .end))
        await guest.dispatch(Settings.State.Action.chosen(.theme(.collaroy)))

        try await store.call(Session.SignIn(ada))
        let account = try await opened(ada, in: store)
        let (list, settings) = (
            try await account.state(of: Items.State.self), try await account.state(of: Settings.State.self)
        )
        try await store.call(Session.SignIn(.guest))
        let again = try await opened(.guest, in: store)

        #expect(list.present.items.isEmpty && settings.values.theme == .pilbara)
        #expect(try await again.state(of: Items.State.self).present.titles == ["common"])
        #expect(try await again.state(of: Settings.State.self).values.theme == .collaroy)
    }

    @Test func `another profile begins without the pages of the former one`() async throws {
        let store = try await store(Relux.MemoryStorage())
        await store.dispatch(Pets.Command.open("biscuit"))

        try await store.call(Session.SignIn(ada))

        #expect(try await store.state(of: Navigation.Stack.self).isEmpty)
    }

    @Test func `a program follows when another one signs in`() async throws {
        let storage = Relux.MemoryStorage()
        let (first, second) = (try await store(storage), try await store(storage))

        try await first.call(Session.SignIn(ada))

        try await opened(ada, in: second)
    }

    @Test func `without the last saves, nobody is signed in, and the reason is thrown`() async throws {
        struct Full: Error {}
        let storage = RefusingStorage(error: Full())
        let store = try await store(storage)
        let guest = store.scope(of: Account.Module.self, id: .guest)
        storage.isRefusing = true
        await guest.dispatch(Items.List.Action.added(.sample(1, "a"), .end))

        await #expect(throws: Full.self) { try await store.call(Session.SignIn(ada)) }
        storage.isRefusing = false
        try await store.call(Session.SignIn(ada))

        #expect(try await store.state(of: Session.State.self).profile == ada)
        #expect(await !store.isOpen(guest))
        #expect(storage.memory.data["items"] != nil)
    }

    @Test func `nothing reaches another profile's list while profiles sign in and out`() async {
        await Simulation.explore(seeds: seeds(100)) { world in
            let store = try await world.store { Application.Module(storage: world.storage(), presence: Nobody()) }
            world.always("an item is on the list of its own profile") { reader in
                reader.states(of: Items.State.self, in: Account.Module.self).allSatisfy { id, state in
                    state.present.items.allSatisfy { $0.title == id.description }
                }
            }
            let profiles = [Profile.guest, .named("Ada"), .named("Ben")]

            world.task("sign in") {
                for _ in 0..<4 {
                    try await world.latency(.zero ... .milliseconds(50))
                    try await store.perform(Session.SignIn(world.random(of: profiles) ?? .guest))
                }
            }
            world.task("write") {
                for number in 1...8 {
                    try await world.latency(.zero ... .milliseconds(30))
                    let profile = try await store.state(of: Session.State.self).profile
                    let account = store.scope(of: Account.Module.self, id: profile)
                    // Between the read and the dispatch, somebody else may have signed in.
                    world.expectRefusal()
                    await account.dispatch(
                        Items.List.Action.added(.sample(number, profile.description), .end))
                }
            }
            await world.settled()
        }
    }
}

/// Nobody is there, and nobody comes.
private struct Nobody: PresenceService {
    func users() async -> [User] { [] }
    func changes() -> AsyncStream<User> { AsyncStream { $0.finish() } }
}

/// A storage in memory that refuses to write when it is told to.
private final class RefusingStorage: Relux.Storage {
    let memory = Relux.MemoryStorage()
    private let error: any Error & Sendable
    private let refusing = Lock(false)

    init(error: any Error & Sendable) { self.error = error }

    var isRefusing: Bool {
        get { refusing.withLock { $0 } }
        set { refusing.withLock { $0 = newValue } }
    }

    private func check() throws { if isRefusing { throw error } }

    func read(_ key: String) async throws -> Data? { try await memory.read(key) }
    func keys() async throws -> [String] { try await memory.keys() }
    func remove(_ keys: Set<String>) async throws { try await memory.remove(keys) }

    func update(_ keys: Set<String>, _ change: @Sendable (inout [String: Data]) throws -> Void) async throws {
        try check()
        try await memory.update(keys, change)
    }
}

import Foundation
import Relux
import ReluxTesting
import SampleServices
import TestFixtures
import Testing

@testable import SampleDomain

@Suite(.timeLimit(.minutes(10))) struct UsersTests {
    /// A service whose answer and changes a test decides.
    private struct Service: PresenceService {
        var answer: Result<[User], PresenceError> = .success([.sample("Ben"), .sample("Ada")])
        let stream = AsyncStream.makeStream(of: User.self)

        func users() async throws(PresenceError) -> [User] { try answer.get() }
        func changes() -> AsyncStream<User> { stream.stream }
    }

    /// A service that can't be reached at first.
    private final class LateService: PresenceService {
        let isUp = Lock(false)
        let stream = AsyncStream.makeStream(of: User.self)

        func users() async throws(PresenceError) -> [User] {
            guard isUp.withLock(\.self) else { throw .unavailable }
            return [.sample("Ada")]
        }

        func changes() -> AsyncStream<User> { stream.stream }
    }

    /// A slow service that counts how often it is asked, and how often at once.
    private final class CountingService: PresenceService {
        private let world: Simulation.World
        private let count = Lock(0)

        init(world: Simulation.World) { self.world = world }

        func users() async -> [User] {
            let others = count.withLock { count in
                defer { count += 1 }
                return count
            }
            #expect(others == 0, "two loads at once")
            try? await world.latency(.milliseconds(1) ... .milliseconds(20))
            count.withLock { $0 -= 1 }
            return [.sample("Ben"), .sample("Ada")]
        }

        func changes() -> AsyncStream<User> { AsyncStream { $0.finish() } }
    }

    private func state(after actions: Users.State.Action...) -> Users.State {
        actions.reduce(into: Users.State()) { $0.reduce($1) }
    }

    @Test func `the users are loaded at once, and then followed`() async throws {
        let service = Service()
        let store = try await TestStore { Users.Module(service: service) }
        let gone = User.sample("Ada", isOnline: false, since: 9)

        await store.receive(Users.Load())
        await store.receive(Users.State.Action.began) { (state: inout Users.State) in state.reduce(.began) }
        await store.receive(Users.State.Action.loaded([.sample("Ben"), .sample("Ada")])) { (state: inout Users.State) in
            state.reduce(.loaded([.sample("Ada"), .sample("Ben")]))
        }
        service.stream.continuation.yield(gone)
        await store.receive(Users.State.Action.changed(gone)) { (state: inout Users.State) in
            state.reduce(.changed(gone))
        }

        service.stream.continuation.finish()
        await store.finish()
    }

    @Test func `a failure keeps what was known`() async throws {
        let store = try await TestStore { Users.Module(service: Service(answer: .failure(.unavailable))) }

        await store.receive(Users.Load())
        await store.receive(Users.State.Action.began) { (state: inout Users.State) in state.reduce(.began) }
        await store.receive(Users.State.Action.failed(.unavailable)) { (state: inout Users.State) in
            state.reduce(.failed(.unavailable))
        }

        #expect(try await store.state(of: Users.State.self).roster == .failed(.unavailable, previous: nil))
        await store.finish()
    }

    @Test func `a first load that fails is repeated, and what has changed meanwhile is kept`() async throws {
        let service = LateService()
        let store = try await TestStore(exhaustivity: .off) { Users.Module(service: service) }
        let gone = User.sample("Ada", isOnline: false, since: 9)

        await store.receive(Users.State.Action.failed(.unavailable))
        service.stream.continuation.yield(gone)
        await store.advance(by: .seconds(60))
        service.isUp.withLock { $0 = true }
        await store.advance(by: .seconds(60))
        await store.receive(Users.State.Action.changed(gone))

        #expect(try await store.state(of: Users.State.self).roster.value.map(Array.init) == [gone])
        await store.finish()
    }

    @Test func `a load that is cancelled is no longer shown as under way`() async throws {
        struct Silent: PresenceService {
            func users() async throws(PresenceError) -> [User] {
                try? await Task.sleep(for: .seconds(600))
                throw .unavailable
            }
            func changes() -> AsyncStream<User> { AsyncStream { $0.finish() } }
        }
        let store = try await Relux.Store { Users.Module(service: Silent()) }
        try await store.wait(until: Users.State.self) { $0.roster.isLoading }

        await store.cancel(Users.Loader.self)

        #expect(try await store.state(of: Users.State.self).roster == .idle)
        await store.shutdown()
    }

    @Test func `a load that is requested during another one joins it`() async throws {
        await Simulation.explore(seeds: seeds(50)) { world in
            let service = CountingService(world: world)
            let store = try await world.store { Users.Module(service: service) }
            try await store.perform(Users.Load())
            #expect(try await store.state(of: Users.State.self).roster.value?.map(\.name) == ["Ada", "Ben"])
        }
    }

    @Test func `an answer that is older than a change doesn't undo it`() {
        let gone = User.sample("Ada", isOnline: false, since: 9)

        let state = state(after: .loaded([.sample("Ada")]), .changed(gone), .loaded([.sample("Ada"), .sample("Ben")]))

        #expect(state.roster.value?.map(\.isOnline) == [false, true])
    }

    @Test func `users are in two sections, by name, and keep their ids when they change section`() {
        let presenter = Presenter(locale: Locale(identifier: "en_AU"), timeZone: .gmt, now: { .sample(0) })
        let state = state(
            after: .loaded([.sample("Cy"), .sample("Ben"), .sample("Ada", isOnline: false)]),
            .changed(.sample("Cy", isOnline: false, since: 60)))

        let listing = presenter.listing(of: state)

        #expect(listing.sections.map(\.isOnline) == [true, false])
        #expect(listing.sections.map { $0.rows.map(\.id) } == [["ben"], ["ada", "cy"]])
        #expect(listing.sections[1].rows[1].since.hasPrefix("since "))
        #expect(listing.notice == nil && !listing.isFailed)
    }

    @Test func `an empty section isn't shown, and a notice says what there is instead`() {
        let presenter = Presenter()

        #expect(presenter.listing(of: Users.State()).notice == "Checking who is online.")
        #expect(presenter.listing(of: state(after: .loaded([]))).notice == "Nobody has been here yet.")
        let failed = presenter.listing(of: state(after: .failed(.unavailable)))
        #expect(failed.isFailed && failed.notice == PresenceError.unavailable.description && failed.sections.isEmpty)
    }
}

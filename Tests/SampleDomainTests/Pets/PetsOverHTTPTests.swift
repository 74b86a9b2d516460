import LoopbackServer
import Relux
import ReluxTesting
import SampleServices
import Testing

@testable import SampleDomain

/// The whole feature with a real service, and a server that doesn't answer.
@Suite(.timeLimit(.minutes(10))) struct PetsOverHTTPTests {
    private let clock = ManualClock()
    private let never: Latch

    init() throws {
        never = try Latch()
    }

    private func store(_ server: LoopbackServer, attempts: Int = 1) async throws -> Relux.Store {
        let service = HTTPPetsService(address: try #require(PetsAddress(server.address)), timeout: 3600)
        let patience = Pets.Patience(limit: .seconds(10), attempts: attempts, jitter: 0)
        return try await Relux.Store(Relux.StoreConfiguration(clock: clock)) {
            Pets.Module(service: service, patience: patience)
        }
    }

    @Test func `superseded loads close their connections, fifty in a row, and the last one succeeds`() async throws {
        let isAnswering = Lock(false)
        let server = try LoopbackServer { [never] _ in
            let answer = LoopbackServer.Answer.response(body: #"[{"id":"a","name":"A"}]"#)
            return isAnswering.withLock { $0 } ? answer : .held(never, then: .silence)
        }
        let store = try await store(server)

        for _ in 0..<50 { await store.dispatch(Pets.Effect.load) }
        await server.requests(atLeast: 1)
        isAnswering.withLock { $0 = true }
        await store.dispatch(Pets.Effect.load).finished()
        let catalogue = try await store.state(of: Pets.State.self).catalogue
        await server.connections(atMost: 0)
        try await store.idle()

        #expect(catalogue.value?.map(\.name) == ["A"] && !catalogue.isLoading)
    }

    @Test func `going back closes the connection, and the page can be opened again`() async throws {
        let isAnswering = Lock(false)
        let server = try LoopbackServer { [never] _ in
            let answer = LoopbackServer.Answer.response(body: #"{"id":"a","name":"A"}"#)
            return isAnswering.withLock { $0 } ? answer : .held(never, then: .silence)
        }
        let store = try await store(server)

        await store.dispatch(Pets.Command.open("a"))
        await server.requests(atLeast: 1)
        await store.dispatch(Navigation.Stack.Action.pop)
        await server.hangUps(atLeast: 1)
        let left = await store.read { $0.states(of: PetPage.State.self, in: PetPage.Module.self).count }
        isAnswering.withLock { $0 = true }
        await store.dispatch(Pets.Command.open("a"))
        let entry = try #require(try await store.state(of: Navigation.Stack.self).entries.last)
        let page = try await store.scope(of: PetPage.Module.self, id: entry.id)
            .wait(until: PetPage.State.self) { $0.pet.isLoaded }

        #expect(left == 0)
        #expect(page.pet.value?.summary.name == "A")
    }

    @Test func `a silent server has as long as the store's clock allows, and is then disconnected`() async throws {
        let server = try LoopbackServer { [never] _ in .held(never, then: .silence) }
        let store = try await store(server, attempts: 2)

        let load = await store.dispatch(Pets.Effect.load)
        await server.requests(atLeast: 1)
        let first = await clock.sleepers(atLeast: 1).map(\.deadline)
        await clock.advance(by: .seconds(10))
        await server.hangUps(atLeast: 1)
        let pause = await clock.sleepers(atLeast: 1).map(\.deadline)
        await clock.advance(by: .milliseconds(250))
        await server.requests(atLeast: 2)
        await clock.sleepers(atLeast: 1)
        await clock.advance(by: .seconds(10))
        await load.finished()
        await server.hangUps(atLeast: 2)

        #expect(first.map { $0.offset } == [.seconds(10)])
        #expect(pause.map { $0.offset } == [.milliseconds(10_250)])
        let slow = PetsServiceError(.slow(limit: .seconds(10)), place: server.address)
        #expect(try await store.state(of: Pets.State.self).catalogue == .failed(slow, previous: nil))
    }
}

import Relux
import Testing

@Suite("States of the configuration", .timeLimit(.minutes(10)))
struct GivenStatesTests {
    private let configuration = Relux.StoreConfiguration(
        states: [Counter<TagA>(value: 6), Counter<TagA>(value: 7)])

    @Test("a state starts with its last value there, whenever it is registered, even after a registration that throws")
    func now() async throws {
        let store = Relux.Store(configuration)
        try await store.register(Part<TagB>.counting(from: 1))
        await #expect(throws: Relux.StoreError.self) {
            try await store.register(Part<TagA>(states: [Counter<TagA>(), Counter<TagA>()]))
        }
        try await store.register(Part<TagA>.counting(from: 1))

        #expect(await store.count(of: TagA.self) == 7)
        #expect(await store.count(of: TagB.self) == 1)
    }

    @Test("the next registration starts with the initial value of the module")
    func secondRegistration() async throws {
        let store = try await Relux.Store(configuration) { Part<TagA>.counting(from: 1) }

        await store.unregister(Part<TagA>.self)
        try await store.register(Part<TagA>.counting(from: 2))

        #expect(await store.count(of: TagA.self) == 2)
    }
}

import Relux
import Testing

@Suite("Registering a list of modules", .timeLimit(.minutes(10)))
struct RegisterTests {
    @Test("a list is registered like the modules one by one, also by a saga")
    func list() async throws {
        let store = try await Relux.Store {
            WorkSaga { _, context in
                try await context.register(contentsOf: [Part<TagB>.counting(from: 2)])
            }.module()
        }
        let modules: [any Relux.Module] = [Part<TagA>.counting(from: 1), Part<TagC>.counting(from: 3)]

        try await store.register(contentsOf: modules)
        try await store.register(contentsOf: [])
        try await store.perform(Work())

        #expect(await store.count(of: TagA.self) == 1)
        #expect(await store.count(of: TagB.self) == 2)
        #expect(await store.count(of: TagC.self) == 3)
    }
}

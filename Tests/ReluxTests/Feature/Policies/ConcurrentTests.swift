import Relux
import Testing

@Suite("Law 9: the concurrent policy", .timeLimit(.minutes(10)))
struct ConcurrentTests {
    @Test("it is the default of sagas and flows")
    func isTheDefault() {
        #expect(DefaultSaga().policy(for: Work()) == .concurrent)
        #expect(AskFlow<TagA>().policy(for: Ask()) == .concurrent)
    }

    private struct DefaultSaga: Relux.Saga {
        func run(_ trigger: Work, in context: Relux.SagaContext) async throws {}
    }
}

import Testing

@testable import Relux

@Suite("Admission of timeouts", .timeLimit(.minutes(10)))
struct TimeoutAdmissionTests {
    @Test("a deadline that comes before the body is admitted ends it, and the body never starts")
    func deadlineFirst() async throws {
        let started = Trace<String>()
        let store = try await Relux.Store {}

        let summary = await store.inside { core in
            let completion = Completion(core)
            core.expire(completion)
            core.startTimed(completion, awaitedBy: 0, as: .outside) { _ in started.note("body") }
            return completion.summary
        }
        try await store.idle()

        #expect(summary?.isExpired == true)
        #expect(started.entries.isEmpty)
    }
}

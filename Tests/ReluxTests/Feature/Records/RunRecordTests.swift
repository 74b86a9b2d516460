import Relux
import Testing

@Suite("RunRecord", .timeLimit(.minutes(10)))
struct RunRecordTests {
    private func record(_ id: UInt64, _ saga: Any.Type = Log.self, trigger: Work? = nil) -> Relux.RunRecord {
        MadeRecord.run(id, of: saga, trigger: trigger)
    }

    @Test("records are equal if they are about the same run of the same saga, whatever triggered it")
    func equality() {
        #expect(record(1) == record(1, trigger: Work()))
        #expect(record(1) != record(2))
        #expect(record(1) != record(1, Chat.State.self))
        #expect(record(1) != record(2, Chat.State.self))
        #expect(record(1).hashValue == record(1, trigger: Work()).hashValue)
        #expect(Set((0..<8).map { record($0).hashValue }).count == 8)
    }
}

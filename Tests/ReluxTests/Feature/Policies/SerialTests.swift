import Relux
import Testing

@Suite("Law 9: the serial policy", .timeLimit(.minutes(10)))
struct SerialTests {
    @Test("a new trigger waits its turn, first in, first out")
    func firstInFirstOut() async throws {
        let jobs = try await JobStore(gated: ["0"])
        for number in 0..<20 { await jobs.dispatch("\(number)", .serial) }
        await jobs.arrival(of: "0")

        let logWhileBlocked = try await jobs.store.log()

        #expect(logWhileBlocked == ["0+"])
        #expect(try await jobs.finalLog() == (0..<20).flatMap { ["\($0)+", "\($0)-"] })
    }

    @Test("cancelling a queued run leaves the order of the others unchanged")
    func cancelledInTheQueue() async throws {
        let jobs = try await JobStore(gated: ["a"])
        await jobs.dispatch("a", .serial)
        await jobs.arrival(of: "a")
        let b = await jobs.performing("b", .serial)
        await jobs.dispatch("c", .serial)

        b.cancel()

        #expect(await b.value == .cancelled)
        #expect(try await jobs.finalLog() == ["a+", "cleaned up b", "a-", "c+", "c-"])
    }
}

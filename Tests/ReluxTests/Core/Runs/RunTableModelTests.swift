import ReluxTesting
import Testing

@testable import Relux

/// Performs random operations and checks the invariants after each of them.
@Suite("Run table: random sequences of operations")
struct RunTableModelTests {
    private static var seeds: Range<UInt64> {
        // A pure value has no races to find, and the thread sanitizer makes this ten times slower.
        #if RELUX_TSAN
            0..<4
        #else
            0..<40
        #endif
    }

    @Test("keeps all invariants", arguments: seeds)
    func invariants(seed: UInt64) {
        var model = RunTableModel(seed: seed)

        for number in 0..<200 {
            model.step()
            model.check()
            if number.isMultiple(of: 10) { model.checkCycles() }
        }
        model.endEverything()

        #expect(model.table.runs.isEmpty)
        #expect(model.table.joined.isEmpty)
        #expect(model.table.groups.isEmpty)
        #expect(model.table.lanes.isEmpty)
        #expect(model.table.triggersOfSagas.isEmpty)
        #expect(model.table.triggersOfLanes.isEmpty)
        #expect(model.table.busyCount == 0)
        #expect(model.table.idlers.isEmpty)
        #expect(model.groups.isEmpty)
        #expect(model.gone.count == Int(model.lastRun))
    }
}

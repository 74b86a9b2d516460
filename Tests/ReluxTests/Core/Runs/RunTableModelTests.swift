import TestFixtures
import Testing

@testable import Relux

/// Performs random operations and checks the invariants after each of them.
@Suite("Run table: random sequences of operations", .timeLimit(.minutes(10)))
struct RunTableModelTests {
    @Test("keeps all invariants", arguments: seeds(40))
    func invariants(seed: UInt64) {
        var model = RunTableModel(seed: seed)

        for number in 0..<200 {
            model.step()
            model.check()
            if number.isMultiple(of: 10) { model.checkCycles() }
        }
        model.endEverything()

        #expect(model.table.isEmpty)
        #expect(model.table.isIdle)
        #expect(model.table.idlers.isEmpty)
        #expect(model.sagas.values.allSatisfy { $0.triggers.isEmpty && $0.triggersByID.isEmpty })
        #expect((model.sagas.values.map(\.lane) + Core.lanes(of: model.table)).allSatisfy { $0.isUnused })
        #expect(model.groups.isEmpty)
        #expect(model.gone.count == Int(model.lastRun))
    }
}

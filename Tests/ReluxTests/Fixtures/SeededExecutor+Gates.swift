import ReluxTesting
import TestFixtures

extension SeededExecutor {
    /// Opens a gate, and returns when nothing on the executor can run.
    func rest(opening gate: Gate) async {
        gate.open()
        await rest()
    }
}

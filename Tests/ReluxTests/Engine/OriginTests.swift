import Testing

@testable import Relux

@Suite("Origin")
struct OriginTests {
    // Otherwise, the waits of a call on nobody's behalf would count as those of a run.
    @Test("a call on nobody's behalf belongs to no run")
    func nobody() {
        #expect(Origin.outside.run == 0)
        #expect(Origin(in: nil).run == 0)
        #expect(Origin(taskOf: .none, in: nil).run == 0)
        #expect(Origin(in: nil).handle == nil)
    }
}

import Relux
import Testing

@Suite("Effect errors", .timeLimit(.minutes(10)))
struct EffectErrorTests {
    @Test(
        "outcomes are no failures",
        arguments: [
            Relux.EffectError.superseded, .dropped, .cancelled, .failed(CancellationError()),
            .failed(Relux.EffectError.superseded), .failed(Relux.EffectError.failed(Relux.EffectError.dropped)),
        ])
    func outcomes(error: Relux.EffectError) {
        #expect(error.failure == nil)
    }

    @Test(
        "a failure is the error that the saga threw, however deep",
        arguments: [Relux.EffectError.failed(TestFailure()), .failed(Relux.EffectError.failed(TestFailure()))])
    func failures(error: Relux.EffectError) {
        #expect(error.failure is TestFailure)
    }

    @Test("a mistake of the program is a failure", arguments: [Relux.EffectError.unhandled, .storeShutDown])
    func mistakes(error: Relux.EffectError) {
        #expect(error.failure is Relux.EffectError)
    }

    @Test("any error becomes what a caller of perform receives")
    func wrapping() {
        #expect(Ending(Relux.EffectError(TestFailure())) == .failed(TestFailure()))
        #expect(Ending(Relux.EffectError(Relux.EffectError.superseded)) == .superseded)
        #expect(Ending(Relux.EffectError(Relux.EffectError.failed(Relux.EffectError.dropped))) == .dropped)
        #expect(Relux.EffectError(CancellationError()).failure == nil)
    }
}

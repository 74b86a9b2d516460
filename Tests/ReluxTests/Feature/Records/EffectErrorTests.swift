import Relux
import Testing

@Suite("Effect errors", .timeLimit(.minutes(10)))
struct EffectErrorTests {
    @Test(
        "a failure is what a saga threw, however deep, or a mistake of the program; outcomes are none",
        arguments: [
            (.superseded, nil), (.dropped, nil), (.cancelled, nil), (.failed(CancellationError()), nil),
            (.failed(Relux.EffectError.superseded), nil),
            (.failed(Relux.EffectError.failed(Relux.EffectError.dropped)), nil),
            (.failed(TestFailure()), .threw(TestFailure())),
            (.failed(Relux.EffectError.failed(TestFailure())), .threw(TestFailure())),
            (.unhandled, .unhandled), (.storeShutDown, .storeShutDown),
        ] as [(Relux.EffectError, Ending?)])
    func failures(error: Relux.EffectError, failure: Ending?) {
        #expect(error.failure.map { Ending($0) } == failure)
    }

    @Test("any error becomes what a caller of perform receives")
    func wrapping() {
        #expect(Ending(Relux.EffectError(TestFailure())) == .failed(TestFailure()))
        #expect(Ending(Relux.EffectError(Relux.EffectError.superseded)) == .superseded)
        #expect(Ending(Relux.EffectError(Relux.EffectError.failed(Relux.EffectError.dropped))) == .dropped)
        #expect(Relux.EffectError(CancellationError()).failure == nil)
    }
}

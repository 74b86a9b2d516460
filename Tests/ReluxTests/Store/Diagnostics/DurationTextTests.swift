import Relux
import Testing

@Suite("Duration as text", .timeLimit(.minutes(10)))
struct DurationTextTests {
    @Test(
        "a duration is an exact decimal without trailing zeros, with a smaller unit below a millisecond, and a sign",
        arguments: [
            (.seconds(16_180), "16180 s"), (.milliseconds(250), "0.25 s"), (.milliseconds(1500), "1.5 s"),
            (.zero, "0 s"), (.seconds(1), "1 s"), (.seconds(100), "100 s"), (.milliseconds(1), "0.001 s"),
            (.nanoseconds(12_345_678_901), "12.345678901 s"), (.milliseconds(16_180_001), "16180.001 s"),
            (Duration(secondsComponent: 1, attosecondsComponent: 1), "1.000000000000000001 s"),
            (.microseconds(999), "999 µs"), (.microseconds(1), "1 µs"), (.nanoseconds(1500), "1.5 µs"),
            (.nanoseconds(999), "999 ns"), (.nanoseconds(1), "1 ns"),
            (Duration(secondsComponent: 0, attosecondsComponent: 1), "0.000000001 ns"),
            (.seconds(-3), "-3 s"), (.milliseconds(-1500), "-1.5 s"), (.milliseconds(-250), "-0.25 s"),
            (.nanoseconds(-5), "-5 ns"),
            (Duration(secondsComponent: -1, attosecondsComponent: -1), "-1.000000000000000001 s"),
            (Duration(attoseconds: .max), "170141183460469231731.687303715884105727 s"),
            (Duration(attoseconds: .min), "-170141183460469231731.687303715884105728 s"),
            (.seconds(Int64.max), "9223372036854775807 s"),
        ] as [(Duration, String)]
    )
    func texts(duration: Duration, text: String) {
        #expect(duration.decimalText == text)
    }
}

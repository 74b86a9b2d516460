/// How many seeds a simulation tries: the thread sanitizer slows it down, and finds in few what it finds in many.
func seeds(_ count: UInt64) -> Range<UInt64> {
    #if RELUX_TSAN
        0..<count / 5
    #else
        0..<count
    #endif
}

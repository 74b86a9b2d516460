/// The number of seeds for a simulation. There are fewer with the thread sanitizer, which is slow but finds the same
/// races with few seeds.
func seeds(_ count: UInt64) -> Range<UInt64> {
    #if RELUX_TSAN
        0..<count / 5
    #else
        0..<count
    #endif
}

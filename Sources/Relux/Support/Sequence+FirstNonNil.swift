extension Sequence {
    /// The first result that isn't nil.
    @inline(__always)
    func firstNonNil<Result>(_ body: (Element) -> Result?) -> Result? {
        for element in self {
            if let result = body(element) { return result }
        }
        return nil
    }
}

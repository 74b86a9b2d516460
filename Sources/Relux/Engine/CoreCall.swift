/// A call into the core that leaves its result behind.
///
/// An object, because the compiler copies the whole way into the core for each closure that is passed along it. Calls
/// that are too frequent for an allocation use ``Core/enterInline(as:isInRun:_:)``.
// @unchecked Sendable: the core makes the call once, and the caller reads the result after that.
class AnyCoreCall: @unchecked Sendable {
    func make(in core: isolated Core, as origin: Origin) {}
}

// @unchecked Sendable: as above.
final class CoreCall<Output: Sendable>: AnyCoreCall, @unchecked Sendable {
    private let body: @Sendable (isolated Core, Origin) -> Output
    /// Set when the call has been made.
    private(set) var output: Output!

    init(_ body: @escaping @Sendable (isolated Core, Origin) -> Output) {
        self.body = body
    }

    override func make(in core: isolated Core, as origin: Origin) { output = body(core, origin) }
}

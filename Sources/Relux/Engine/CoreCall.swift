/// A call into the core that leaves its result behind.
///
/// An object, because the compiler copies the whole way into the core for each closure that is passed along it. Calls
/// that are too frequent for an allocation use ``Core/enterInline(as:isInRun:_:)``.
final class CoreCall: Sendable {
    let body: @Sendable (isolated Core, Origin) -> Void

    init(_ body: @escaping @Sendable (isolated Core, Origin) -> Void) {
        self.body = body
    }
}

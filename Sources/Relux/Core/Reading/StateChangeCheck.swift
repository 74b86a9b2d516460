/// Decides after a touch whether what a reader selected has changed. Used inside the store.
// The condition is a closure that receives the check and captures nothing. It is created in the caller's code, where
// the types are known, and reads both values in place.
@usableFromInline
final class StateChangeCheck: Sendable {
    /// - Parameters:
    ///   - cell: The state that was touched.
    ///   - check: This check.
    @usableFromInline typealias Condition = @Sendable (_ cell: AnyStateCell, _ check: StateChangeCheck) -> Bool

    let isMet: Condition
    /// What the condition compares with.
    @usableFromInline let last: any AnyObject & Sendable

    init(_ last: any AnyObject & Sendable, _ isMet: @escaping Condition) {
        self.last = last
        self.isMet = isMet
    }
}

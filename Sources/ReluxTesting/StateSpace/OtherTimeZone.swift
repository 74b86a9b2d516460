import Foundation
import Relux

/// Time zones in which the local date is never the same: they are 26 hours apart.
enum OtherTimeZone {
    private static let all = [14, -12].compactMap { TimeZone(secondsFromGMT: $0 * 3_600) }
    // Not of a value without a size: to the thread sanitizer, that has the address of the lock's own header.
    private static let turn = Lock(false)

    /// Executes a closure while the default time zone of the process is one of these. One such closure at a time.
    ///
    /// - Parameter number: Chooses the zone; nil for the present one.
    static func with<Result>(_ number: Int?, _ body: () -> Result) -> Result {
        guard let number else { return body() }
        // nonisolated(unsafe), twice: used only on this thread, inside the critical section.
        nonisolated(unsafe) let body = body
        nonisolated(unsafe) var result: Result?
        turn.withLock { _ in
            let usual = NSTimeZone.default
            NSTimeZone.default = all[number % all.count]
            result = body()
            NSTimeZone.default = usual
        }
        guard let result else { preconditionFailure("The closure is called once.") }
        return result
    }
}

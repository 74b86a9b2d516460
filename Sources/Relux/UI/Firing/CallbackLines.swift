/// Calls that begin one at a time and in order, with a separate line for each key.
///
/// A line exists only while one of its calls is beginning, so an idle line costs nothing.
struct CallbackLines<Key: Hashable, Call> {
    /// The calls that wait behind the one that is beginning, by line.
    private var waiting: [Key: ArrivalList<Call>] = [:]

    /// Whether no call of the line is beginning or waiting.
    func isIdle(_ line: Key) -> Bool { waiting[line] == nil }

    /// Adds a call to a line.
    ///
    /// - Returns: The call, if it may begin immediately.
    mutating func enter(_ call: Call, _ line: Key) -> Call? {
        guard isIdle(line) else {
            waiting[line]?.append(call)
            return nil
        }
        waiting[line] = ArrivalList()
        return call
    }

    /// Notes that the first call of a line has begun.
    ///
    /// - Returns: The call that may begin next.
    mutating func advance(_ line: Key) -> Call? {
        if let next = waiting[line]?.popFirst() { return next }
        waiting[line] = nil
        return nil
    }
}

/// Decides whether one reader of a sequence of changes has seen something before. A pure value.
struct ChangesReader {
    /// Whether anything has been looked at.
    var hasLooked: Bool { seen != nil || failure != nil }

    /// The newest revision seen, or nil until the value could be read.
    private var seen: Int?
    /// The last failure reported, until the value can be read again.
    private var failure: StorageError?

    /// Whether a revision is news. The first one isn't, unless a call of the service has returned another one before.
    mutating func isNews(_ revision: Int, given: Int?) -> Bool {
        defer { (seen, failure) = (revision, nil) }
        if failure != nil { return true }
        guard let known = given.map({ max($0, seen ?? $0) }) ?? seen else { return false }
        return revision > known
    }

    /// Whether a failure is news. The same failure is found at every look.
    mutating func isNews(_ failure: StorageError) -> Bool {
        defer { self.failure = failure }
        return self.failure != failure
    }
}

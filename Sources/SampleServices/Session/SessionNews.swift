/// Decides whether one reader of the session has seen something before. A pure value.
struct SessionNews {
    /// The newest revision seen, or nil until the file could be read.
    private var seen: Int?
    /// The last failure reported, until the file can be read again.
    private var failure: ProfileServiceError?

    /// Whether a revision is news. The first one isn't, unless a call of the service has returned another one before.
    mutating func isNews(_ revision: Int, given: Int?) -> Bool {
        defer { (seen, failure) = (revision, nil) }
        if failure != nil { return true }
        guard let known = given.map({ max($0, seen ?? $0) }) ?? seen else { return false }
        return revision > known
    }

    /// Whether a failure is news. One change of a folder causes several events.
    mutating func isNews(_ failure: ProfileServiceError) -> Bool {
        defer { self.failure = failure }
        return self.failure != failure
    }
}

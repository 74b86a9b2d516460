/// An id that counts what is asked of it.
struct CountingID: Hashable, Sendable {
    struct Count: Sendable {
        let hashes = RelaxedCounter()
        let comparisons = RelaxedCounter()

        /// How often ids were hashed or compared.
        var questions: Int { hashes.count + comparisons.count }
    }

    let number: Int
    let count: Count

    static func == (lhs: CountingID, rhs: CountingID) -> Bool {
        lhs.count.comparisons.increment()
        return lhs.number == rhs.number
    }

    func hash(into hasher: inout Hasher) {
        count.hashes.increment()
        hasher.combine(number)
    }
}

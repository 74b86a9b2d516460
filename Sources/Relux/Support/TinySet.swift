/// A set of serial numbers with inline storage for one, because most of these sets have at most one member.
struct TinySet: Sendable, Equatable {
    /// The only member; 0 if there is none or more than one.
    private var lone: UInt64 = 0
    /// The members, if there is more than one or has been since the set was last empty.
    private var many: Set<UInt64> = []

    var isEmpty: Bool { lone == 0 && many.isEmpty }

    var count: Int { lone == 0 ? many.count : 1 }

    /// The members in ascending order. O(n log n).
    // inline(never): this would otherwise be copied to each of its calls, and it allocates anyway.
    @inline(never)
    var sorted: [UInt64] {
        if lone != 0 { return [lone] }
        return many.isEmpty ? [] : ascending(Array(many))
    }

    /// Calls a closure with each member, in ascending order. O(n log n).
    @inline(__always)
    func forEach(_ body: (UInt64) -> Void) {
        if lone != 0 {
            body(lone)
        } else if !many.isEmpty {
            sorted.forEach(body)
        }
    }

    /// Inserts a number other than 0.
    mutating func insert(_ number: UInt64) {
        if isEmpty {
            lone = number
        } else if lone != number {
            if lone != 0 { many.insert(lone) }
            lone = 0
            many.insert(number)
        }
    }

    mutating func remove(_ number: UInt64) {
        if lone == number {
            lone = 0
        } else if !many.isEmpty {
            many.remove(number)
        }
    }

    static func == (lhs: TinySet, rhs: TinySet) -> Bool { lhs.sorted == rhs.sorted }
}

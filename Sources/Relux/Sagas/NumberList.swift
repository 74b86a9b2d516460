/// A list of numbers other than 0, with room for one of them in place: most changes complete one group.
struct NumberList: Sendable, Equatable, Sequence, ExpressibleByArrayLiteral {
    /// 0 where there is none.
    private var first: UInt64 = 0
    private var rest: [UInt64] = []

    init() {}

    init(arrayLiteral numbers: UInt64...) {
        for number in numbers { append(number) }
    }

    mutating func append(_ number: UInt64) {
        if first == 0 {
            first = number
        } else {
            rest.append(number)
        }
    }

    /// Calls a closure with each number, in their order.
    @inline(__always)
    func forEach(_ body: (UInt64) -> Void) {
        guard first != 0 else { return }
        body(first)
        if !rest.isEmpty { rest.forEach(body) }
    }

    func makeIterator() -> Iterator { Iterator(first: first, rest: rest[...]) }

    struct Iterator: IteratorProtocol {
        fileprivate var first: UInt64
        fileprivate var rest: ArraySlice<UInt64>

        mutating func next() -> UInt64? {
            guard first == 0 else {
                defer { first = 0 }
                return first
            }
            return rest.popFirst()
        }
    }
}

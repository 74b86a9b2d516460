/// A list of numbers other than 0, with room for one of them in place: most changes complete one group.
struct NumberList: Sendable, Equatable, ExpressibleByArrayLiteral {
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
}

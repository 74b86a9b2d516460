/// A list with inline storage for its first element, because most of these lists have at most one.
struct TinyList<Element> {
    private var first: Element?
    private var rest: [Element] = []

    init() {}

    var isEmpty: Bool { first == nil }

    var elements: [Element] { first.map { [$0] + rest } ?? [] }

    mutating func append(_ element: Element) {
        if first == nil {
            first = element
        } else {
            rest.append(element)
        }
    }

    /// Calls a closure with each element, in order.
    @inline(__always)
    func forEach(_ body: (Element) -> Void) {
        guard let first else { return }
        body(first)
        if !rest.isEmpty { rest.forEach(body) }
    }
}

extension TinyList: Sendable where Element: Sendable {}

/// A list with inline storage for its first element, because most of these lists have at most one.
struct TinyList<Element> {
    private var first: Element?
    private var rest: [Element] = []

    init() {}

    var isEmpty: Bool { first == nil }

    var count: Int { first == nil ? 0 : rest.count + 1 }

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

extension TinyList where Element: Equatable {
    func contains(_ element: Element) -> Bool { first == element || rest.contains(element) }

    /// Removes an element wherever it occurs.
    mutating func remove(_ element: Element) {
        if !rest.isEmpty { rest.removeAll { $0 == element } }
        if first == element { first = rest.isEmpty ? nil : rest.removeFirst() }
    }
}

extension TinyList: Sendable where Element: Sendable {}

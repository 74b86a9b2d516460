/// The last elements of a sequence of unknown length.
struct Ring<Element> {
    let capacity: Int
    private var elements: [Element] = []
    private var start = 0
    /// The number of elements that were dropped.
    private(set) var dropped = 0

    /// - Parameter capacity: At least 1.
    init(capacity: Int) {
        self.capacity = max(capacity, 1)
    }

    var count: Int { elements.count }
    /// Whether the next element takes the place of another.
    var isFull: Bool { count == capacity }

    /// - Returns: The element that is dropped for the new one.
    @discardableResult
    mutating func append(_ element: Element) -> Element? {
        guard elements.count == capacity else {
            elements.append(element)
            return nil
        }
        var previous = element
        swap(&elements[start], &previous)
        start += 1
        if start == capacity { start = 0 }
        dropped += 1
        return previous
    }

    var last: Element? { elements.isEmpty ? nil : self[count - 1] }

    /// The element with an index, counted from the oldest.
    subscript(index: Int) -> Element {
        get { elements[(start + index) % elements.count] }
        set { elements[(start + index) % elements.count] = newValue }
    }

    /// The elements, the oldest first.
    var inOrder: [Element] { Array(elements[start...] + elements[..<start]) }
}

extension Ring: Sendable where Element: Sendable {}

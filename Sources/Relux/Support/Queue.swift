/// A first-in, first-out queue on one array.
///
/// Both ends cost O(1), amortised: consumed elements are cut off once they make up half of the storage.
struct Queue<Element> {
    private var storage: [Element?] = []
    private var head = 0

    var count: Int { storage.count - head }

    var isEmpty: Bool { head == storage.count }

    var first: Element? { isEmpty ? nil : storage[head] }

    mutating func append(_ element: Element) {
        storage.append(element)
    }

    mutating func popFirst() -> Element? {
        guard head < storage.count else { return nil }
        let element = storage[head]
        storage[head] = nil
        head += 1
        if head == storage.count {
            storage.removeAll(keepingCapacity: head <= 64)
            head = 0
        } else if head >= 32, head * 2 >= storage.count {
            storage.removeFirst(head)
            head = 0
        }
        return element
    }

    /// The elements, first to last. O(n).
    var elements: [Element] { storage[head...].compactMap { $0 } }
}

extension Queue: Sendable where Element: Sendable {}

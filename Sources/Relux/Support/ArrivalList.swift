/// Elements in order of arrival: a queue, from which each can also be removed by the key that it got on arrival.
///
/// Keys ascend. A removed element leaves a gap, and the gaps are closed once they are the majority.
///
/// - Complexity: Appending, and taking the first element, are O(1), amortised. Finding an element by its key, and
///   removing it, are O(log *n*), amortised.
struct ArrivalList<Element>: Sequence {
    private typealias Entry = (key: UInt64, element: Element?)

    private var entries: [Entry] = []
    /// The index of the first element. Everything before it is a gap.
    private var head = 0
    private var lastKey: UInt64 = 0
    private(set) var count = 0

    var isEmpty: Bool { count == 0 }

    var first: Element? { isEmpty ? nil : entries[head].element }

    /// The key of the first element.
    var firstKey: UInt64? { isEmpty ? nil : entries[head].key }

    /// The elements, first to last. O(n).
    var elements: [Element] { entries[head...].compactMap { $0.element } }

    /// Goes through the elements that are there now, first to last.
    func makeIterator() -> some IteratorProtocol<Element> {
        entries[head...].lazy.compactMap { $0.element }.makeIterator()
    }

    /// Appends an element under the next key.
    ///
    /// - Returns: The key, which is never 0.
    @discardableResult
    mutating func append(_ element: Element) -> UInt64 {
        insert(element, as: lastKey + 1)
        return lastKey
    }

    /// Inserts an element under a key that no element has, in the order of the keys. O(n), unless the key is higher
    /// than all before, or was removed shortly before.
    mutating func insert(_ element: Element, as key: UInt64) {
        count += 1
        guard key <= lastKey else {
            lastKey = key
            return entries.append((key, element))
        }
        let index = index(of: key)
        if index < entries.count, entries[index].key == key {
            entries[index].element = element
        } else {
            entries.insert((key, element), at: index)
        }
    }

    @discardableResult
    mutating func remove(_ key: UInt64) -> Element? {
        let index = index(of: key)
        return index < entries.count && entries[index].key == key ? remove(at: index) : nil
    }

    mutating func popFirst() -> Element? { isEmpty ? nil : remove(at: head) }

    /// Removes everything, and returns it in order.
    mutating func removeAll() -> [Element] {
        defer { (entries, head, count) = ([], 0, 0) }
        return elements
    }

    /// The index of the first entry whose key isn't lower.
    private func index(of key: UInt64) -> Int {
        var (low, high) = (head, entries.count)
        while low < high {
            let middle = (low + high) / 2
            if entries[middle].key < key { low = middle + 1 } else { high = middle }
        }
        return low
    }

    private mutating func remove(at index: Int) -> Element? {
        guard let element = entries[index].element.take() else { return nil }
        count -= 1
        if isEmpty {
            entries.removeAll(keepingCapacity: entries.count <= 64)
            head = 0
        } else if entries.count > 32, entries.count > count * 2 {
            entries.removeAll { $0.element == nil }
            head = 0
        } else {
            while entries[head].element == nil { head += 1 }
        }
        return element
    }
}

extension ArrivalList: Sendable where Element: Sendable {}

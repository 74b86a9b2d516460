/// Elements in order of arrival: a queue, from which each can also be removed by the key that it got on arrival.
///
/// Keys ascend. A removed element leaves a gap, and the gaps are closed once they are the majority.
///
/// - Complexity: Appending, and taking the first element, are O(1), amortised. Finding an element by its key, and
///   removing it, are O(log *n*), amortised.
struct ArrivalList<Element> {
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

    /// Whether an element satisfies a predicate. They are asked first to last.
    func contains(where isWanted: (Element) -> Bool) -> Bool {
        entries[head...].contains { $0.element.map(isWanted) ?? false }
    }

    /// Calls a closure with the key of each element and the element, first to last.
    func forEach(_ body: (UInt64, Element) -> Void) {
        guard !isEmpty else { return }
        for index in head..<entries.count {
            if let element = entries[index].element { body(entries[index].key, element) }
        }
    }

    /// Appends an element under the next key.
    ///
    /// - Returns: The key, which is never 0.
    @discardableResult
    mutating func append(_ element: Element) -> UInt64 {
        append(element, as: lastKey + 1)
        return lastKey
    }

    /// Appends an element under a key that is higher than all before.
    mutating func append(_ element: Element, as key: UInt64) {
        entries.append((key, element))
        lastKey = key
        count += 1
    }

    /// Inserts an element under a key that no element has, in the order of the keys. O(n), unless the key is the
    /// highest.
    mutating func insert(_ element: Element, as key: UInt64) {
        guard key <= lastKey, !isEmpty else { return append(element, as: key) }
        let index = entries[head...].firstIndex { $0.key >= key } ?? entries.count
        if index < entries.count, entries[index].key == key {
            entries[index].element = element
        } else {
            entries.insert((key, element), at: index)
        }
        count += 1
    }

    subscript(key: UInt64) -> Element? { index(of: key).flatMap { entries[$0].element } }

    /// Replaces an element.
    ///
    /// - Returns: Whether it was there.
    mutating func replace(_ key: UInt64, with element: Element) -> Bool {
        guard let index = index(of: key) else { return false }
        entries[index].element = element
        return true
    }

    @discardableResult
    mutating func remove(_ key: UInt64) -> Element? {
        guard let index = index(of: key) else { return nil }
        return remove(at: index)
    }

    mutating func popFirst() -> Element? { isEmpty ? nil : remove(at: head) }

    /// Removes everything, and returns it in order.
    mutating func removeAll() -> [Element] {
        defer { (entries, head, count) = ([], 0, 0) }
        return elements
    }

    private func index(of key: UInt64) -> Int? {
        var (low, high) = (head, entries.count)
        while low < high {
            let middle = (low + high) / 2
            if entries[middle].key < key { low = middle + 1 } else { high = middle }
        }
        return low < entries.count && entries[low].key == key && entries[low].element != nil ? low : nil
    }

    private mutating func remove(at index: Int) -> Element? {
        let element = entries[index].element.take()
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

/// A dictionary by numbers that the library itself has given, such as those of runs and of types.
///
/// Open addressing with linear probing and multiplicative hashing. A look-up takes a tenth of the instructions of one
/// in a `Dictionary`, whose hash function also protects from keys that an attacker chooses.
///
/// - Complexity: O(1) for one element, amortised. ``values`` is O(n).
struct NumberMap<Value> {
    /// A power of two slots, of which at least a quarter are free, and at least an eighth used if there are more than
    /// 64; none as long as nothing was inserted. A free slot has the key 0.
    private var slots: [(key: UInt64, value: Value?)] = []
    private(set) var count = 0

    var isEmpty: Bool { count == 0 }

    /// All values, in no particular order.
    var values: [Value] { isEmpty ? [] : slots.compactMap(\.value) }

    /// - Parameter key: Not 0.
    subscript(key: UInt64) -> Value? {
        get {
            guard count != 0 else { return nil }
            let index = slot(of: key)
            return slots[index].key == key ? slots[index].value : nil
        }
        set {
            guard let newValue else { return _ = removeValue(forKey: key) }
            if (count + 1) * 4 > slots.count * 3 { resize(to: Swift.max(4, slots.count * 2)) }
            let index = slot(of: key)
            if slots[index].key == 0 { count += 1 }
            slots[index] = (key, newValue)
        }
    }

    @discardableResult
    mutating func removeValue(forKey key: UInt64) -> Value? {
        guard count != 0 else { return nil }
        var gap = slot(of: key)
        guard slots[gap].key == key else { return nil }
        let value = slots[gap].value.take()
        slots[gap].key = 0
        count -= 1
        // An element moves into the gap unless that would be before the slot where the search for it begins.
        let mask = slots.count - 1
        var next = (gap + 1) & mask
        while slots[next].key != 0 {
            if (next - home(of: slots[next].key)) & mask >= (next - gap) & mask {
                slots.swapAt(gap, next)
                gap = next
            }
            next = (next + 1) & mask
        }
        if slots.count > 64, count * 8 < slots.count { resize(to: slots.count / 2) }
        return value
    }

    private mutating func resize(to slotCount: Int) {
        let old = slots
        slots = Array(repeating: (0, nil), count: slotCount)
        for element in old where element.key != 0 { slots[slot(of: element.key)] = element }
    }

    /// The slot in which the search for a key begins.
    private func home(of key: UInt64) -> Int {
        // Fibonacci hashing (Knuth, The Art of Computer Programming, volume 3, 6.4): the upper half of the product.
        Int(truncatingIfNeeded: (key &* 0x9E37_79B9_7F4A_7C15) &>> 32) & (slots.count - 1)
    }

    /// The slot of a key, or the free one where it would be.
    private func slot(of key: UInt64) -> Int {
        var index = home(of: key)
        while slots[index].key != key, slots[index].key != 0 { index = (index + 1) & (slots.count - 1) }
        return index
    }
}

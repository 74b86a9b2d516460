/// Values by serial number: the numbers of runs and groups, the addresses of types.
///
/// A hash table with open addressing and linear probing (Knuth, The Art of Computer Programming 3, 6.4). The hash is
/// one multiplication, which spreads serial numbers and addresses evenly. Removal shifts the following values back, so
/// the table needs no tombstones. `Dictionary` hashes with SipHash, which protects against keys chosen by an attacker
/// and would cost a quarter of a dispatch; these keys are never chosen from outside. `Dictionary` also can't lend a
/// value in place: it copies the value out and retains everything in it.
///
/// The map is not copyable, so that it is never copied by accident.
///
/// - Complexity: Lookup, insertion, and removal are O(1), amortised. Everything else is O(n). The storage shrinks with
///   the number of values.
struct SerialMap<Value: ~Copyable>: ~Copyable {
    /// A key; 0 marks a free slot.
    private typealias Key = UInt64

    private static var smallestCapacity: Int { 4 }

    // Both buffers have `capacity` slots, and are nil if that is 0. They share one allocation, which starts with the
    // keys. A value is initialised if its key isn't 0. At most three quarters of the slots are in use, so that every
    // probe reaches a free one.
    private var keyBuffer: UnsafeMutablePointer<Key>?
    private var valueBuffer: UnsafeMutablePointer<Value>?
    /// 0 or a power of two.
    private(set) var capacity = 0
    /// 64 minus the exponent of the capacity.
    private var shift: UInt64 = 64
    private(set) var count = 0

    init() {}

    deinit {
        for slot in 0..<capacity where keyBuffer?[slot] != 0 {
            // unsafelyUnwrapped: a capacity above 0 means that there are buffers.
            (valueBuffer.unsafelyUnwrapped + slot).deinitialize(count: 1)
        }
        keyBuffer?.deallocate()
    }

    var isEmpty: Bool { count == 0 }

    /// Calls a closure with each value, in no particular order. The closure must not change the map.
    func forEach(_ body: (borrowing Value) -> Void) {
        guard let keyBuffer, let valueBuffer else { return }
        for slot in 0..<capacity where keyBuffer[slot] != 0 { body(valueBuffer[slot]) }
    }

    /// The keys in ascending order.
    var keys: [UInt64] { keys { _ in true } }

    /// The keys of the values that match, in ascending order.
    func keys(where matches: (borrowing Value) -> Bool) -> [UInt64] {
        guard let keyBuffer, let valueBuffer else { return [] }
        var keys: [UInt64] = []
        for slot in 0..<capacity where keyBuffer[slot] != 0 && matches(valueBuffer[slot]) {
            keys.append(keyBuffer[slot])
        }
        return ascending(keys)
    }

    func contains(_ key: UInt64) -> Bool { slot(of: key) != nil }

    /// Stores a value, replacing the key's previous one. The key must not be 0.
    mutating func set(_ key: UInt64, to value: consuming Value) {
        if let slot = slot(of: key) {
            // unsafelyUnwrapped: there is a slot, so there are buffers.
            valueBuffer.unsafelyUnwrapped[slot] = value
        } else {
            insert(key, value)
        }
    }

    /// The address of a value, to read or change it in place.
    ///
    /// Valid for one statement: the next insertion or removal may move the value. Never store it.
    @inline(__always)
    // unsafe pointer: the only way to lend a stored value without copying it. No caller keeps it.
    func at(_ key: UInt64) -> UnsafeMutablePointer<Value>? {
        // unsafelyUnwrapped: there is a slot, so there are buffers.
        slot(of: key).map { valueBuffer.unsafelyUnwrapped + $0 }
    }

    /// Removes a value and returns it.
    @discardableResult
    mutating func remove(_ key: UInt64) -> Value? {
        guard let slot = slot(of: key) else { return nil }
        // unsafelyUnwrapped: there is a slot, so there are buffers. The value is moved out before the slot is closed.
        // If its deinitialiser comes back here, it finds a complete map.
        let value = (valueBuffer.unsafelyUnwrapped + slot).move()
        close(slot)
        if capacity > Self.smallestCapacity, count * 8 < capacity { resize(to: capacity / 2) }
        return value
    }

    mutating func removeAll() {
        self = SerialMap()
    }

    @inline(__always)
    private func slot(of key: UInt64) -> Int? {
        guard let keyBuffer, key != 0 else { return nil }
        var slot = home(of: key)
        while true {
            let found = keyBuffer[slot]
            if found == key { return slot }
            if found == 0 { return nil }
            slot = (slot &+ 1) & (capacity &- 1)
        }
    }

    /// The slot where probing for a key starts: the upper bits of its product with 2⁶⁴ divided by the golden ratio.
    @inline(__always)
    private func home(of key: UInt64) -> Int {
        Int(truncatingIfNeeded: (key &* 0x9E37_79B9_7F4A_7C15) &>> shift)
    }

    private mutating func insert(_ key: UInt64, _ value: consuming Value) {
        if (count + 1) * 4 > capacity * 3 { resize(to: max(Self.smallestCapacity, capacity * 2)) }
        let slot = freeSlot(for: key)
        // unsafelyUnwrapped: the line above has made room.
        keyBuffer.unsafelyUnwrapped[slot] = key
        (valueBuffer.unsafelyUnwrapped + slot).initialize(to: value)
        count += 1
    }

    private func freeSlot(for key: UInt64) -> Int {
        var slot = home(of: key)
        // unsafelyUnwrapped: called only if there is room.
        while keyBuffer.unsafelyUnwrapped[slot] != 0 { slot = (slot &+ 1) & (capacity &- 1) }
        return slot
    }

    private mutating func resize(to newCapacity: Int) {
        let old = (keys: keyBuffer, values: valueBuffer, capacity: capacity)
        capacity = newCapacity
        shift = UInt64(64 - newCapacity.trailingZeroBitCount)
        let keyBytes = newCapacity * MemoryLayout<Key>.stride
        // unsafe pointer: the values follow the keys, of which there are at least four, so that they are aligned.
        let buffer = UnsafeMutableRawPointer.allocate(
            byteCount: keyBytes + newCapacity * MemoryLayout<Value>.stride,
            alignment: max(MemoryLayout<Key>.alignment, MemoryLayout<Value>.alignment)
        )
        keyBuffer = buffer.bindMemory(to: Key.self, capacity: newCapacity)
        keyBuffer?.initialize(repeating: 0, count: newCapacity)
        valueBuffer = (buffer + keyBytes).bindMemory(to: Value.self, capacity: newCapacity)
        guard let oldKeys = old.keys, let oldValues = old.values else { return }
        for slot in 0..<old.capacity where oldKeys[slot] != 0 {
            let new = freeSlot(for: oldKeys[slot])
            // unsafelyUnwrapped: allocated above.
            keyBuffer.unsafelyUnwrapped[new] = oldKeys[slot]
            (valueBuffer.unsafelyUnwrapped + new).moveInitialize(from: oldValues + slot, count: 1)
        }
        oldKeys.deallocate()
    }

    /// Frees a slot whose value was moved out, and shifts back the values that probing would otherwise no longer find.
    private mutating func close(_ emptied: Int) {
        // unsafelyUnwrapped: a value was there, so there are buffers.
        let (keys, values) = (keyBuffer.unsafelyUnwrapped, valueBuffer.unsafelyUnwrapped)
        let mask = capacity &- 1
        var hole = emptied
        var slot = (hole &+ 1) & mask
        while keys[slot] != 0 {
            // A value may move into the hole unless its home lies behind the hole.
            if (slot &- home(of: keys[slot])) & mask >= (slot &- hole) & mask {
                keys[hole] = keys[slot]
                (values + hole).moveInitialize(from: values + slot, count: 1)
                hole = slot
            }
            slot = (slot &+ 1) & mask
        }
        keys[hole] = 0
        count &-= 1
    }
}

extension SerialMap {
    /// The values in ascending order of their keys.
    var values: [Value] { keys.compactMap { self[$0] } }

    /// A copy of a value.
    @inline(__always)
    subscript(key: UInt64) -> Value? { at(key)?.pointee }

    /// A copy of the value of a type.
    @inline(__always)
    subscript(type: ObjectIdentifier) -> Value? { self[UInt64(UInt(bitPattern: type))] }

    /// Stores a value, replacing the type's previous one.
    mutating func set(_ type: ObjectIdentifier, to value: consuming Value) {
        set(UInt64(UInt(bitPattern: type)), to: value)
    }

    /// Removes the value of a type and returns it.
    @discardableResult
    mutating func remove(_ type: ObjectIdentifier) -> Value? {
        remove(UInt64(UInt(bitPattern: type)))
    }
}

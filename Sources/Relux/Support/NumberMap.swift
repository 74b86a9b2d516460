/// Values by numbers that are unique and not 0: the serial numbers of runs, the addresses of types.
///
/// A hash table with open addressing and linear probing (Knuth, The Art of Computer Programming 3, 6.4). The hash is
/// one multiplication, which spreads serial numbers and addresses evenly; removing moves what follows back, so nothing
/// but values and free places is left. `Dictionary` hashes with SipHash, which guards against keys that an attacker
/// chooses and would be a quarter of a dispatch; nobody from outside chooses these. Nor does it let a value be looked
/// at where it is: it copies it out, and retains all that the value holds.
///
/// It can't be copied, so that nothing copies it by the way.
///
/// - Complexity: Finding, adding and removing are O(1), amortised; everything else is O(n).
struct NumberMap<Value>: ~Copyable {
    /// A number, which is 0 in a free place.
    private typealias Number = UInt64

    // Both have `size` places, or are nil where that is 0. A value is initialised where its number isn't 0. At most
    // three quarters of the places are taken, so that every search comes to a free one.
    private var numbers: UnsafeMutablePointer<Number>?
    private var values: UnsafeMutablePointer<Value>?
    /// 0, or a power of two.
    private var size = 0
    /// 64 less the exponent of the size.
    private var shift: UInt64 = 64
    private(set) var count = 0

    init() {}

    deinit {
        for place in 0..<size where numbers?[place] != 0 { (values.unsafelyUnwrapped + place).deinitialize(count: 1) }
        numbers?.deallocate()
        values?.deallocate()
    }

    var isEmpty: Bool { count == 0 }

    /// The numbers, in their order.
    var keys: [UInt64] { keys { _ in true } }

    /// The values, in the order of their numbers.
    var inOrder: [Value] { keys.compactMap { self[$0] } }

    /// The numbers of those values for which a condition holds, in their order.
    func keys(where isMeant: (borrowing Value) -> Bool) -> [UInt64] {
        guard let numbers, let values else { return [] }
        return (0..<size).filter { numbers[$0] != 0 && isMeant(values[$0]) }.map { numbers[$0] }.sorted()
    }

    func contains(_ number: UInt64) -> Bool { place(of: number) != nil }

    /// A copy of the value of a number.
    @inline(__always)
    subscript(number: UInt64) -> Value? { at(number)?.pointee }

    /// Puts a value in, in place of the one that the number had. The number must not be 0.
    mutating func set(_ number: UInt64, to value: consuming Value) {
        if let place = place(of: number) {
            values.unsafelyUnwrapped[place] = value
        } else {
            insert(number, value)
        }
    }

    /// Where the value of a number is, to look at it or change it there.
    ///
    /// Good for one statement: the next value that comes or goes may move this one. Never keep it.
    @inline(__always)
    func at(_ number: UInt64) -> UnsafeMutablePointer<Value>? {
        // unsafelyUnwrapped, here and below: where there is a place, there is storage.
        place(of: number).map { values.unsafelyUnwrapped + $0 }
    }

    /// Takes a value out, and gives it to the caller.
    mutating func take(_ number: UInt64) -> Value? {
        guard let place = place(of: number) else { return nil }
        let value = (values.unsafelyUnwrapped + place).move()
        close(place)
        return value
    }

    /// Takes a value out.
    mutating func remove(_ number: UInt64) {
        let value = take(number)
        // Its end comes after the place is closed: a deinitialiser that comes back finds nothing half done.
        withExtendedLifetime(value) {}
    }

    mutating func removeAll() {
        self = NumberMap()
    }

    @inline(__always)
    private func place(of number: UInt64) -> Int? {
        guard let numbers, number != 0 else { return nil }
        var place = home(of: number)
        while true {
            let found = numbers[place]
            if found == number { return place }
            if found == 0 { return nil }
            place = (place &+ 1) & (size &- 1)
        }
    }

    /// Where a number belongs: the upper bits of its product with 2⁶⁴ divided by the golden ratio.
    @inline(__always)
    private func home(of number: UInt64) -> Int {
        Int(truncatingIfNeeded: (number &* 0x9E37_79B9_7F4A_7C15) &>> shift)
    }

    private mutating func insert(_ number: UInt64, _ value: consuming Value) {
        if (count + 1) * 4 > size * 3 { grow() }
        let place = freePlace(for: number)
        numbers.unsafelyUnwrapped[place] = number
        (values.unsafelyUnwrapped + place).initialize(to: value)
        count += 1
    }

    private func freePlace(for number: UInt64) -> Int {
        var place = home(of: number)
        while numbers.unsafelyUnwrapped[place] != 0 { place = (place &+ 1) & (size &- 1) }
        return place
    }

    private mutating func grow() {
        let old = (numbers: numbers, values: values, size: size)
        size = max(8, size * 2)
        shift = UInt64(64 - size.trailingZeroBitCount)
        numbers = .allocate(capacity: size)
        numbers?.initialize(repeating: 0, count: size)
        values = .allocate(capacity: size)
        guard let oldNumbers = old.numbers, let oldValues = old.values else { return }
        for place in 0..<old.size where oldNumbers[place] != 0 {
            let new = freePlace(for: oldNumbers[place])
            numbers.unsafelyUnwrapped[new] = oldNumbers[place]
            (values.unsafelyUnwrapped + new).moveInitialize(from: oldValues + place, count: 1)
        }
        oldNumbers.deallocate()
        oldValues.deallocate()
    }

    /// Frees a place whose value is gone, and moves back those behind it that would be looked for there.
    private mutating func close(_ emptied: Int) {
        let (numbers, values) = (numbers.unsafelyUnwrapped, values.unsafelyUnwrapped)
        let mask = size &- 1
        var hole = emptied
        var place = (hole &+ 1) & mask
        while numbers[place] != 0 {
            // How far the number is from its home, against how far the hole is from here.
            if (place &- home(of: numbers[place])) & mask >= (place &- hole) & mask {
                numbers[hole] = numbers[place]
                (values + hole).moveInitialize(from: values + place, count: 1)
                hole = place
            }
            place = (place &+ 1) & mask
        }
        numbers[hole] = 0
        count &-= 1
    }
}

// @unchecked Sendable where the values are: it owns its storage alone, and only a mutating method writes to it.
extension NumberMap: @unchecked Sendable where Value: Sendable {}

extension NumberMap {
    /// A copy of the value of a type.
    @inline(__always)
    subscript(type: ObjectIdentifier) -> Value? { self[UInt64(UInt(bitPattern: type))] }

    /// Puts a value in, in place of the one that the type had.
    mutating func set(_ type: ObjectIdentifier, to value: consuming Value) {
        set(UInt64(UInt(bitPattern: type)), to: value)
    }

    /// Takes the value of a type out.
    mutating func remove(_ type: ObjectIdentifier) {
        remove(UInt64(UInt(bitPattern: type)))
    }
}

/// The decisions of one run, by which it can be repeated.
///
/// A decision of 0 is the plain one: the job that has waited longest, the shortest latency, no fault, the smallest
/// number. So is every decision beyond the end of the tape.
struct ScheduleTape: Sendable, Hashable {
    /// The seed that the scenario sees.
    var seed: UInt64

    /// For each step with an alternative, the index of the job that ran, or the number of jobs if time passed.
    var choices: [Int] = []

    /// The random numbers that the scenario drew.
    var draws: [UInt64] = []

    /// The number of decisions that are not plain.
    var unusual: Int {
        choices.count { $0 != 0 } + draws.count { $0 != 0 }
    }

    /// The same tape without the plain decisions at its end.
    var trimmed: ScheduleTape {
        var trimmed = self
        while trimmed.choices.last == 0 { trimmed.choices.removeLast() }
        while trimmed.draws.last == 0 { trimmed.draws.removeLast() }
        return trimmed
    }
}

// MARK: - Tokens

extension ScheduleTape {
    private static let digits = Array("abcdefghijklmnopqrstuvwxyz234567")
    private static let version: UInt64 = 1

    /// A short text from which the tape can be restored.
    var token: String {
        let tape = trimmed
        var bytes: [UInt8] = []
        bytes.append(number: Self.version)
        bytes.append(number: seed)
        bytes.append(sparse: tape.choices.map { UInt64($0) })
        // Shrinking leaves the high bits, so these are written first.
        bytes.append(sparse: tape.draws.map(\.bitReversed))
        return Self.text(of: bytes)
    }

    /// Restores a tape; nil if the text is not a token of this version.
    init?(token: String) {
        guard var bytes = Self.bytes(of: token)?[...], bytes.takeNumber() == Self.version,
            let seed = bytes.takeNumber(), let choices = bytes.takeSparse(), let draws = bytes.takeSparse(),
            bytes.allSatisfy({ $0 == 0 })
        else { return nil }
        self.init(seed: seed, choices: choices.map { Int(clamping: $0) }, draws: draws.map(\.bitReversed))
    }

    /// Base 32: five bits a digit, the highest first.
    private static func text(of bytes: [UInt8]) -> String {
        var text = ""
        var buffer: UInt32 = 0
        var count = 0
        for byte in bytes {
            buffer = buffer << 8 | UInt32(byte)
            count += 8
            while count >= 5 {
                count -= 5
                text.append(digits[Int(buffer >> UInt32(count)) & 31])
            }
        }
        if count > 0 { text.append(digits[Int(buffer << UInt32(5 - count)) & 31]) }
        return text
    }

    private static func bytes(of text: String) -> [UInt8]? {
        var bytes: [UInt8] = []
        var buffer: UInt32 = 0
        var count = 0
        for character in text {
            guard let digit = digits.firstIndex(of: character) else { return nil }
            buffer = buffer << 5 | UInt32(digit)
            count += 5
            if count >= 8 {
                count -= 8
                bytes.append(UInt8(truncatingIfNeeded: buffer >> UInt32(count)))
            }
        }
        return bytes
    }
}

extension [UInt8] {
    /// Appends a number in groups of seven bits, the lowest first.
    fileprivate mutating func append(number: UInt64) {
        var rest = number
        while rest > 0x7F {
            append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        append(UInt8(rest))
    }

    /// Appends the numbers that are not 0, each with its distance from the previous one.
    fileprivate mutating func append(sparse numbers: [UInt64]) {
        let indices = numbers.indices.filter { numbers[$0] != 0 }
        append(number: UInt64(indices.count))
        var last = -1
        for index in indices {
            append(number: UInt64(index - last))
            append(number: numbers[index])
            last = index
        }
    }
}

extension ArraySlice<UInt8> {
    fileprivate mutating func takeNumber() -> UInt64? {
        var number: UInt64 = 0
        var shift: UInt64 = 0
        while let byte = popFirst(), shift < 64 {
            number |= UInt64(byte & 0x7F) << shift
            if byte & 0x80 == 0 { return number }
            shift += 7
        }
        return nil
    }

    fileprivate mutating func takeSparse() -> [UInt64]? {
        guard let count = takeNumber(), count <= 1_000_000 else { return nil }
        var numbers: [UInt64] = []
        for _ in 0..<count {
            guard let distance = takeNumber(), distance > 0, distance <= 10_000_000, let number = takeNumber() else {
                return nil
            }
            numbers += repeatElement(0, count: Int(distance) - 1)
            numbers.append(number)
        }
        return numbers
    }
}

extension UInt64 {
    fileprivate var bitReversed: UInt64 {
        var rest = self
        var reversed: UInt64 = 0
        for _ in 0..<64 {
            reversed = reversed << 1 | rest & 1
            rest >>= 1
        }
        return reversed
    }
}

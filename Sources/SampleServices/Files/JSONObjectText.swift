import Foundation

/// The text of a JSON object whose members can be replaced one by one. The other members keep their text, including
/// those that this program doesn't know.
struct JSONObjectText: Sendable {
    private struct Member {
        /// The literal of the key, with its quotation marks.
        let literal: ArraySlice<UInt8>
        let key: String
        var value: ArraySlice<UInt8>
    }

    private var members: [Member] = []

    /// Parses the text of an object. The result is nil if the text is anything else.
    ///
    /// Only the structure is checked, which is enough for text that a decoder has accepted.
    ///
    /// - Complexity: O(*n*) in the number of bytes.
    init?(_ text: ArraySlice<UInt8>) {
        var scanner = Scanner(rest: text)
        guard scanner.skip(UInt8(ascii: "{")) else { return nil }
        if !scanner.skip(UInt8(ascii: "}")) {
            repeat {
                guard let literal = scanner.string(), scanner.skip(UInt8(ascii: ":")), let value = scanner.value(),
                    let key = try? JSONDecoder().decode(String.self, from: Data(literal))
                else { return nil }
                members.append(Member(literal: literal, key: key, value: value))
            } while scanner.skip(UInt8(ascii: ","))
            guard scanner.skip(UInt8(ascii: "}")) else { return nil }
        }
        guard scanner.isAtEnd else { return nil }
    }

    /// The keys in their order.
    var keys: [String] { members.map(\.key) }

    /// The JSON text of the value of a key. Setting it to nil removes the member, and a new member is added at the end.
    subscript(key: String) -> ArraySlice<UInt8>? {
        get { members.last { $0.key == key }?.value }
        set {
            guard let newValue else { return members.removeAll { $0.key == key } }
            guard let index = members.firstIndex(where: { $0.key == key }) else {
                return members.append(Member(literal: ArraySlice("\"\(key)\"".utf8), key: key, value: newValue))
            }
            members[index].value = newValue
            // A decoder is free to choose among members with the same key.
            let later = members[(index + 1)...].filter { $0.key != key }
            members.replaceSubrange((index + 1)..., with: later)
        }
    }

    /// Adds the members of another object, unless their keys are among those given.
    mutating func add(_ other: JSONObjectText, except keys: Set<String>) {
        members += other.members.filter { !keys.contains($0.key) }
    }

    /// The text with one member per line, sorted by key, as `JSONEncoder` formats it.
    var indented: [UInt8] {
        var text = Array("{\n".utf8)
        for (index, member) in members.sorted(by: { $0.key < $1.key }).enumerated() {
            text += (index == 0 ? "  " : ",\n  ").utf8
            text += member.literal
            text += " : ".utf8
            text += member.value
        }
        return text + Array("\n}".utf8)
    }

    /// The text on one line, without white space between the members.
    var line: [UInt8] {
        var line = [UInt8(ascii: "{")]
        for (index, member) in members.enumerated() {
            if index > 0 { line.append(UInt8(ascii: ",")) }
            line += member.literal
            line.append(UInt8(ascii: ":"))
            line += member.value
        }
        return line + [UInt8(ascii: "}")]
    }
}

/// Finds the ends of values in JSON text.
private struct Scanner {
    var rest: ArraySlice<UInt8>

    var isAtEnd: Bool {
        mutating get {
            skipSpace()
            return rest.isEmpty
        }
    }

    private mutating func skipSpace() {
        rest = rest.drop { $0.isBlank || $0 == UInt8(ascii: "\n") }
    }

    mutating func skip(_ byte: UInt8) -> Bool {
        skipSpace()
        guard rest.first == byte else { return false }
        rest.removeFirst()
        return true
    }

    mutating func string() -> ArraySlice<UInt8>? {
        skipSpace()
        let start = rest.startIndex
        guard rest.first == UInt8(ascii: "\"") else { return nil }
        var index = start + 1
        while index < rest.endIndex {
            switch rest[index] {
            case UInt8(ascii: "\\"): index += 2
            case UInt8(ascii: "\""):
                defer { rest = rest[(index + 1)...] }
                return rest[start...index]
            default: index += 1
            }
        }
        return nil
    }

    /// The next value: a string, an object or an array with all that it contains, or a single word.
    mutating func value() -> ArraySlice<UInt8>? {
        skipSpace()
        let all = rest
        var depth = 0
        repeat {
            skipSpace()
            switch rest.first {
            case UInt8(ascii: "\""): if string() == nil { return nil }
            case UInt8(ascii: "{"), UInt8(ascii: "["):
                depth += 1
                rest.removeFirst()
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                guard depth > 0 else { return nil }
                depth -= 1
                rest.removeFirst()
            case UInt8(ascii: ","), UInt8(ascii: ":"):
                guard depth > 0 else { return nil }
                rest.removeFirst()
            case nil: return nil
            default: rest = rest.drop { !$0.isBlank && !",:]}\n".utf8.contains($0) }
            }
        } while depth > 0
        return all[..<rest.startIndex]
    }
}

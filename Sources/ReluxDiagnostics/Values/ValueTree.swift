import Relux

/// A value as text, part by part, for traces, differences, and pages.
///
/// It is made through `Mirror`, so parts that a type hides from it, such as the value of a ``Relux/Relux/Redacted``,
/// stay hidden.
indirect enum ValueTree: Sendable, Hashable {
    /// A part of a value.
    struct Part: Sendable, Hashable {
        /// A field's name, an element's `[id]` or `[index]`, or a dictionary's `[key]`.
        let key: String
        let value: ValueTree
    }

    /// A value without parts.
    case leaf(String)
    /// A value with parts. The name is that of its type, `.case` for an enum, `[]` for elements,
    /// `[:]` for a dictionary, and empty for a tuple.
    case branch(String, [Part])

    /// The number of elements of a collection that are shown.
    static let elementLimit = 1_000
    /// The depth from which parts are shown as an ellipsis, and changed as a whole.
    static let depthLimit = 40

    /// - Parameter isInObject: Whether the value is a part of an object, so that objects in it have no parts.
    init(of value: Any, inObject isInObject: Bool = false) {
        self.init(of: value, inObject: isInObject, depth: 0)
    }

    private init(of value: Any, inObject isInObject: Bool, depth: Int) {
        guard depth < Self.depthLimit else {
            self = .leaf("…")
            return
        }
        func parts(_ list: [(key: String, value: Any)]) -> [Part] {
            let isInObject = isInObject || type(of: value) is AnyClass
            return list.map {
                Part(key: $0.key, value: ValueTree(of: $0.value, inObject: isInObject, depth: depth + 1))
            }
        }
        switch ValueShape(of: value, inObject: isInObject) {
        case .leaf(let text): self = .leaf(text)
        case .wrapped(let inner): self = ValueTree(of: inner, inObject: isInObject, depth: depth)
        case .fields(let name, let fields): self = .branch(name, parts(fields))
        case .elements(let name, let elements):
            var shown = parts(Array(elements.prefix(Self.elementLimit)))
            if elements.count > shown.count {
                shown.append(Part(key: "[…]", value: .leaf("(\(elements.count - shown.count) more)")))
            }
            self = .branch(name, shown)
        }
    }

    /// The value on one line.
    var text: String {
        switch self {
        case .leaf(let text): return text
        case .branch("[]", let parts):
            return "[" + parts.map(\.value.text).joined(separator: ", ") + "]"
        case .branch("[:]", let parts):
            let entries = parts.map { "\($0.key.dropFirst().dropLast()): \($0.value.text)" }
            return "[" + (entries.isEmpty ? ":" : entries.joined(separator: ", ")) + "]"
        case .branch(let name, let parts):
            let isCase = name.hasPrefix(".")
            return "\(name)("
                + parts.map { part in
                    let isUnnamed = part.key.first?.isNumber == true || (isCase && part.key == name.dropFirst())
                    return isUnnamed ? part.value.text : "\(part.key): \(part.value.text)"
                }
                .joined(separator: ", ") + ")"
        }
    }

    /// The part at a path; nil if there is none.
    subscript(path: some Collection<String>) -> ValueTree? {
        guard let key = path.first else { return self }
        guard case .branch(_, let parts) = self else { return nil }
        return parts.first { $0.key == key }?.value[path.dropFirst()]
    }

    /// The tree with the part at a path replaced.
    ///
    /// - Parameters:
    ///   - new: Nil to remove the part.
    ///   - previous: The key after which a new part is inserted; empty for the front, nil for the end.
    func replacing(_ path: some Collection<String>, with new: ValueTree?, after previous: String? = nil) -> ValueTree {
        guard let key = path.first else { return new ?? self }
        guard case .branch(let name, var parts) = self else { return self }
        let rest = path.dropFirst()
        if let index = parts.firstIndex(where: { $0.key == key }) {
            if rest.isEmpty, new == nil {
                parts.remove(at: index)
            } else {
                parts[index] = Part(key: key, value: parts[index].value.replacing(rest, with: new, after: previous))
            }
        } else if rest.isEmpty, let new {
            let index = previous.flatMap { previous in parts.firstIndex { $0.key == previous } }
            parts.insert(Part(key: key, value: new), at: previous == "" ? 0 : index.map { $0 + 1 } ?? parts.count)
        }
        return .branch(name, parts)
    }
}

/// A path of keys as text, such as `list[3].title`.
func pathText(_ path: some Sequence<String>) -> String {
    path.reduce(into: "") { text, key in text += key.hasPrefix("[") || text.isEmpty ? key : ".\(key)" }
}

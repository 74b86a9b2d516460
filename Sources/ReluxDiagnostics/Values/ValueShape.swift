import Relux

/// The structure of a value, as traces see it.
enum ValueShape {
    case leaf(String)
    /// An optional's or an erased value's content.
    case wrapped(Any)
    /// The stored properties of a struct, a class instance, or a tuple, or the payload of an enum's case.
    case fields(name: String, [(key: String, value: Any)])
    /// The elements of a collection (`[]`) or dictionary (`[:]`), with their keys in brackets.
    case elements(name: String, [(key: String, value: Any)])

    /// - Parameter isInObject: Whether the value is a part of an object. Objects in it are then leaves, because objects
    ///   may lead to each other without end, in any number of ways.
    init(of value: Any, inObject isInObject: Bool = false) {
        if type(of: value) is any Secret.Type || value is any Actor {
            self = .leaf(value is any Secret ? "<private>" : shortName(of: type(of: value)))
            return
        }
        if let text = value as? String {
            self = .leaf(text.debugDescription)
            return
        }
        if let erased = value as? AnyHashable, type(of: value) == AnyHashable.self {
            self = .wrapped(erased.base)
            return
        }
        if isInObject, type(of: value) is AnyClass {
            self = .leaf(Self.description(of: value))
            return
        }
        let isInObject = isInObject || type(of: value) is AnyClass
        let mirror = Mirror(reflecting: value)
        switch mirror.displayStyle {
        case .optional: self = mirror.children.first.map { .wrapped($0.value) } ?? .leaf("nil")
        case .collection: self = .elements(name: "[]", Self.elements(of: mirror, isInObject))
        case .set:
            let texts = mirror.children.map { ValueTree(of: $0.value, inObject: isInObject).text }.sorted()
            self = .leaf("{" + texts.joined(separator: ", ") + "}")
        case .dictionary:
            let entries = Self.entries(of: mirror, isInObject)
            if Set(entries.map(\.key)).count == entries.count {
                self = .elements(name: "[:]", entries)
            } else {
                // Different keys have the same text, so no path leads to one of them.
                let texts = entries.map { "\($0.key): \(ValueTree(of: $0.value, inObject: isInObject).text)" }.sorted()
                self = .leaf("{" + texts.joined(separator: ", ") + "}")
            }
        case .enum: self = Self.enumCase(value, mirror)
        case .tuple where mirror.children.isEmpty: self = .leaf("()")
        case .tuple: self = .fields(name: "", Self.fields(of: mirror))
        default:
            let name = TypeName(of: type(of: value))
            let fields = name.isSystem ? [] : Self.fields(of: mirror)
            self = fields.isEmpty ? .leaf(Self.description(of: value)) : .fields(name: name.short, fields)
        }
    }

    private static func description(of value: Any) -> String {
        if let function = value as? any CustomStringConvertible { return function.description }
        let mirror = Mirror(reflecting: value)
        return mirror.displayStyle == nil ? "\(value)" : "\(shortName(of: type(of: value)))()"
    }

    private static func enumCase(_ value: Any, _ mirror: Mirror) -> ValueShape {
        guard let payload = mirror.children.first, let name = payload.label else {
            // The name comes from the metadata, because a description can be any text.
            func name<E>(_ value: E) -> String? { caseName(of: value)?.text }
            return .leaf(".\(_openExistential(value, do: name) ?? "\(value)")")
        }
        let inner = Mirror(reflecting: payload.value)
        let fields = inner.displayStyle == .tuple ? fields(of: inner) : [(key: name, value: payload.value)]
        return .fields(name: ".\(name)", fields)
    }

    private static func fields(of mirror: Mirror) -> [(key: String, value: Any)] {
        let inherited = mirror.superclassMirror.map { fields(of: $0) } ?? []
        return inherited
            + mirror.children.enumerated().map { index, child in
                let label = child.label ?? "\(index)"
                return (label.hasPrefix(".") ? String(label.dropFirst()) : label, child.value)
            }
    }

    private static func elements(of mirror: Mirror, _ isInObject: Bool) -> [(key: String, value: Any)] {
        var seen: Set<String> = []
        let identified = mirror.children.map { child in
            (key: idKey(of: child.value, inObject: isInObject) ?? "[]", value: child.value)
        }
        // Ids that occur more than once identify nothing.
        if identified.allSatisfy({ $0.key != "[]" && seen.insert($0.key).inserted }) { return identified }
        return mirror.children.enumerated().map { ("[\($0)]", $1.value) }
    }

    /// The key of an element by its id; nil if it has none.
    static func idKey(of value: Any, inObject isInObject: Bool) -> String? {
        func text<I: Identifiable>(_ value: I) -> String { ValueTree(of: value.id, inObject: isInObject).text }
        guard !(type(of: value) is AnyClass), let value = value as? any Identifiable else { return nil }
        return "[\(text(value))]"
    }

    private static func entries(of mirror: Mirror, _ isInObject: Bool) -> [(key: String, value: Any)] {
        mirror.children.compactMap { child in
            let pair = Array(Mirror(reflecting: child.value).children)
            guard pair.count == 2 else { return nil }
            return ("[\(ValueTree(of: pair[0].value, inObject: isInObject).text)]", pair[1].value)
        }
        .sorted { $0.0 < $1.0 }
    }
}

/// Facts derived from the name of a type. Each is computed only once, because this takes long.
struct TypeName: Sendable {
    private static let known = Lock<[ObjectIdentifier: TypeName]>([:])

    let short: String
    /// Whether the type's parts are the implementation details of a standard module.
    let isSystem: Bool

    init(of type: Any.Type) {
        if let known = Self.known.withLock({ $0[ObjectIdentifier(type)] }) {
            self = known
            return
        }
        let name = String(reflecting: type)
        short = shortName(of: type)
        isSystem = name.hasPrefix("Swift.") || name.hasPrefix("Foundation") || name.hasPrefix("__C.")
        let made = self
        Self.known.withLock { $0[ObjectIdentifier(type)] = made }
    }
}

/// A value that must not appear in a trace.
protocol Secret {}

extension Relux.Redacted: Secret {}

/// Whether a value contains a redacted one that its mirror shows, at any depth and in any superclass.
///
/// A value with more parts than the limit counts as one that does, so that mirrors without an end have one.
///
/// - Complexity: O(*n*) in the number of parts. Objects are examined once.
func containsSecret(_ value: Any, partLimit: Int = 1_000_000) -> Bool {
    var rest = [value]
    // The objects are kept, so that none can take the address of another.
    var met: [ObjectIdentifier: AnyObject] = [:]
    var count = 0
    while let next = rest.popLast() {
        count += 1
        if next is any Secret || count > partLimit { return true }
        if type(of: next) is AnyClass {
            let object = next as AnyObject
            guard met.updateValue(object, forKey: ObjectIdentifier(object)) == nil else { continue }
        }
        var mirror: Mirror? = Mirror(reflecting: next)
        while let current = mirror {
            rest += current.children.map(\.value)
            mirror = current.superclassMirror
        }
    }
    return false
}

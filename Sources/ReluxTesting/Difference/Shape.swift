/// What a value looks like to the difference engine.
enum Shape {
    /// Has no parts that it shows.
    case leaf
    /// An optional without a value.
    case none
    /// An optional's value.
    case some(Any)
    /// A string of several lines.
    case lines([Substring])
    /// A struct, a class or a tuple (with an empty type name).
    case fields(type: String, [Part])
    /// A case of an enum, with its payload.
    case enumCase(name: String, [Part])
    case list(Mirror.Children)
    case set(Mirror.Children)
    case dictionary(Mirror.Children)

    struct Part {
        let label: String
        let value: Any
    }

    /// Looks at a value through its mirror, so a type that hides parts there keeps them hidden.
    ///
    /// Actors are leaves: their storage may change while it is being looked at. So are the structs and classes of the
    /// standard library and Foundation, whose parts are nobody's business.
    init(of value: Any) {
        if let erased = value as? AnyHashable, type(of: value) == AnyHashable.self {
            self = .some(erased.base)
            return
        }
        if let text = value as? String {
            self = text.utf8.contains(UInt8(ascii: "\n")) ? .lines(text.lines) : .leaf
            return
        }
        let mirror = Mirror(reflecting: value)
        switch mirror.displayStyle {
        case .optional: self = mirror.children.first.map { .some($0.value) } ?? .none
        case .collection: self = .list(mirror.children)
        case .set: self = .set(mirror.children)
        case .dictionary: self = .dictionary(mirror.children)
        case .enum: self = Self.enumCase(mirror)
        case .tuple: self = mirror.children.isEmpty ? .leaf : .fields(type: "", Self.parts(of: mirror))
        default: self = Self.structure(value, mirror)
        }
    }

    private static func enumCase(_ mirror: Mirror) -> Shape {
        guard let payload = mirror.children.first, let name = payload.label else { return .leaf }

        let inner = Mirror(reflecting: payload.value)
        let parts = inner.displayStyle == .tuple ? parts(of: inner) : [Part(label: "", value: payload.value)]
        return .enumCase(name: name, parts)
    }

    private static func structure(_ value: Any, _ mirror: Mirror) -> Shape {
        if value is any Actor || TypeName.isSystem(type(of: value)) { return .leaf }

        let parts = parts(of: mirror)
        return parts.isEmpty ? .leaf : .fields(type: TypeName.short(type(of: value)), parts)
    }

    private static func parts(of mirror: Mirror) -> [Part] {
        let inherited = mirror.superclassMirror.map(parts(of:)) ?? []
        return inherited
            + mirror.children.map { child in
                let label = child.label ?? ""
                return Part(label: label.hasPrefix(".") ? "" : label, value: child.value)
            }
    }
}

/// How a type is called in a difference.
enum TypeName {
    /// The name without its module: `Items.State`.
    static func short(_ type: Any.Type) -> String {
        let full = String(reflecting: type)
        guard !full.contains("<") else { return String(describing: type) }

        return components(of: full).dropFirst().joined(separator: ".")
    }

    /// Whether a type comes with the system.
    static func isSystem(_ type: Any.Type) -> Bool {
        let full = String(reflecting: type)
        return full.hasPrefix("Swift.") || full.hasPrefix("Foundation") || full.hasPrefix("__C.")
    }

    /// The parts between the dots, without the `(unknown context at …)` of private and local types.
    private static func components(of name: String) -> [Substring] {
        name.split(separator: ".").filter { !$0.hasPrefix("(") }
    }
}

/// Whether a mirrored value is an instance that can be met twice.
func identity(ofInstance value: Any) -> ObjectIdentifier? {
    guard type(of: value) is AnyClass else { return nil }
    return ObjectIdentifier(value as AnyObject)
}

extension StringProtocol {
    var lines: [SubSequence] { split(separator: "\n", omittingEmptySubsequences: false) }
}

import Relux

/// The structure of a value as the difference engine sees it.
enum Shape {
    /// A value without visible parts.
    case leaf
    /// An optional without a value.
    case none
    /// An optional with its value.
    case some(Any)
    /// A string of several lines.
    case lines([Substring])
    /// A struct, a class instance, or a tuple (whose type name is empty).
    case fields(type: String, [Part])
    /// An enum case with its payload.
    case enumCase(name: String, [Part])
    case list(Mirror.Children)
    case set(Mirror.Children)
    case dictionary(Mirror.Children)

    struct Part {
        let label: String
        let value: Any
    }

    /// Inspects a value through its mirror, so that parts that its type hides there stay hidden.
    ///
    /// Actors are leaves, because their storage may change during the inspection. The structs and classes of the
    /// standard library and Foundation are leaves too, because their parts are implementation details.
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

/// The names of types in a difference.
enum TypeName {
    /// Returns the name without its module, such as `Items.State`.
    static func short(_ type: Any.Type) -> String {
        shortName(of: type)
    }

    /// Whether a type belongs to the standard library, Foundation or an imported C or Objective-C module.
    static func isSystem(_ type: Any.Type) -> Bool {
        let full = String(reflecting: type)
        return full.hasPrefix("Swift.") || full.hasPrefix("Foundation") || full.hasPrefix("__C.")
    }
}

/// Returns the identity of a class instance, which may occur more than once; nil for other values.
func identity(ofInstance value: Any) -> ObjectIdentifier? {
    guard type(of: value) is AnyClass else { return nil }
    return ObjectIdentifier(value as AnyObject)
}

/// The instances that a walk through a value is inside of. It ends at a cycle of references.
struct InstancePath {
    private var instances: Set<ObjectIdentifier> = []

    /// - Returns: False if the walk is inside of this instance already.
    mutating func enter(_ value: Any) -> Bool {
        identity(ofInstance: value).map { instances.insert($0).inserted } ?? true
    }

    mutating func leave(_ value: Any) {
        if let identity = identity(ofInstance: value) { instances.remove(identity) }
    }
}

extension StringProtocol {
    var lines: [SubSequence] { split(separator: "\n", omittingEmptySubsequences: false) }
}

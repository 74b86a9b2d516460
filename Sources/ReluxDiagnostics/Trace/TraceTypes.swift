import Relux

/// The types of a trace's actions and states, with the names of their cases and properties.
struct TraceTypes: Sendable, Codable, Hashable {
    struct Entry: Sendable, Codable, Hashable {
        /// The type's name, without that of its module.
        let name: String
        /// The name by which the runtime finds the type; nil for types that it doesn't find, such as private ones.
        let runtimeName: String?
        let isState: Bool
        /// The names of an enum's cases, or of a struct's properties.
        let parts: [String]

        /// The type in this program; nil if there is none of that name.
        ///
        /// Names are ASCII. In anything else, the runtime would follow control characters as pointers, so a damaged
        /// name must not reach it.
        var type: Any.Type? {
            runtimeName.flatMap { name in
                name.utf8.allSatisfy { (0x21...0x7E).contains($0) } ? _typeByName(name) : nil
            }
        }
    }

    private var known: Set<ObjectIdentifier> = []
    private(set) var entries: [Entry] = []

    init() {}

    init(from decoder: any Decoder) throws {
        entries = try [Entry](from: decoder)
    }

    func encode(to encoder: any Encoder) throws {
        try entries.sorted { $0.name < $1.name }.encode(to: encoder)
    }

    mutating func add(action: any Relux.Action.Type) { add(action, isState: false) }

    mutating func add(state: any Relux.State.Type) { add(state, isState: true) }

    private mutating func add(_ type: Any.Type, isState: Bool) {
        guard known.insert(ObjectIdentifier(type)).inserted else { return }
        entries.append(Entry(type, isState: isState))
    }

    func entry(named name: String, isState: Bool) -> Entry? {
        entries.first { $0.name == name && $0.isState == isState }
    }

    /// How the types of this program differ from those that were recorded, one line each.
    ///
    /// A program that has none of the types can only show the trace, so nothing is compared.
    ///
    /// - Parameter types: Types that the program has in any case.
    func differences(knowing types: [Any.Type] = []) -> [String] {
        let named = Dictionary(types.map { (shortName(of: $0), $0) }, uniquingKeysWith: { $1 })
        let pairs = entries.map { ($0, named[$0.name] ?? $0.type) }
        guard pairs.contains(where: { $0.1 != nil }) else { return [] }
        return pairs.flatMap { entry, type -> [String] in
            guard let type else {
                return entry.runtimeName == nil ? [] : ["\(entry.name) doesn't exist here."]
            }
            let now = partNames(of: type)
            guard now != entry.parts, !now.isEmpty, !entry.parts.isEmpty else { return [] }
            let gone = entry.parts.filter { !now.contains($0) }.map { "\(entry.name).\($0) doesn't exist here." }
            let new = now.filter { !entry.parts.contains($0) }.map { "\(entry.name).\($0) is new here." }
            return gone + new
        }
    }
}

extension TraceTypes.Entry {
    init(_ type: Any.Type, isState: Bool) {
        let mangled = _mangledTypeName(type)
        self.init(
            name: shortName(of: type), runtimeName: mangled.flatMap { _typeByName($0) == type ? $0 : nil },
            isState: isState, parts: partNames(of: type)
        )
    }
}

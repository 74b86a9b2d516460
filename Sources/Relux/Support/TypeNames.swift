/// Returns a type's name without modules, as code in its own module writes it: `Notes.State`,
/// `Box<Notes.State>.Action`.
package func shortName(of type: Any.Type) -> String {
    let key = ObjectIdentifier(type)
    if let known = shortNames.withLock({ $0[key] }) { return known }
    let name = readableName(of: type, withModules: false)
    shortNames.withLock { $0[key] = name }
    return name
}

/// Those that were made before. Making one takes longer than starting a run.
private let shortNames = Lock<[ObjectIdentifier: String]>([:])

/// Returns a type's name with modules, without the addresses that private and local types have in the runtime's name.
func fullName(of type: Any.Type) -> String { readableName(of: type, withModules: true) }

private func readableName(of type: Any.Type, withModules: Bool) -> String {
    var rest = Substring(String(reflecting: type))
    var name = ""
    while let next = rest.first {
        if rest.hasPrefix("(extension in ") {
            rest = rest.drop { $0 != ":" }.dropFirst()
        } else if let path = rest.removeTypePath() {
            // The first part is the module, unless the path continues after generic arguments or has no other part.
            let isWhole = withModules || name.hasSuffix(".") || path.count == 1
            // A module whose main type has its name is named once.
            let isRepeated = path.count > 2 && path[0] == path[1]
            let parts = isWhole && !isRepeated ? path[...] : path.dropFirst()
            name += parts.filter { !$0.hasPrefix("(") }.joined(separator: ".")
        } else {
            name.append(next)
            rest.removeFirst()
        }
    }
    return name
}

extension Substring {
    /// Removes the leading names that dots separate, including the `(unknown context at …)` of private and local types.
    ///
    /// - Returns: The names; nil if there are none.
    fileprivate mutating func removeTypePath() -> [Substring]? {
        var path: [Substring] = []
        var rest = self
        while let part = rest.typePathPart {
            path.append(part)
            self = rest.dropFirst(part.count)
            guard first == "." else { break }
            rest = dropFirst()
        }
        return path.isEmpty ? nil : path
    }

    private var typePathPart: Substring? {
        if hasPrefix("(unknown context at "), let end = firstIndex(of: ")") { return self[...end] }
        let part = prefix { !" .,:<>()[]{}&@-?!*=".contains($0) }
        return part.isEmpty ? nil : part
    }
}

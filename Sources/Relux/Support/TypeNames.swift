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
    // The present path: names that dots separate.
    var (name, path) = ("", "")
    while let next = rest.popFirst() {
        if next == "(", rest.hasPrefix("extension in ") {
            rest = rest.drop { $0 != ":" }.dropFirst()
        } else if next == "(", rest.hasPrefix("unknown context at ") {
            // That of a private or local type.
            rest = rest.drop { $0 != ")" }.dropFirst(2)
        } else if " ,:<>()[]{}&@-?!*=".contains(next) {
            name += readable(path, withModules: withModules) + String(next)
            path = ""
        } else {
            path.append(next)
        }
    }
    return name + readable(path, withModules: withModules)
}

private func readable(_ path: String, withModules: Bool) -> String {
    let names = path.split(separator: ".", omittingEmptySubsequences: false)
    // A module whose main type has its name is named once.
    let isRepeated = names.count > 2 && names[0] == names[1]
    // The first name is the module, unless the path continues after generic arguments or has no other name.
    let isWhole = withModules || names[0].isEmpty || names.count == 1
    return isWhole && !isRepeated ? path : names.dropFirst().joined(separator: ".")
}

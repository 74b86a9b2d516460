import Relux

/// The text of an action.
enum ActionText {
    /// Returns the action with its type on one line, such as `Notes.State.Action.loaded([])` or `Notes.Load(page: 2)`.
    static func line(_ action: any Relux.Action) -> String {
        let text = ValueText.line(action)
        let type = shortName(of: Swift.type(of: action))
        if text.hasPrefix(".") { return type + text }
        // The text of a struct begins with its name, which in a generic type lacks the types around it.
        let structName = TypeName.short(Swift.type(of: action))
        return text.hasPrefix(structName) ? type + text.dropFirst(structName.count) : "\(type)(\(text))"
    }
}

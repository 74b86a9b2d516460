import Relux

/// The text of an action.
enum ActionText {
    /// Returns the action with its type on one line, such as `Notes.State.Action.loaded([])` or `Notes.Load(page: 2)`.
    static func line(_ action: any Relux.Action) -> String {
        let text = ValueText.line(action)
        let type = TypeName.short(Swift.type(of: action))
        if text.hasPrefix(".") { return type + text }
        return text.hasPrefix(type) ? text : "\(type)(\(text))"
    }
}

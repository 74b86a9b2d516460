import Relux

/// How an action is shown.
enum ActionText {
    /// The action with its type on one line: `Notes.State.Action.loaded([])`, `Notes.Load(page: 2)`.
    static func line(_ action: any Relux.Action) -> String {
        let text = ValueText.line(action)
        let type = TypeName.short(Swift.type(of: action))
        if text.hasPrefix(".") { return type + text }
        return text.hasPrefix(type) ? text : "\(type)(\(text))"
    }
}

import Relux
import SampleDomain
import SampleServices

/// Renders actions and the resulting states.
struct DemoRenderer: Sendable {
    let style: Style

    /// The heading of a step of the tour.
    func heading(_ text: String) -> String {
        "\n" + style(.title, text) + "\n"
    }

    /// An action with its number, followed by the resulting state.
    func lines(_ sequence: UInt64, _ action: any Relux.Action, _ state: Items.State) -> String {
        let number = String(sequence)
        let indent = String(repeating: " ", count: max(0, 3 - number.count))
        return "\(indent)\(number)  \(style(.action, text(of: action)))\n       \(text(of: state))\n"
    }

    /// Why the rules rejected a command.
    func refusal(_ error: ItemsError, in list: Items.List) -> String {
        let why = Texts.explain(error, shortIDs: Items.ShortIDs(of: list.all)).joined(separator: " ")
        return "     " + style(.failure, Texts.demoRefused(why)) + "\n"
    }

    private func text(of action: any Relux.Action) -> String {
        switch action {
        case let action as Items.State.Action: Texts.describe(action)
        case let effect as Items.Effect: Texts.describe(effect)
        case let command as Items.Command: Texts.describe(command)
        default: "\(action)".visible
        }
    }

    private func text(of state: Items.State) -> String {
        var parts = state.list.active.map { "☐ " + title(of: $0, in: state) }
        parts += state.list.completed.map { style(.completed, "☑ " + title(of: $0, in: state)) }
        if let draft = state.draft { parts.append(Texts.draft(draft.title)) }
        if parts.isEmpty { parts.append(Texts.demoEmpty) }
        if state.loading == .running { parts.append("[\(Texts.demoReading)]") }
        if state.saving == .running { parts.append("[\(Texts.demoSaving)]") }
        if state.saving.failure != nil { parts.append(style(.failure, "[\(Texts.demoUnsaved)]")) }
        return parts.joined(separator: "  ")
    }

    private func title(of item: Item, in state: Items.State) -> String {
        item.title.visible + (state.isUnsaved(item.id) ? "*" : "")
    }
}

import Relux

/// A line of text that is being written: a draft, which is committed as a whole, and the cursor in it.
@MainActor struct TextField {
    enum Outcome { case goesOn, ended }

    let label: String
    private let draft: Relux.UI.Draft<String>
    private var editor: LineEditor

    init(_ label: String, _ text: String = "", commit: Relux.UI.ViewCallback<String>) {
        self.label = label
        draft = Relux.UI.Draft(text, commit: commit)
        editor = LineEditor(text)
    }

    /// The text that has been written and not committed; nil if there is none.
    var unsaved: String? { draft.isEdited ? draft.value : nil }

    mutating func take(_ key: Key) -> Outcome {
        switch editor.take(key) {
        case .nothing: return .goesOn
        case .edited:
            draft.value = editor.text
            return .goesOn
        case .committed:
            draft.commit()
            return .ended
        case .cancelled: return .ended
        }
    }

    /// Follows what the store says meanwhile. A text that has been edited stays, and the prompt shows both.
    mutating func follow(_ text: String) {
        draft.follow(text)
        if draft.value != editor.text { editor = LineEditor(draft.value) }
    }

    var prompt: Prompt {
        .text(
            label: ([label] + (draft.incoming.map { [Texts.changedElsewhere($0)] } ?? [])).joined(separator: " "),
            editor)
    }
}

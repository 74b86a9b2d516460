/// A text that is being written, and its purpose.
///
/// It survives a change of profile, because the rest of its keys would otherwise be commands. From then on, it is used
/// only after a question, because the data in use are no longer those for which it was begun.
struct Draft<Purpose: Sendable>: Sendable {
    private enum Stage {
        case here
        /// The profile has changed since the text was begun.
        case elsewhere
        /// The user is being asked whether to use the text here.
        case asking
    }

    enum Outcome {
        case goesOn
        case dropped
        case committed(String)
    }

    let purpose: Purpose
    private var editor: LineEditor
    private var stage = Stage.here

    init(_ purpose: Purpose, _ text: String = "") {
        (self.purpose, editor) = (purpose, LineEditor(text))
    }

    /// Handles a key. After a change of profile, only a usable text is worth the question.
    mutating func take(_ key: Key, ifElsewhere isUsable: (String) -> Bool) -> Outcome {
        if stage == .asking { return key.isYes ? .committed(editor.text) : .dropped }
        switch editor.take(key) {
        case .nothing, .edited: return .goesOn
        case .cancelled: return .dropped
        case .committed where stage == .here: return .committed(editor.text)
        case .committed where isUsable(editor.text):
            stage = .asking
            return .goesOn
        case .committed: return .dropped
        }
    }

    func afterProfileChange() -> Draft {
        var draft = self
        draft.stage = .elsewhere
        return draft
    }

    /// The prompt with a label, which doesn't include the colon.
    func prompt(_ label: String) -> Prompt {
        switch stage {
        case .here: .text(label: "\(label):", editor)
        case .elsewhere: .text(label: "\(label) (\(Texts.otherProfile)):", editor)
        case .asking: .question(Texts.reallyUseHere(editor.text))
        }
    }
}

public import Relux
public import ReluxPersistence
public import SampleServices

/// A to-do list with a history, which several programs may have open at once.
///
/// - Owns: ``State``, the list with its history, and ``Selection``, what is selected and which items are shown.
/// - Takes: ``List/Action``, what is done to the list; `Relux.Undoable.Action`, undo and redo; and ``Edit``, which does
///   the same, or says why it can't.
/// - Sets off: nothing. What is saved, and how it is merged with what others have saved, is in ``Module/persistence``.
public enum Items {
    /// The list with its history. Both are saved, so that a program can undo what another one has done.
    public typealias State = Relux.Undoable<List>

    /// The list of one profile as a feature of an app.
    public struct Module: Relux.Module {
        private let profile: Profile
        private let storage: any Relux.Storage

        /// Creates the module.
        public init(of profile: Profile, in storage: any Relux.Storage) {
            (self.profile, self.storage) = (profile, storage)
        }

        /// An empty list of which nothing is selected.
        public var states: [any Relux.State] { [Self.empty, Selection()] }

        private static let empty = State(List(), limit: 20)

        /// Lets the actions of the list reach it in its history.
        public var reducers: [Relux.Reducer] { [State.reducer] }

        /// Items that leave the list leave the selection, in the same step.
        public var rules: [Relux.Rule] {
            [
                .init(onChangeOf: State.self, \.present.items.ids) { _, ids, reader in
                    guard reader[Selection.self]?.ids.isSubset(of: ids) == false else { return [] }
                    return [Selection.Action.kept(Set(ids))]
                }
            ]
        }

        /// Changes that may be refused.
        public var flows: [any Relux.Flow] { [Editor()] }

        /// Other programs may save the list, too. A save merges what they have saved since, and `follows` takes it in
        /// as soon as they have, with an action of the history. If they have erased the list, only what was changed
        /// here since is left.
        public var persistence: [any Relux.StatePersistence] {
            [
                Relux.Saved(
                    State.self, as: "items", in: storage, id: profile.name,
                    conflict: .merge { base, ours, theirs in .merged(base, ours, theirs ?? Self.empty) },
                    follows: { .adopt($0 ?? Self.empty) }
                )
            ]
        }
    }
}

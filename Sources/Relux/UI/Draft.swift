import Observation

extension Relux.UI {
    /// A value that is edited in place and committed as a whole, such as the text of a field.
    ///
    /// The field edits ``value``. When the store's value changes, tell the draft with ``follow(_:)``. A draft that has
    /// not been edited adopts the new value. An edited draft keeps it as ``incoming``, so that the screen can ask which
    /// of the two to keep.
    ///
    /// ```swift
    /// let draft = Draft(note.title, commit: callbacks.rename)
    /// draft.value = "New title"     // by the field
    /// draft.commit()
    /// ```
    ///
    /// - Isolation: The main actor.
    /// - Lifetime: It keeps no store alive.
    @MainActor
    @Observable
    public final class Draft<Value: Equatable & Sendable> {
        /// The value that the field edits. Setting an equal value is no edit: toolkits may set a text again when its
        /// editing ends.
        public var value: Value {
            get { edited }
            set {
                if newValue != edited { edits += 1 }
                edited = newValue
                // The store has this value already.
                if newValue == incoming { (base, incoming) = (newValue, nil) }
            }
        }

        /// The store's value, if it has changed since the editing began and equals neither the base nor ``value``.
        public private(set) var incoming: Value?

        private var edited: Value
        /// The store's value that the draft was last equal to.
        private var base: Value
        @ObservationIgnored private var edits = 0
        /// The last commit, until the store has answered.
        @ObservationIgnored private var commitment: Commitment?
        @ObservationIgnored private var commits = 0
        /// Whether a commit fires its callback: what the draft is told meanwhile is its answer.
        @ObservationIgnored private var isFiring = false
        @ObservationIgnored private let send: @MainActor (Draft) -> Void

        private struct Commitment {
            let number: Int
            /// The number of edits before it.
            let edits: Int
            var isReduced = false
            /// The value that the draft has been told since, apart from the base after the callback has been fired.
            var incoming: Value?
        }

        /// Creates a draft that is committed by a callback.
        ///
        /// - Parameters:
        ///   - value: The store's value.
        ///   - callback: Fired with the value by ``commit()``.
        public init(_ value: Value, commit callback: ViewCallback<Value>) {
            (edited, base) = (value, value)
            // The context of the callback's store.
            let context = callback.order.dispatcher.handle.core.mainActor
            send = { draft in
                let number = draft.commits
                callback.fire(draft.value) { [weak draft] in
                    context.execute { draft?.noteReduction(of: number) }
                }
            }
        }

        /// Creates a draft that is committed by setting a binding. After that, it adopts the store's value. If the set
        /// came too late (``Refusal/Reason/lateBinding``) or from inside the store, it keeps its edit.
        public init(_ binding: ViewBinding<Value>) where Value: Hashable {
            let value = binding.wrappedValue
            (edited, base) = (value, value)
            send = { draft in
                binding.set(draft.value) { [weak draft] in draft?.answer(binding.wrappedValue, isLate: $0) }
            }
        }

        /// Whether the value differs from the base, which is the store's value that the draft was last equal to.
        public var isEdited: Bool { edited != base }

        /// Tells the draft the store's value.
        ///
        /// A draft that isn't edited adopts it. An edited one keeps it as ``incoming``, with two exceptions: the base
        /// isn't kept, and a value equal to the draft's own becomes the new base. After a commit, once the callback's
        /// action has been reduced, the next value is adopted, unless the draft has been edited in between.
        public func follow(_ value: Value) {
            if commitment?.isReduced == true { return answer(value) }
            if !isEdited || value == edited {
                adopt(value)
            } else {
                incoming = value == base ? nil : value
            }
            commitment?.incoming = isFiring ? value : incoming
        }

        /// Commits the value: fires the callback, or sets the binding.
        ///
        /// Once the action has been reduced, or the body of the callback has ended, the draft adopts the store's value.
        /// The draft of a binding does so at once, whether or not the value has changed. Any other draft adopts the
        /// next value that ``follow(_:)`` gets. Edits that were made in between are kept, as is the value of a set that
        /// came too late, or from inside the store.
        public func commit() {
            commits += 1
            commitment = Commitment(number: commits, edits: edits)
            isFiring = true
            send(self)
            isFiring = false
        }

        /// Returns to ``incoming``, or to the base if there is none.
        public func revert() {
            commitment = nil
            adopt(incoming ?? base)
        }

        /// Takes ``incoming``, if there is one, as value and base.
        public func accept() {
            if let incoming { adopt(incoming) }
        }

        private func noteReduction(of number: Int) {
            guard commitment?.number == number else { return }
            commitment?.isReduced = true
            // The draft may be told the new value before it learns that the action has been reduced.
            if let incoming = commitment?.incoming { answer(incoming) }
        }

        /// The store's value after a commit.
        private func answer(_ value: Value, isLate: Bool = false) {
            let keepsEdit = isLate || commitment?.edits != edits
            commitment = nil
            if keepsEdit { follow(value) } else { adopt(value) }
        }

        private func adopt(_ value: Value) { (edited, base, incoming) = (value, value, nil) }
    }
}

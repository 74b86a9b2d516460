extension Relux {
    /// The request to remove an instance from the state that has opened it.
    ///
    /// ``ActionDispatching/dismiss(fileID:line:)`` dispatches it. A ``Rule`` can add it, so that a page closes in the
    /// step that makes the decision. Code that can't await dispatches it with
    /// ``ActionDispatching/dispatchNow(_:fileID:line:)``.
    ///
    /// ```swift
    /// .init(on: Editor.Action.self) { action, reader in
    ///     guard case .saved = action, let page = reader.scope else { return [] }
    ///     return [Relux.Dismissal(of: page)]
    /// }
    /// ```
    ///
    /// It is an action like any other: numbered, recorded in the scope around the instance, and received by tests. Its
    /// reducer is the `onDismiss` of the ``Children`` that hold the instance. If there is none, the dismissal is
    /// refused as ``Refusal/Reason/notDismissible(_:)``, and if there is no such instance, as
    /// ``Refusal/Reason/noInstance(_:)``.
    public struct Dismissal: Broadcast, Hashable, CustomStringConvertible, CustomReflectable {
        /// The instance.
        public let scope: Scope

        /// Creates the dismissal of an instance. It can be dispatched from any scope.
        public init(of scope: Scope) {
            self.scope = scope
        }

        /// Such as `dismiss Chat.Module["c1"]`.
        public var description: String { "dismiss \(scope)" }

        /// The name of the instance.
        public var customMirror: Mirror { Mirror(self, children: ["of": "\(scope)"], displayStyle: .struct) }
    }
}

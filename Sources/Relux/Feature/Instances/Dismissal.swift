extension Relux {
    /// The request to remove an instance from the state that has opened it. ``ActionDispatching/dismiss(fileID:line:)``
    /// dispatches it.
    ///
    /// It is an action like any other: numbered, recorded in the scope around the instance, and received by tests. Its
    /// reducer is the `onDismiss` of the ``Children`` that hold the instance. If there is none, the dismissal is
    /// refused as ``Refusal/Reason/notDismissible(_:)``.
    public struct Dismissal: Broadcast, Hashable, CustomStringConvertible {
        /// The instance.
        public let scope: Scope

        /// Such as `dismiss Chat.Module["c1"]`.
        public var description: String { "dismiss \(scope)" }
    }
}

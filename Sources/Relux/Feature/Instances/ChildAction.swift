extension Relux {
    /// An action together with the id of the instance that it belongs to, for code outside that instance.
    ///
    /// Dispatching it delivers the action to the instance. The id is looked up in the innermost scope, from the
    /// caller's scope outward, that has instances of the module. The action is then taken as if it had been dispatched
    /// in that instance, and recorded once, as the inner action with the scope of the instance. It can be part of a
    /// batch. Performing it returns what the instance's flow returns. If there is no such instance, nothing is reduced,
    /// and ``Refusal/Reason/noInstance(_:)`` is reported, or ``Refusal/Reason/instanceLoading(_:_:)`` while its states
    /// are being loaded.
    ///
    /// In the other direction, modules of the scope around the instances can take their actions in this form, with
    /// reducers, sagas, and action streams. The reducers run in the same step, after the instance's own. A flow can't
    /// take it.
    ///
    /// ```swift
    /// Relux.Reducer(of: Inbox.State.self, on: Relux.ChildAction<Chat.Module, Chat.Action>.self) { inbox, chat in
    ///     if case .received = chat.action { inbox.unread[chat.id, default: 0] += 1 }
    /// }
    /// ```
    public struct ChildAction<M: Module & Identifiable, A: Action>: Action where M.ID: Sendable {
        /// The id of the instance.
        public let id: M.ID

        /// The action of the instance.
        public let action: A

        /// Addresses an action to one instance of a module.
        public init(_ module: M.Type = M.self, id: M.ID, _ action: A) {
            self.id = id
            self.action = action
        }
    }
}

extension Relux.ChildAction: Relux.Effect where A: Relux.Effect {
    /// The output of the instance's flow.
    public typealias Output = A.Output
}

extension Relux.ChildAction: Equatable where A: Equatable {}

extension Relux.ChildAction: Hashable where A: Hashable {}

extension Relux.ChildAction: CustomStringConvertible {
    /// The instance and the action, such as `Chat.Module["c1"] ← sent("Hello")`.
    public var description: String {
        "\(shortName(of: M.self))[\(String(reflecting: id))] ← \(action)"
    }
}

/// A ``Relux/ChildAction`` of any module and action.
protocol AnyChildAction: Relux.Action {
    static var module: any Relux.Module.Type { get }
    /// The type of the inner action.
    static var innerType: any Relux.Action.Type { get }
    /// Wraps an action of an instance; nil if its type or that of the id isn't the wrapped one.
    static func wrap(_ action: any Relux.Action, ofInstance id: AnySendableHashable) -> (any Relux.Action)?

    var instanceID: AnySendableHashable { get }
    var inner: any Relux.Action { get }
}

extension Relux.ChildAction: AnyChildAction {
    static var module: any Relux.Module.Type { M.self }
    static var innerType: any Relux.Action.Type { A.self }

    static func wrap(_ action: any Relux.Action, ofInstance id: AnySendableHashable) -> (any Relux.Action)? {
        guard let action = action as? A, let id = id.value(as: M.ID.self) else { return nil }
        return Self(id: id, action)
    }

    var instanceID: AnySendableHashable { AnySendableHashable(id) }
    var inner: any Relux.Action { action }
}

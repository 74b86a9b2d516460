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

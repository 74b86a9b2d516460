public import Relux
public import SampleServices

extension Items {
    /// Does something to the list and returns the items concerned, or says why it can't.
    ///
    /// A command line needs this answer. A screen dispatches the actions themselves, because it offers only what can be
    /// done.
    public struct Edit: Relux.Effect, Hashable, Codable {
        /// The items after the change, or those that are gone.
        public typealias Output = [Item]

        let action: List.Action

        /// Creates the effect.
        public init(_ action: List.Action) { self.action = action }
    }

    /// Why something can't be done to the list.
    public enum Refused: Error, Hashable {
        /// The title is blank.
        case blankTitle
        /// No item has this number.
        case noItem(number: Int, count: Int)
        /// The item has gone.
        case gone
        /// The item is completed, and therefore frozen.
        case completed(Item)
        /// The item isn't completed.
        case active(Item)
        /// There is no such position among the active items. It is counted from 1.
        case noPosition(Int, count: Int)
    }

    struct Editor: Relux.Flow {
        func policy(for edit: Edit) -> Relux.Policy { .serial }

        func run(_ edit: Edit, in context: Relux.SagaContext) async throws -> [Item] {
            let before = try await context.state(of: State.self).present
            try before.check(edit.action)
            await context.dispatch(edit.action)
            let after = try await context.state(of: State.self).present
            return edit.action.ids.compactMap { after.items[id: $0] ?? before.items[id: $0] }
        }
    }
}

extension Items.List {
    /// The ids of the items with numbers, counted from 1 through the whole list, as it is shown. Each comes once.
    public func ids(numbered numbers: [Int]) throws(Items.Refused) -> [Item.ID] {
        var ids: [Item.ID] = []
        for number in numbers {
            guard number > 0, let id = items.element(at: number - 1)?.id else {
                throw .noItem(number: number, count: items.count)
            }
            if !ids.contains(id) { ids.append(id) }
        }
        return ids
    }
}

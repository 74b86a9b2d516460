import Foundation
public import Relux
public import SampleServices

extension Items {
    /// The items: the active ones in the order that the user has chosen, and below them the completed ones, the last
    /// completed one first. A completed item is frozen until it is reopened.
    public struct List: Relux.UndoableState, Hashable, Codable {
        /// Where an item is added.
        public enum Place: Sendable, Hashable, Codable {
            /// Above all other items.
            case top
            /// Below the other active items.
            case end
        }

        /// A change of the list. Items that have gone, or that don't allow it, stay as they are.
        public enum Action: Relux.Action, Hashable, Codable {
            /// Adds an active item.
            case added(Item, Place)
            /// Gives an active item another title, unless it is blank.
            case renamed(Item.ID, String)
            /// Moves an active item to a position among the active ones, from 0. One that is too high means the end.
            case moved(Item.ID, to: Int)
            /// Completes active items.
            case completed([Item.ID], Date)
            /// Makes completed items active again, at the end.
            case reopened([Item.ID])
            /// Deletes items.
            case deleted([Item.ID])

            /// The items concerned.
            var ids: [Item.ID] {
                switch self {
                case .added(let item, _): [item.id]
                case .renamed(let id, _), .moved(let id, _): [id]
                case .completed(let ids, _), .reopened(let ids), .deleted(let ids): ids
                }
            }
        }

        /// All items, in their order.
        public private(set) var items: Relux.Entities<Item> = []

        /// Creates a list, in which the active items come first.
        public init(_ items: [Item] = []) {
            self.items = Relux.Entities(
                items.filter { $0.completed == nil } + items.filter { $0.completed != nil }, keeping: .first)
        }

        /// The number of active items.
        ///
        /// - Complexity: O(*n*).
        public var activeCount: Int { items.count { $0.completed == nil } }

        /// Reduces an action.
        ///
        /// - Complexity: O(*n* + *m* log *n*) for *n* items, of which *m* are concerned.
        public mutating func reduce(_ action: Action) {
            switch action {
            case .added(var item, let place):
                guard let title = Self.title(item.title) else { return }
                (item.title, item.completed) = (title, nil)
                items.insert(item, at: place == .top ? 0 : activeCount)
            case .renamed(let id, let text):
                guard isActive(id), let title = Self.title(text) else { return }
                items[id: id]?.title = title
            case .moved(let id, let position):
                guard isActive(id) else { return }
                items.move(id: id, to: min(max(position, 0), activeCount - 1))
            case .completed(let ids, let date):
                var last = activeCount - 1
                for id in ids where isActive(id) {
                    items[id: id]?.completed = date
                    items.move(id: id, to: last)
                    last -= 1
                }
            case .reopened(let ids):
                var end = activeCount
                for id in ids where items[id: id]?.completed != nil {
                    items[id: id]?.completed = nil
                    items.move(id: id, to: end)
                    end += 1
                }
            case .deleted(let ids):
                items.remove(ids: ids)
            }
        }

        /// Checks whether an action would do all that it says.
        func check(_ action: Action) throws(Items.Refused) {
            switch action {
            case .added(let item, _): if Self.title(item.title) == nil { throw .blankTitle }
            case .renamed(let id, let title):
                try check(id, isActive: true)
                if Self.title(title) == nil { throw .blankTitle }
            case .moved(let id, let position):
                try check(id, isActive: true)
                if !(0..<activeCount).contains(position) {
                    throw .noPosition(min(position, .max - 1) + 1, count: activeCount)
                }
            case .completed(let ids, _): for id in ids { try check(id, isActive: true) }
            case .reopened(let ids): for id in ids { try check(id, isActive: false) }
            case .deleted(let ids): for id in ids where !items.contains(id: id) { throw .gone }
            }
        }

        private func check(_ id: Item.ID, isActive: Bool) throws(Items.Refused) {
            guard let item = items[id: id] else { throw .gone }
            if (item.completed == nil) != isActive { throw isActive ? .completed(item) : .active(item) }
        }

        func isActive(_ id: Item.ID) -> Bool { items[id: id].map { $0.completed == nil } ?? false }

        /// A title in one line, without control characters; nil if nothing is left.
        static func title(_ text: String) -> String? {
            let words = text.split { $0.isNewline || $0.isWhitespace }.joined(separator: " ")
            let title = String(words.unicodeScalars.filter { $0.properties.generalCategory != .control })
            return title.isEmpty ? nil : title
        }
    }
}

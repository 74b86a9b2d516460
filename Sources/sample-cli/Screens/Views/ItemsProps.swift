import Relux
import SampleDomain
import SampleServices

/// The contents of the list screen.
struct ItemsProps: Relux.UI.ViewProps {
    /// The displayed items.
    var list = Items.List()
    var unsaved: Set<Item.ID> = []
    var selected: Set<Item.ID> = []
    /// All items, displayed or not.
    var whole = Items.List()
    var filter = ""
    var isLoaded = false
    var isLoading = false

    /// Hashes only the counts of lists. They are only compared, so hashing every item would be wasted work.
    func hash(into hasher: inout Hasher) {
        hasher.combine(list.count)
        hasher.combine(unsaved)
        hasher.combine(selected.count)
        hasher.combine(filter)
    }
}

/// The actions of the list screen.
struct ItemsCallbacks: Relux.UI.ViewCallbacks {
    struct Addition: Sendable {
        let title: String
        let isAtTop: Bool
    }

    struct Renaming: Sendable {
        let id: Item.ID
        let title: String
    }

    struct Range: Sendable {
        let start: Item.ID
        let end: Item.ID
    }

    let add: Relux.UI.ViewCallback<Addition>
    let rename: Relux.UI.ViewCallback<Renaming>
    /// Completes or reopens the selection or, if it is empty, this item.
    let turn: Relux.UI.ViewCallback<Item.ID>
    /// Deletes those of these items that still exist.
    let delete: Relux.UI.ViewCallback<[Item]>
    /// Deletes those of these items that still exist and are still completed.
    let clear: Relux.UI.ViewCallback<[Item]>
    let toggle: Relux.UI.ViewCallback<Item.ID>
    let extend: Relux.UI.ViewCallback<Range>
    let selectNone: Relux.UI.ViewCallback<Void>
    let moveUp: Relux.UI.ViewCallback<Item.ID>
    let moveDown: Relux.UI.ViewCallback<Item.ID>
    let undo: Relux.UI.ViewCallback<Void>
    let redo: Relux.UI.ViewCallback<Void>
    let narrow: Relux.UI.ViewCallback<String>

    static let noop = ItemsCallbacks(
        add: .noop, rename: .noop, turn: .noop, delete: .noop, clear: .noop, toggle: .noop, extend: .noop,
        selectNone: .noop, moveUp: .noop, moveDown: .noop, undo: .noop, redo: .noop, narrow: .noop)
}

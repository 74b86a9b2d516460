import Relux
import SampleDomain
import SampleServices

/// What the screen of the list shows.
struct ItemsProps: Relux.UI.ViewProps {
    /// The items that are to be seen.
    var list = Items.List()

    /// Those of them that aren't saved.
    var unsaved: Set<Item.ID> = []

    /// Those of them that are selected.
    var selected: Set<Item.ID> = []

    /// All items, seen or not.
    var whole = Items.List()

    /// What is looked for, as it was typed.
    var filter = ""

    /// Whether the list is known.
    var isLoaded = false

    /// Whether it is being read.
    var isLoading = false

    /// Lists are only compared: to hash all of a long one would be for nothing.
    func hash(into hasher: inout Hasher) {
        hasher.combine(list.count)
        hasher.combine(unsaved)
        hasher.combine(selected.count)
        hasher.combine(filter)
    }
}

/// What can be done with the list.
struct ItemsCallbacks: Relux.UI.ViewCallbacks {
    /// A title, and whether the item goes to the top.
    struct Addition: Sendable {
        let title: String
        let isAtTop: Bool
    }

    /// Another title for an item.
    struct Renaming: Sendable {
        let id: Item.ID
        let title: String
    }

    /// An item, and another one as far from it as somebody wants to select.
    struct Range: Sendable {
        let start: Item.ID
        let end: Item.ID
    }

    let add: Relux.UI.ViewCallback<Addition>
    let rename: Relux.UI.ViewCallback<Renaming>
    /// Completes or reopens what is selected or, where nothing is, this item.
    let turn: Relux.UI.ViewCallback<Item.ID>
    /// Deletes those of these items that are still there.
    let delete: Relux.UI.ViewCallback<[Item]>
    /// Deletes those of these items that are still there and completed.
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

import Relux
import SampleDomain
import SampleServices

/// What the screen of the list shows.
struct ItemsProps: Relux.UI.ViewProps {
    /// The items that are to be seen.
    var list = Items.List()

    /// Those of them that aren't saved.
    var unsaved: Set<Item.ID> = []

    /// How many items there are, seen or not.
    var count = 0

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

    let add: Relux.UI.ViewCallback<Addition>
    let rename: Relux.UI.ViewCallback<Renaming>
    let complete: Relux.UI.ViewCallback<Item.ID>
    let reopen: Relux.UI.ViewCallback<Item.ID>
    let delete: Relux.UI.ViewCallback<Item.ID>
    let moveUp: Relux.UI.ViewCallback<Item.ID>
    let moveDown: Relux.UI.ViewCallback<Item.ID>
    let undo: Relux.UI.ViewCallback<Void>
    let redo: Relux.UI.ViewCallback<Void>
    let narrow: Relux.UI.ViewCallback<String>

    static let noop = ItemsCallbacks(
        add: .noop, rename: .noop, complete: .noop, reopen: .noop, delete: .noop, moveUp: .noop, moveDown: .noop,
        undo: .noop, redo: .noop, narrow: .noop)
}

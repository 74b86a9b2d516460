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
    /// The profile whose list this is.
    var standing = Session.State.Standing.unknown
}

/// The actions of the list screen.
struct ItemsCallbacks: Relux.UI.ViewCallbacks {
    /// Adds an item with a title, at the top of the list if that is true, otherwise at its end.
    var add = Relux.UI.ViewCallback<(String, Bool)>.noop
    var rename = Relux.UI.ViewCallback<(Item.ID, String)>.noop
    /// Completes or reopens the selection or, if it is empty, this item.
    var turn = Relux.UI.ViewCallback<Item.ID>.noop
    /// Deletes those of these items that still exist.
    var delete = Relux.UI.ViewCallback<[Item]>.noop
    /// Deletes those of these items that still exist and are still completed.
    var clear = Relux.UI.ViewCallback<[Item]>.noop
    var toggle = Relux.UI.ViewCallback<Item.ID>.noop
    /// Selects everything from the first item to the second.
    var extend = Relux.UI.ViewCallback<(Item.ID, Item.ID)>.noop
    var selectNone = Relux.UI.ViewCallback<Void>.noop
    var moveUp = Relux.UI.ViewCallback<Item.ID>.noop
    var moveDown = Relux.UI.ViewCallback<Item.ID>.noop
    var undo = Relux.UI.ViewCallback<Void>.noop
    var redo = Relux.UI.ViewCallback<Void>.noop
    var narrow = Relux.UI.ViewCallback<String>.noop
}

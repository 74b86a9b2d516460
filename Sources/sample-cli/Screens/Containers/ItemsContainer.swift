import Relux
import SampleDomain
import SampleServices

/// Connects the screen of the list with the store.
struct ItemsContainer: Sendable {
    /// The values selected inside the store. Selecting must be quick because it blocks the store, so it only copies
    /// values. All are from one point in the store's order: a list never appears with another profile.
    private struct Selection: Sendable, Equatable {
        let items: Items.State?
        let filter: String
        let standing: Session.State.Standing

        init(_ states: borrowing Relux.StateReader) {
            items = states[Items.State.self]
            filter = states[Filter.State.self]?.text ?? ""
            standing = states[Session.State.self]?.standing ?? .unknown
        }
    }

    let dispatcher: Relux.Dispatcher
    let say: @Sendable (String) -> Void
    /// Moves the cursor to an item that was added here.
    let focus: @Sendable (Item.ID) -> Void

    func follow(_ store: Relux.Store, _ show: @Sendable (ItemsProps) -> Void) async {
        for await selection in store.values(Selection.init) { show(Self.props(selection)) }
    }

    private static func props(_ selection: Selection) -> ItemsProps {
        guard let items = selection.items else { return ItemsProps(standing: selection.standing) }
        return ItemsProps(
            list: items.shown,
            unsaved: Set(items.unsavedChanges.map(\.id)),
            selected: items.selection.ids,
            whole: items.list,
            filter: selection.filter,
            isLoaded: items.isLoaded,
            isLoading: items.loading == .running,
            standing: selection.standing
        )
    }

    var callbacks: ItemsCallbacks {
        ItemsCallbacks(
            add: .init { title, isAtTop in await perform(.add(title: title, isAtTop ? .top : .end)) },
            rename: .init { id, title in await perform(.rename(.id(id), title: title)) },
            // The selection is resolved when the command runs, because the user may type faster than the screen is
            // updated.
            turn: .init { id in await perform(.turnSelection(or: id)) },
            delete: .init { items in await perform(.deleteAsked(items)) },
            clear: .init { items in await perform(.clearAsked(items)) },
            toggle: .init { id in await select(.toggled(id)) },
            extend: .init { start, end in await select(.ranged(from: start, to: end)) },
            selectNone: .init { await select(.none) },
            moveUp: .init { id in await perform(.step(id, .up)) },
            moveDown: .init { id in await perform(.step(id, .down)) },
            undo: .init { await perform(.undo) },
            redo: .init { await perform(.redo) },
            narrow: .init { text in await dispatcher.dispatch(Filter.Effect.narrow(to: text)) }
        )
    }

    // `nonisolated(nonsending)` keeps the callback on the executor on which it was fired. Otherwise it could lose its
    // place in the order of callbacks.

    private nonisolated(nonsending) func perform(_ command: Items.Command) async {
        do throws(Relux.EffectError) {
            let outcome = try await dispatcher.perform(command)
            if case .added(let item) = outcome { focus(item.id) }
            (Texts.explain(emptiness: outcome) ?? Texts.remark(on: outcome)).map(say)
        } catch {
            Texts.outcome(of: error).map(say)
        }
    }

    private nonisolated(nonsending) func select(_ choice: Items.Selection.Action) async {
        await dispatcher.dispatch(Items.State.Action.selected(choice))
    }
}

import Relux
import SampleDomain
import SampleServices

/// Connects the screen of the list with the store.
struct ItemsContainer: Sendable {
    /// The values selected inside the store. Selecting must be quick because it blocks the store, so it only copies two
    /// values.
    private struct Selection: Sendable, Equatable {
        let items: Items.State?
        let filter: Filter.State?
    }

    let dispatcher: Relux.Dispatcher
    let say: @Sendable (String) -> Void

    func follow(_ store: Relux.Store, _ show: @Sendable (ItemsProps) -> Void) async {
        let selections = store.values { states in
            Selection(items: states[Items.State.self], filter: states[Filter.State.self])
        }
        for await selection in selections { show(Self.props(selection.items, selection.filter)) }
    }

    static func props(_ items: Items.State?, _ filter: Filter.State?) -> ItemsProps {
        guard let items else { return ItemsProps() }
        return ItemsProps(
            list: items.shown,
            unsaved: Set(items.unsavedChanges.map(\.id)),
            selected: items.selection.ids,
            whole: items.list,
            filter: filter?.text ?? "",
            isLoaded: items.isLoaded,
            isLoading: items.loading == .running
        )
    }

    var callbacks: ItemsCallbacks {
        ItemsCallbacks(
            add: .init { addition in
                await perform(.add(title: addition.title, addition.isAtTop ? .top : .end))
            },
            rename: .init { renaming in await perform(.rename(.id(renaming.id), title: renaming.title)) },
            // The selection is resolved when the command runs, because the user may type faster than the screen is
            // updated.
            turn: .init { id in await perform(.turnSelection(or: id)) },
            delete: .init { items in await perform(.deleteAsked(items)) },
            clear: .init { items in await perform(.clearAsked(items)) },
            toggle: .init { id in await select(.toggled(id)) },
            extend: .init { range in await select(.ranged(from: range.start, to: range.end)) },
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
            (Texts.explain(emptiness: outcome) ?? Texts.remark(on: outcome)).map(say)
        } catch {
            Texts.outcome(of: error).map(say)
        }
    }

    private nonisolated(nonsending) func select(_ choice: Items.Selection.Action) async {
        await dispatcher.dispatch(Items.State.Action.selected(choice))
    }
}

import Relux
import SampleDomain
import SampleServices

/// Connects the screen of the list with the store.
struct ItemsContainer: Sendable {
    /// What is selected inside the store, where nothing else can happen meanwhile: no more than two values.
    private struct Selection: Sendable, Equatable {
        let items: Items.State?
        let filter: Filter.State?
    }

    /// Whose list has been read, if it has.
    private struct Reading: Sendable, Equatable {
        let standing: Session.State.Standing?
        let isLoaded: Bool
    }

    let dispatcher: Relux.Dispatcher

    /// Told what there is to say about a command.
    let say: @Sendable (String) -> Void

    /// Hands on what the screen shows, now and whenever it changes.
    func follow(_ store: Relux.Store, _ show: @Sendable (ItemsProps) -> Void) async {
        let selections = store.values { states in
            Selection(items: states[Items.State.self], filter: states[Filter.State.self])
        }
        for await selection in selections { show(Self.props(selection.items, selection.filter)) }
    }

    /// Offers the tutorial, whenever somebody's list has been read.
    func welcome(_ store: Relux.Store) async {
        let readings = store.values { states in
            Reading(
                standing: states[Session.State.self]?.standing, isLoaded: states[Items.State.self]?.isLoaded == true)
        }
        for await reading in readings where reading.isLoaded { await offerTutorial() }
    }

    private func offerTutorial() async {
        do throws(Relux.EffectError) {
            try await dispatcher.perform(Items.Tutorial.offer)
        } catch {
            switch error {
            case .failed(let failure as ProfileServiceError): say(Texts.untaught(failure).joined(separator: " "))
            // Whoever comes next is offered theirs.
            case .cancelled, .superseded, .dropped: break
            default: explain(error)
            }
        }
    }

    /// What the screen shows of states.
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

    /// What the screen can do.
    var callbacks: ItemsCallbacks {
        ItemsCallbacks(
            add: .init { addition in
                await perform(.add(title: addition.title, addition.isAtTop ? .top : .end))
            },
            rename: .init { renaming in await perform(.rename(.id(renaming.id), title: renaming.title)) },
            // Only where commands are carried out it is certain what is selected: somebody may type faster than
            // anything is shown.
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

    // What a callback calls stays where that was fired, or it would lose its place behind those that were fired before.

    private nonisolated(nonsending) func perform(_ command: Items.Command) async {
        do throws(Relux.EffectError) {
            let outcome = try await dispatcher.perform(command)
            (Texts.explain(emptiness: outcome) ?? Texts.remark(on: outcome)).map(say)
        } catch {
            explain(error)
        }
    }

    private nonisolated(nonsending) func select(_ choice: Items.Selection.Action) async {
        await dispatcher.dispatch(Items.State.Action.selected(choice))
    }

    private func explain(_ error: Relux.EffectError) {
        switch error {
        case .failed(let refusal as ItemsError): say(Texts.refusal(refusal))
        // Somebody has signed in or out in the meantime.
        case .cancelled, .superseded, .dropped: say(Texts.givenUp)
        default: say(Texts.unexpected(error))
        }
    }
}

import Relux
import SampleDomain
import SampleServices

/// Connects the screen of the pets with the store.
struct PetsContainer: Sendable {
    private struct Selection: Sendable, Equatable {
        let pets: Pets.State?
        let stack: Navigation.Stack?
    }

    let dispatcher: Relux.Dispatcher
    var presenter = Pets.Presenter()

    /// Passes on what the screen shows, now and after every change.
    func follow(_ store: Relux.Store, _ show: @Sendable (PetsProps) -> Void) async {
        let selections = store.values { states in
            Selection(pets: states[Pets.State.self], stack: states[Navigation.Stack.self])
        }
        for await selection in selections { show(props(selection.pets, selection.stack)) }
    }

    /// The properties of the screen for given states.
    func props(_ pets: Pets.State?, _ stack: Navigation.Stack?) -> PetsProps {
        guard let pets else { return PetsProps() }
        let listing = pets.catalogue == .idle ? nil : presenter.listing(of: pets)
        guard case .pet(let id)? = stack?.top else { return PetsProps(listing: listing) }
        return PetsProps(listing: listing, page: presenter.page(of: id, in: pets))
    }

    /// The actions of the screen.
    var callbacks: PetsCallbacks {
        PetsCallbacks(
            load: .init(sending: Pets.Effect.load(.catalogue), to: dispatcher),
            open: .init { id in await dispatcher.dispatch(Pets.Command.open(id)) },
            back: .init { await dispatcher.dispatch(Navigation.Stack.Action.pop) }
        )
    }
}

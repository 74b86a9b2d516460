import Relux
import SampleDomain
import SampleServices

/// Connects the screen of the pets with the store.
struct PetsContainer: Sendable {
    private struct Selection: Sendable, Equatable {
        let pets: Pets.State?
        let page: PetPage.State?

        init(_ states: borrowing Relux.StateReader) {
            pets = states[Pets.State.self]
            page = PetPage.visible(in: states)?.state
        }
    }

    let dispatcher: Relux.Dispatcher
    var presenter = Presenter()

    func follow(_ store: Relux.Store, _ show: @Sendable (PetsProps) -> Void) async {
        for await selection in store.values(Selection.init) { show(props(selection.pets, selection.page)) }
    }

    func props(_ pets: Pets.State?, _ page: PetPage.State?) -> PetsProps {
        guard let pets else { return PetsProps() }
        return PetsProps(
            listing: pets.catalogue == .idle ? nil : presenter.listing(of: pets),
            page: page.map { presenter.page(of: $0, in: pets) }
        )
    }

    var callbacks: PetsCallbacks {
        PetsCallbacks(
            load: .init(sending: Pets.Effect.load, to: dispatcher),
            open: .init { id in await dispatcher.dispatch(Pets.Command.open(id)) },
            back: .init { await dispatcher.dispatch(Navigation.Stack.Action.pop) }
        )
    }
}

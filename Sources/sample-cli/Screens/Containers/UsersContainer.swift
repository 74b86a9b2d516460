import Relux
import SampleDomain
import SampleServices

/// Connects the screen of the users with the store.
struct UsersContainer: Sendable {
    let dispatcher: Relux.Dispatcher
    var presenter = Users.Presenter()

    /// Passes on what the screen shows, now and after every change.
    func follow(_ store: Relux.Store, _ show: @Sendable (UsersProps) -> Void) async {
        for await state in store.values({ states in states[Users.State.self] }) { show(props(state)) }
    }

    /// The properties of the screen for a given state.
    func props(_ state: Users.State?) -> UsersProps {
        guard let state, state.roster != .idle else { return UsersProps() }
        return UsersProps(listing: presenter.listing(of: state))
    }

    /// The actions of the screen.
    var callbacks: UsersCallbacks {
        UsersCallbacks(select: .init { id in await dispatcher.dispatch(Users.State.Action.selected(id)) })
    }
}

import Relux
import SampleDomain
import SampleServices

/// Connects the screen of the users with the store.
struct UsersContainer: Sendable {
    var presenter = Presenter()

    func follow(_ store: Relux.Store, _ show: @Sendable (UsersProps) -> Void) async {
        for await state in store.values({ states in states[Users.State.self] }) { show(props(state)) }
    }

    func props(_ state: Users.State?) -> UsersProps {
        guard let state, state.roster != .idle else { return UsersProps() }
        return UsersProps(listing: presenter.listing(of: state))
    }
}

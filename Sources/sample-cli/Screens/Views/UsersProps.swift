import Relux
import SampleDomain
import SampleServices

/// What the screen of the users shows.
struct UsersProps: Relux.UI.ViewProps {
    /// Everybody; nil where nothing is known yet.
    var listing: Users.Listing?
}

/// What can be done with the users.
struct UsersCallbacks: Relux.UI.ViewCallbacks {
    let select: Relux.UI.ViewCallback<User.ID>

    static let noop = UsersCallbacks(select: .noop)
}

import Relux
import SampleDomain
import SampleServices

/// The contents of the users screen.
struct UsersProps: Relux.UI.ViewProps {
    var listing: Users.Listing?
}

/// The actions of the users screen.
struct UsersCallbacks: Relux.UI.ViewCallbacks {
    let select: Relux.UI.ViewCallback<User.ID>

    static let noop = UsersCallbacks(select: .noop)
}

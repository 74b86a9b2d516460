import Relux
import SampleDomain
import SampleServices

/// What the screen of the pets shows: the catalogue, or a page that lies on it.
struct PetsProps: Relux.UI.ViewProps {
    /// The catalogue; nil where nobody has asked for it.
    var listing: Pets.Listing?

    /// The top page.
    var page: Pets.Page?
}

/// What can be done with the pets.
struct PetsCallbacks: Relux.UI.ViewCallbacks {
    let load: Relux.UI.ViewCallback<Void>
    let open: Relux.UI.ViewCallback<Pet.ID>
    let back: Relux.UI.ViewCallback<Void>

    static let noop = PetsCallbacks(load: .noop, open: .noop, back: .noop)
}

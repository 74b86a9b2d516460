import Relux
import SampleDomain
import SampleServices

/// The contents of the pets screen: the catalogue, or a page on top of it.
struct PetsProps: Relux.UI.ViewProps {
    /// The catalogue, or nil until it has been requested.
    var listing: Pets.Listing?
    var page: Pets.Page?
}

/// The actions of the pets screen.
struct PetsCallbacks: Relux.UI.ViewCallbacks {
    let load: Relux.UI.ViewCallback<Void>
    let open: Relux.UI.ViewCallback<Pet.ID>
    let back: Relux.UI.ViewCallback<Void>

    static let noop = PetsCallbacks(load: .noop, open: .noop, back: .noop)
}

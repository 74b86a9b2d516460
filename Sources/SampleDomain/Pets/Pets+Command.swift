public import Relux
public import SampleServices

extension Pets {
    /// What a user wants done.
    public enum Command: Relux.Effect, Hashable {
        /// Opens a page for a pet and loads the pet. Performing it returns as soon as the page is open.
        ///
        /// If the top page is already that page, for example after two quick taps, it only loads.
        case open(Pet.ID)
    }
}

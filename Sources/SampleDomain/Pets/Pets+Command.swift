public import Relux
public import SampleServices

extension Pets {
    /// What a user wants.
    public enum Command: Relux.Effect, Hashable {
        /// Opens a page of a pet, and loads the pet. To perform it returns as soon as the page is there.
        ///
        /// Where such a page is the top one already, as after two taps in a row, it only loads.
        case open(Pet.ID)
    }
}

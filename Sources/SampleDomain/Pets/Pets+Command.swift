public import Relux
public import SampleServices

extension Pets {
    /// What a user wants done.
    public enum Command: Relux.Action, Hashable {
        /// Opens a page for a pet. If the top page is already that page, for example after two quick taps, nothing
        /// happens.
        case open(Pet.ID)
    }
}

extension Navigation.Stack {
    /// Opens a page, unless it is the top page already. The stack itself decides, in the step of the command: whoever
    /// looked at the top first and pushed then could be overtaken by a page that closes.
    mutating func reduce(_ command: Pets.Command) {
        switch command {
        case .open(let id): if top != .pet(id) { reduce(.push(.pet(id))) }
        }
    }
}

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
    /// Opens a page, unless it is the top page already.
    ///
    /// The stack decides, in the step that reduces the command. If a saga looked at the top and then pushed, a page
    /// could close in between.
    mutating func reduce(_ command: Pets.Command) {
        switch command {
        case .open(let id): if top != .pet(id) { reduce(.push(.pet(id))) }
        }
    }
}

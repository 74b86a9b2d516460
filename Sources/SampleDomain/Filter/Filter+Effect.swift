public import Relux
public import SampleServices

extension Filter {
    /// What a user wants to see.
    public enum Effect: Relux.Effect, Hashable {
        /// The items with these words, once nothing else is typed for a moment.
        case narrow(to: String)
    }

    /// A step of an active item among those that are seen.
    ///
    /// The step goes over one item that the query finds, and over all between that it doesn't. Where there is none left
    /// in that direction nothing happens. To perform it throws an ``ItemsError`` where the rules don't allow it.
    public enum Step: Relux.Effect, Hashable {
        /// Before the one above.
        case up(Item.ID)

        /// Behind the one below.
        case down(Item.ID)
    }
}

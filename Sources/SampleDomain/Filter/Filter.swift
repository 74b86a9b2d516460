/// Which items of the list somebody wants to see.
///
/// The text is typed letter by letter, and looking through a long list at each of them would be for nothing: it counts
/// once it hasn't changed for a moment. An empty one counts at once, since there is nothing to look for.
///
/// A front end registers ``Module`` beside that of the list, dispatches ``Effect`` at each letter, and shows what
/// ``State/query`` leaves of the list.
public enum Filter {}

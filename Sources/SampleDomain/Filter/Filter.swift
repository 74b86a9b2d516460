/// Which items of the list somebody wants to see.
///
/// The text is typed letter by letter, and looking through a long list at each of them would be for nothing: it counts
/// once it hasn't changed for a moment. An empty one counts at once, since there is nothing to look for.
///
/// What is typed is here, and what is found by it with the list: once the text has settled the list is told, by
/// ``Items/State/Action/filtered(_:)``, and a front end shows ``Items/State/shown``. It registers ``Module`` beside
/// that of the list, and dispatches ``Effect`` at each letter.
public enum Filter {}

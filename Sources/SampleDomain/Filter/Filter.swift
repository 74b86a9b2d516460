/// Filters the items of the list by text.
///
/// Searching a long list at every keystroke would be wasted work. The text is therefore applied once it has been
/// unchanged for a moment. An empty text is applied immediately, because it requires no search.
///
/// This feature owns the typed text, and the list owns the result. Once the text has settled,
/// ``Items/State/Action/filtered(_:)`` is dispatched to the list, and a front end shows ``Items/State/shown``. A front
/// end registers ``Module`` in addition to the module of the list, and dispatches ``Effect`` at every keystroke.
public enum Filter {}

/// Filters the items of the list by text.
///
/// - Owns: ``State``, with the typed text. The list owns the result, ``Items/State/shown``.
/// - Takes: ``Effect``, at every keystroke.
/// - Sets off: ``Items/State/Action/filtered(_:)``, once the text has been unchanged for a moment. Searching a long
///   list at every keystroke would be wasted work. An empty text is applied immediately.
public enum Filter {}

/// A to-do list.
///
/// Active items are listed in their order, followed by completed ones, most recently completed first. A completed item
/// can't be moved or renamed until it is reopened. Every change is visible immediately and saved afterwards. A change
/// that couldn't be saved is kept, marked as unsaved, until a later save succeeds. Every command that changes the list
/// can be undone and redone. Undoing reverts what the command changed, and preserves what was changed elsewhere since.
///
/// Titles are imported from a text of any length with ``Import``, which reports its progress. Commands can act on the
/// user's ``Selection``.
///
/// A front end registers ``Module``, reads ``State``, performs a ``Command`` if it needs the result, and dispatches
/// ``Effect/save`` to retry after a failure.
public enum Items {}

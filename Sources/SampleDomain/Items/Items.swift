/// A to-do list.
///
/// Active items stand in their order, completed ones below them, the one completed last first. A completed item can be
/// neither moved nor edited until it is reopened. Every change is on screen at once and saved after it; what couldn't
/// be saved stays, marked as unsaved, until a later save takes it along. Every command that changes the list can be
/// undone and redone; that takes back what the command changed, and nothing that others have changed since.
///
/// Titles are imported from a text of any length with ``Import``, which tells how far it is. What a user has chosen of
/// the list is its ``Selection``, on which commands act; a new list begins with a ``Tutorial``, where a front end
/// offers it.
///
/// A front end registers ``Module``, reads ``State``, performs a ``Command`` where it wants to know what became of it,
/// and dispatches ``Effect/save`` to try again after a failure.
public enum Items {}

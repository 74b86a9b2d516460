/// The whole application, for front ends that keep running.
///
/// ``Module`` combines all features, using the ``Services`` of one data folder. ``Snapshot`` is their observable state,
/// and ``Chronicle`` derives the changes from one snapshot to the next. Nothing here knows more about a feature than
/// its vocabulary.
///
/// A front end creates a store with the module and performs `Session.Command.restore` before anything else.
public enum Application {}

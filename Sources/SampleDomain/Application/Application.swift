/// Everything together: what a front end that stays is made of.
///
/// ``Module`` brings all features, on the ``Services`` of one data folder. ``Snapshot`` is what of them can be watched,
/// and ``Chronicle`` tells what has changed from one snapshot to the next. Nothing here knows more of a feature than
/// its vocabulary.
///
/// A front end makes a store with the module, and performs `Session.Command.restore` before anything else.
public enum Application {}

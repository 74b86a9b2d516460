/// The whole application, for front ends that keep running.
///
/// - Owns: nothing. ``Module`` combines all features, using the ``Services`` of one data folder.
///
/// A front end creates a store with the module and performs ``Session/Command/restore`` before anything else.
public enum Application {}

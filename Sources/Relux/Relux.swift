/// The namespace of the library.
///
/// A store takes `Sendable` actions in one total order, applies them to pure reducers, and starts asynchronous sagas.
/// Nothing in it knows a user interface.
public enum Relux {}

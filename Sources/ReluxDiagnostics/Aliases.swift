import Relux

// The names without the namespace of the core, for code that has no others of these names.

/// ``Relux/Relux/FlightRecorder``.
public typealias FlightRecorder = Relux.FlightRecorder

/// ``Relux/Relux/TraceRecorder``.
public typealias TraceRecorder = Relux.TraceRecorder

/// ``Relux/Relux/Trace``.
public typealias Trace = Relux.Trace

/// ``Relux/Relux/TimeMachine``.
public typealias TimeMachine = Relux.TimeMachine

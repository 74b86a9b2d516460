import Relux

// The names without the namespace of the core, for code in which they are unambiguous.

/// ``Relux/Relux/FlightRecorder``.
public typealias FlightRecorder = Relux.FlightRecorder

/// ``Relux/Relux/TraceRecorder``.
public typealias TraceRecorder = Relux.TraceRecorder

/// ``Relux/Relux/Trace``.
public typealias Trace = Relux.Trace

/// ``Relux/Relux/TimeMachine``.
public typealias TimeMachine = Relux.TimeMachine

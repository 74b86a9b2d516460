// swift-format-ignore-file
// Just enough of Apple's `os` to type-check the loggers elsewhere. Nothing here is ever run.

public struct OSLogPrivacy: Sendable {
    public static let `public` = OSLogPrivacy()
}

public struct OSLogInterpolation: StringInterpolationProtocol {
    public init(literalCapacity: Int, interpolationCount: Int) {}
    public mutating func appendLiteral(_ literal: String) {}
    public mutating func appendInterpolation(_ value: @autoclosure @escaping () -> UInt64) {}
    public mutating func appendInterpolation(
        _ value: @autoclosure @escaping () -> String, privacy: OSLogPrivacy = .public
    ) {}
    public mutating func appendInterpolation<T: CustomStringConvertible>(
        _ value: @autoclosure @escaping () -> T, privacy: OSLogPrivacy = .public
    ) {}
}

public struct OSLogMessage: ExpressibleByStringInterpolation {
    public init(stringInterpolation: OSLogInterpolation) {}
    public init(stringLiteral value: String) {}
}

public typealias SignpostMetadata = OSLogMessage

public struct Logger: Sendable {
    public init(subsystem: String, category: String) {}
    public func debug(_ message: OSLogMessage) {}
}

public struct OSSignpostID: Sendable {}

public final class OSSignpostIntervalState {}

public struct OSSignposter: Sendable {
    public var isEnabled: Bool { true }
    public init(subsystem: String, category: String) {}
    public func makeSignpostID() -> OSSignpostID { OSSignpostID() }
    public func emitEvent(_ name: StaticString, _ message: SignpostMetadata) {}
    public func beginInterval(
        _ name: StaticString, id: OSSignpostID, _ message: SignpostMetadata
    ) -> OSSignpostIntervalState {
        OSSignpostIntervalState()
    }
    public func endInterval(_ name: StaticString, _ state: OSSignpostIntervalState, _ message: SignpostMetadata) {}
}

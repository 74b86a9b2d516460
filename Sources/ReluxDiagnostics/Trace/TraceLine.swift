import Relux

/// The first line of a file.
struct TraceHeader: Codable {
    static let version = 1

    var relux = "trace"
    var version = TraceHeader.version
    var title: String?
    var dropped: Int?
    var types: TraceTypes
}

/// A line of a file after the header: the states at the start, or an event.
struct TraceLine: Codable {
    var event: String
    var time: Duration?
    var action: Action?
    var run: Run?
    var refused: Refused?
    /// The id of the run that failed.
    var id: UInt64?
    var text: String?
    var name: String?
    var scope: String?
    var names: [String]?
    var states: [State]?

    struct Action: Codable {
        var sequence: UInt64
        var type: String
        var text: String
        /// The action as JSON, if its type can be encoded.
        var value: String?
        var callSite: String
        var cause: Cause?
        var follows: UInt64?
        var scope: String?
        var states: [String]
    }

    struct Cause: Codable {
        var id: UInt64
        var name: String
        var trigger: UInt64?
        var callSite: String
    }

    struct Run: Codable {
        var id: UInt64
        var kind: String
        var saga: String
        var name: String
        var trigger: UInt64?
        var callSite: String
        var scope: String?
        var start: Duration?
        var end: Duration?
        var outcome: String?
    }

    struct Refused: Codable {
        var reason: String
        var text: String
        var callSite: String?
    }

    struct State: Codable {
        var type: String
        var scope: String?
        var isStart: Bool?
        var isGone: Bool?
        var isShared: Bool?
        var changes: [Change]?
        /// The state as JSON, if it can be encoded, and is either small or new.
        var value: String?
    }

    struct Change: Codable {
        var path: [String]
        var new: ValueTree?
        var after: String?
    }
}

extension ValueTree: Codable {
    /// A text, or the name of a branch followed by its keys and parts in turn.
    init(from decoder: any Decoder) throws {
        if let text = try? decoder.singleValueContainer().decode(String.self) {
            self = .leaf(text)
            return
        }
        var list = try decoder.unkeyedContainer()
        let name = try list.decode(String.self)
        var parts: [Part] = []
        while !list.isAtEnd {
            parts.append(Part(key: try list.decode(String.self), value: try list.decode(ValueTree.self)))
        }
        self = .branch(name, parts)
    }

    func encode(to encoder: any Encoder) throws {
        switch self {
        case .leaf(let text):
            var container = encoder.singleValueContainer()
            try container.encode(text)
        case .branch(let name, let parts):
            var list = encoder.unkeyedContainer()
            try list.encode(name)
            for part in parts {
                try list.encode(part.key)
                try list.encode(part.value)
            }
        }
    }
}

/// A decoded `.loading` has no work behind it. Call ``Relux/Loadable/cancelLoading()`` after restoring a state.
extension Relux.Loadable: Codable where Value: Codable, Failure: Codable {
    // The format is the one that the compiler would choose, such as `{"loaded":{"_0":5}}`. The compiler's own code is
    // several times as large, because it has a type of keys for each phase.
    private enum CodingKeys: String, CodingKey {
        // The phases.
        case idle
        case loading
        case loaded
        case failed
        // The content of a phase.
        case content = "_0"
        case previous
    }

    /// Encodes the phase, with what it contains.
    ///
    /// - Throws: Any error thrown while encoding the value or the failure.
    public func encode(to encoder: any Encoder) throws {
        let phase: CodingKeys =
            switch self {
            case .idle: .idle
            case .loading: .loading
            case .loaded: .loaded
            case .failed: .failed
            }
        var phases = encoder.container(keyedBy: CodingKeys.self)
        var contents = phases.nestedContainer(keyedBy: CodingKeys.self, forKey: phase)
        if case .failed(let failure, _) = self { try contents.encode(failure, forKey: .content) }
        if case .loaded(let value) = self {
            try contents.encode(value, forKey: .content)
        } else {
            try contents.encodeIfPresent(value, forKey: .previous)
        }
    }

    /// Decodes a phase, with what it contains.
    ///
    /// - Throws: Any error thrown while decoding the value or the failure, or a `DecodingError.dataCorrupted` if there
    ///   isn't exactly one phase.
    public init(from decoder: any Decoder) throws {
        let phases = try decoder.container(keyedBy: CodingKeys.self)
        guard let phase = phases.allKeys.first, phases.allKeys.count == 1 else {
            let problem = "Expected exactly one phase of a loadable, not \(phases.allKeys.count)."
            throw DecodingError.dataCorrupted(.init(codingPath: decoder.codingPath, debugDescription: problem))
        }
        let contents = try phases.nestedContainer(keyedBy: CodingKeys.self, forKey: phase)
        switch phase {
        case .idle:
            self = .idle
        case .loading:
            self = .loading(previous: try Self.previous(in: contents))
        case .loaded:
            self = .loaded(try contents.decode(Value.self, forKey: .content))
        case .failed:
            self = .failed(
                try contents.decode(Failure.self, forKey: .content),
                previous: try Self.previous(in: contents)
            )
        case .content, .previous:
            let problem = "\(phase.stringValue) isn't a phase of a loadable."
            throw DecodingError.dataCorruptedError(forKey: phase, in: phases, debugDescription: problem)
        }
    }

    private static func previous(in contents: KeyedDecodingContainer<CodingKeys>) throws -> Value? {
        if let previous = try contents.decodeIfPresent(Value.self, forKey: .previous) { return previous }
        // A null is a previous value if values are optional; otherwise, it can't be decoded.
        return contents.contains(.previous) ? try? contents.decode(Value.self, forKey: .previous) : nil
    }
}

extension Relux {
    /// The identity of a run: what runs, and what had set it off.
    public struct RunRecord: Sendable, Hashable, Identifiable, CustomStringConvertible {
        /// What kind of work a run is.
        public enum Kind: Sendable, Hashable {
            /// A ``Relux/Saga``.
            case saga
            /// A ``Relux/Flow``.
            case flow
            /// A ``Relux/Watcher``.
            case watcher
            /// The body of ``Relux/SagaContext/timeout(after:_:)``.
            case timeout
        }

        /// Unique in its store; later runs have higher ids.
        public let id: UInt64

        /// What kind of work it is.
        public let kind: Kind

        /// The type of the saga, flow or watcher; for the body of a timeout, that of the run around it.
        public let saga: Any.Type

        /// What had set it off; nil for a watcher and for the body of a timeout.
        public let trigger: (any Action)?

        /// The line that dispatched, sent or performed the trigger, or registered the watcher.
        public let callSite: CallSite

        /// `Notes.Saga #4`.
        public var description: String {
            kind == .timeout ? "timeout in \(shortName(of: saga)) #\(id)" : "\(shortName(of: saga)) #\(id)"
        }

        /// Whether both are the same run of the same saga.
        ///
        /// - Parameters:
        ///   - lhs: A record.
        ///   - rhs: Another one.
        /// - Returns: Whether they are equal.
        public static func == (lhs: RunRecord, rhs: RunRecord) -> Bool {
            lhs.id == rhs.id && lhs.saga == rhs.saga
        }

        /// Hashes the id.
        ///
        /// - Parameter hasher: The hasher to feed.
        public func hash(into hasher: inout Hasher) {
            hasher.combine(id)
        }
    }

    /// How a run ended.
    public enum RunOutcome: Sendable, CustomStringConvertible {
        /// It returned.
        case finished
        /// It threw an error that isn't an outcome itself.
        case failed(any Error)
        /// It was cancelled, or threw a `CancellationError`.
        case cancelled
        /// A newer trigger took its place.
        case superseded
        /// Its policy let it not even start.
        case dropped

        /// One word, and the error if there is one.
        public var description: String {
            switch self {
            case .finished: "finished"
            case .failed(let error): "failed: \(error)"
            case .cancelled: "cancelled"
            case .superseded: "superseded"
            case .dropped: "dropped"
            }
        }
    }
}

/// A type's name without modules, as code in its module writes it: `Notes.State`, `Box<Notes.State>.Action`.
package func shortName(of type: Any.Type) -> String {
    var rest = Substring(String(reflecting: type))
    var name = ""
    while let next = rest.first {
        if rest.hasPrefix("(extension in ") {
            rest = rest.drop { $0 != ":" }.dropFirst()
        } else if let path = rest.removeTypePath() {
            // The first part is the module, unless the path goes on after generic arguments or has no other part.
            let isWhole = name.hasSuffix(".") || path.count == 1
            let parts = isWhole ? path[...] : path.dropFirst()
            name += parts.filter { !$0.hasPrefix("(") }.joined(separator: ".")
        } else {
            name.append(next)
            rest.removeFirst()
        }
    }
    return name
}

extension Substring {
    /// Removes the names between dots at the beginning, with the `(unknown context at …)` of private and local types.
    ///
    /// - Returns: The names; nil if there are none.
    fileprivate mutating func removeTypePath() -> [Substring]? {
        var path: [Substring] = []
        var rest = self
        while let part = rest.typePathPart {
            path.append(part)
            self = rest.dropFirst(part.count)
            guard first == "." else { break }
            rest = dropFirst()
        }
        return path.isEmpty ? nil : path
    }

    private var typePathPart: Substring? {
        if hasPrefix("(unknown context at "), let end = firstIndex(of: ")") { return self[...end] }
        let part = prefix { !" .,:<>()[]{}&@-?!*=".contains($0) }
        return part.isEmpty ? nil : part
    }
}

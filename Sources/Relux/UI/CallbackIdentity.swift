extension Relux.UI {
    /// The identity of a callback: where it was created, the values that it captures, and the store that it names.
    public struct CallbackIdentity: Sendable, Hashable {
        private indirect enum Source: Sendable, Hashable {
            case noop
            case site(fileID: String, line: UInt, column: UInt, Relux.Dispatcher)
            case capturing(Source, AnySendableHashable)
            case sending(AnySendableHashable, Relux.Dispatcher)
            case mapped(Source, at: Source)
        }

        private let source: Source

        private init(_ source: Source) {
            self.source = source
        }

        static let noop = CallbackIdentity(.noop)

        init(_ fileID: StaticString, _ line: UInt, _ column: UInt, to dispatcher: Relux.Dispatcher = .none) {
            self.init(.site(fileID: fileID.description, line: line, column: column, dispatcher))
        }

        init(sending action: some Relux.Action & Hashable, to dispatcher: Relux.Dispatcher) {
            self.init(.sending(AnySendableHashable(action), dispatcher))
        }

        func capturing(_ captured: some Hashable & Sendable) -> CallbackIdentity {
            CallbackIdentity(.capturing(source, AnySendableHashable(captured)))
        }

        func mapped(at site: CallbackIdentity) -> CallbackIdentity {
            CallbackIdentity(.mapped(source, at: site.source))
        }
    }
}

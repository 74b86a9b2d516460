extension Relux.UI {
    /// What makes two callbacks the same: where they were made, and what they name as captured.
    public struct CallbackIdentity: Sendable, Hashable {
        private indirect enum Origin: Sendable, Hashable {
            case noop
            case site(fileID: String, line: UInt, column: UInt)
            case capturing(Origin, AnySendableHashable)
            case sending(AnySendableHashable, Relux.Dispatcher)
            case mapped(Origin, at: Origin)
        }

        private let origin: Origin

        private init(_ origin: Origin) {
            self.origin = origin
        }

        static let noop = CallbackIdentity(.noop)

        init(_ fileID: StaticString, _ line: UInt, _ column: UInt) {
            self.init(.site(fileID: fileID.description, line: line, column: column))
        }

        init(sending action: some Relux.Action & Hashable, to dispatcher: Relux.Dispatcher) {
            self.init(.sending(AnySendableHashable(action), dispatcher))
        }

        func capturing(_ captured: some Hashable & Sendable) -> CallbackIdentity {
            CallbackIdentity(.capturing(origin, AnySendableHashable(captured)))
        }

        func mapped(at site: CallbackIdentity) -> CallbackIdentity {
            CallbackIdentity(.mapped(origin, at: site.origin))
        }
    }
}

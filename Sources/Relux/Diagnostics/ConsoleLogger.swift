#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#elseif canImport(Glibc)
    import Glibc
#endif

extension Relux {
    /// An observer that writes a line for everything that happens, to standard error unless told otherwise.
    ///
    /// A line is built only when something happens while the logger is there. Values that must not be seen are wrapped
    /// in ``Redacted``. Control characters, line separators and what reverses the direction of text are escaped: one
    /// record is one line, which says what it seems to say.
    ///
    /// - Ordering: Lines come in the order of what happens, each written whole.
    /// - Isolation: It writes inside the store: on a slow terminal the store waits for it.
    public struct ConsoleLogger: StoreObserver {
        private let write: @Sendable (String) -> Void

        /// Makes a logger that writes to standard error.
        public init() {
            write = writeToStandardError
        }

        /// Makes a logger that hands its lines to a closure.
        ///
        /// - Parameter write: Gets each line, with its line feed, inside the store.
        public init(write: @escaping @Sendable (String) -> Void) {
            self.write = write
        }

        /// Writes number, time, action, call site and cause.
        ///
        /// - Parameter record: The action.
        public func actionReduced(_ record: ActionRecord) {
            var line = "#\(record.sequence) \(record.time.decimalText) \(shortName(of: type(of: record.action)))"
            line += " \(record.action) (\(record.callSite))"
            if let cause = record.cause { line += " from \(cause)" }
            log(line)
        }

        /// Writes that a run started.
        ///
        /// - Parameter run: The run.
        public func runStarted(_ run: RunRecord) {
            log("\(run) started")
        }

        /// Writes how a run ended.
        ///
        /// - Parameters:
        ///   - run: The run.
        ///   - outcome: How it ended.
        ///   - lateError: What it threw after it had been cancelled or superseded.
        public func runEnded(_ run: RunRecord, _ outcome: RunOutcome, lateError: (any Error)?) {
            log("\(run) \(outcome)" + (lateError.map { ", then threw \($0)" } ?? ""))
        }

        /// Writes what was refused, and why.
        ///
        /// - Parameter refusal: What, and why.
        public func refused(_ refusal: Refusal) {
            log("refused: \(refusal)")
        }

        /// Writes that a module came.
        ///
        /// - Parameter module: Its type.
        public func moduleRegistered(_ module: any Module.Type) {
            log("registered \(shortName(of: module))")
        }

        /// Writes that a module went.
        ///
        /// - Parameter module: Its type.
        public func moduleUnregistered(_ module: any Module.Type) {
            log("unregistered \(shortName(of: module))")
        }

        /// Writes which states went back to their initial values.
        ///
        /// - Parameter states: Which ones.
        public func statesReset(_ states: [any State.Type]) {
            log("reset \(states.map { shortName(of: $0) }.joined(separator: ", "))")
        }

        private func log(_ text: String) {
            var line = "relux: "
            for scalar in text.unicodeScalars {
                switch scalar.value {
                // C0, DEL and C1 controls would command the terminal; line and paragraph separators would break the
                // line, and overrides and isolates of direction show it in another order.
                case 0x00..<0x20, 0x7F...0x9F, 0x2028...0x202E, 0x2066...0x2069:
                    line += scalar.escaped(asASCII: true)
                default:
                    line.unicodeScalars.append(scalar)
                }
            }
            write(line + "\n")
        }
    }
}

/// Writes a text to standard error, whole, and gives up where nobody can read it.
private func writeToStandardError(_ text: String) {
    var text = text
    text.withUTF8 { bytes in
        var rest = UnsafeRawBufferPointer(bytes)
        while !rest.isEmpty {
            let written = write(STDERR_FILENO, rest.baseAddress, rest.count)
            if written > 0 {
                rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(written))
            } else if written < 0, errno == EINTR {
                continue
            } else if written < 0, errno == EAGAIN {
                // Somebody made standard error non-blocking: wait until it takes more, instead of trying all the time.
                var standardError = pollfd(fd: STDERR_FILENO, events: Int16(POLLOUT), revents: 0)
                _ = poll(&standardError, 1, -1)
            } else {
                return
            }
        }
    }
}

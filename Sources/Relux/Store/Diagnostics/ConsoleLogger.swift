#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#elseif canImport(Glibc)
    import Glibc
#endif

extension Relux {
    /// An observer that writes one line per event, by default to standard error.
    ///
    /// Lines are built only while the logger is installed. Wrap values that must not appear in them in ``Redacted``.
    /// Control characters, line separators and characters that change the direction of text are escaped, so that every
    /// record is one line, and no text can disguise another.
    ///
    /// - Isolation: It writes inside the store, so a slow terminal delays the store.
    /// - Ordering: Lines are written in the order of the events, each in one piece.
    public struct ConsoleLogger: StoreObserver {
        private let write: @Sendable (String) -> Void

        /// Creates a logger that writes to standard error.
        public init() {
            write = { text in writeAll(text, to: STDERR_FILENO) }
        }

        /// Creates a logger that passes its lines to a closure.
        ///
        /// - Parameter write: Called inside the store with each line, including its line feed.
        public init(write: @escaping @Sendable (String) -> Void) {
            self.write = write
        }

        /// Writes the number, time, type, value, call site, instance and cause of an action.
        public func actionReduced(_ record: ActionRecord) {
            var line = "#\(record.sequence) \(record.time.decimalText) \(shortName(of: type(of: record.action)))"
            line += " \(record.action) (\(record.callSite))" + place(record.scope)
            if let cause = record.cause { line += " from \(cause)" }
            log(line)
        }

        /// Writes that a run has started.
        public func runStarted(_ run: RunRecord) {
            log("\(run) started")
        }

        /// Writes how a run ended, and the error that it threw after it had been cancelled or superseded.
        public func runEnded(_ run: RunRecord, _ outcome: RunOutcome, lateError: (any Error)?) {
            log("\(run) \(outcome)" + (lateError.map { ", then threw \($0)" } ?? ""))
        }

        /// Writes what was refused and why.
        public func refused(_ refusal: Refusal) {
            log("refused: \(refusal)")
        }

        /// Writes that a module was registered, and in which instance.
        public func moduleRegistered(_ module: any Module.Type, in scope: Scope?) {
            log("registered \(shortName(of: module))" + place(scope))
        }

        /// Writes that a module was replaced, and in which instance.
        public func moduleReplaced(_ module: any Module.Type, in scope: Scope?) {
            log("replaced \(shortName(of: module))" + place(scope))
        }

        /// Writes that a module was unregistered, and in which instance.
        public func moduleUnregistered(_ module: any Module.Type, in scope: Scope?) {
            log("unregistered \(shortName(of: module))" + place(scope))
        }

        /// Writes which states were reset to their initial values.
        public func statesReset(_ states: [any State.Type]) {
            log("reset \(states.map { shortName(of: $0) }.joined(separator: ", "))")
        }

        private func place(_ scope: Scope?) -> String { scope.map { " in \($0)" } ?? "" }

        private func log(_ text: String) {
            var line = "relux: "
            for scalar in text.unicodeScalars {
                switch scalar.value {
                // C0, DEL and C1 controls are commands to a terminal. Line and paragraph separators break the line, and
                // directional overrides and isolates reorder it.
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

/// Writes a text to a file completely. Gives up if that fails, for example because the pipe is closed.
func writeAll(_ text: String, to file: Int32) {
    var text = text
    text.withUTF8 { bytes in
        // unsafe: the buffer is used only inside this closure, and `write` reads no more than its count.
        var rest = UnsafeRawBufferPointer(bytes)
        while !rest.isEmpty {
            let written = write(file, rest.baseAddress, rest.count)
            if written > 0 {
                // unsafe: the system never writes more than it was given.
                rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(written))
            } else if written < 0, errno == EINTR {
                continue
            } else if written < 0, errno == EAGAIN {
                // The file is non-blocking: wait until it takes more, instead of spinning.
                var readiness = pollfd(fd: file, events: Int16(POLLOUT), revents: 0)
                _ = poll(&readiness, 1, -1)
            } else {
                return
            }
        }
    }
}

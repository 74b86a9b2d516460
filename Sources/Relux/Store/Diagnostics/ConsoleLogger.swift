#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#elseif canImport(Android)
    import Android
#elseif canImport(WASILibc)
    import WASILibc
#else
    import Glibc
#endif

extension Relux {
    /// An observer that writes one line per event, by default to standard error.
    ///
    /// ```swift
    /// Relux.ConsoleLogger()                                    // lines of at most 120 columns
    /// Relux.ConsoleLogger(.names)                              // without payloads
    /// Relux.ConsoleLogger(only: [Items.Module.self])           // what concerns one module
    /// Relux.ConsoleLogger(.full, types: [Items.Effect.self])   // one type, with everything
    /// ```
    ///
    /// Lines are built only while the logger is installed. Wrap values that must not appear in them in ``Redacted``.
    /// Control characters, line separators and characters that change the direction of text are escaped, so that every
    /// record is one line, and no text can disguise another. Lines are coloured on a terminal, unless `NO_COLOR` is
    /// set.
    ///
    /// - Isolation: It writes inside the store, so a slow terminal delays the store.
    /// - Ordering: Lines are written in the order of the events, each in one piece.
    public struct ConsoleLogger: StoreObserver {
        /// How much a line says.
        public struct Detail: Sendable, Hashable {
            fileprivate enum Kind { case line, full, names }

            fileprivate let kind: Kind

            /// At most 120 columns. Longer lines are shortened in the middle, payloads first.
            public static let line = Detail(kind: .line)
            /// Everything, however long.
            public static let full = Detail(kind: .full)
            /// At most 120 columns, and actions, errors and reasons of refusals without their payloads.
            public static let names = Detail(kind: .names)
        }

        private static let width = 120

        private let detail: Detail
        private let filter: LogFilter
        private let isColored: Bool
        private let write: @Sendable (String) -> Void

        /// Creates a logger that writes to standard error.
        ///
        /// - Parameters:
        ///   - detail: How much a line says.
        ///   - modules: Writes only the actions that reducers or sagas of these modules take, the runs of these sagas,
        ///     and the registration, replacement, and removal of the modules.
        ///   - types: Writes only what concerns these types of actions, states, sagas, flows, and watchers. If modules
        ///     are given as well, it is enough that one of the two applies. Without both, everything is written.
        public init(_ detail: Detail = .line, only modules: [any Module.Type] = [], types: [Any.Type] = []) {
            self.init(detail, only: modules, types: types, colored: isColorTerminal(STDERR_FILENO)) { text in
                writeAll(text, to: STDERR_FILENO)
            }
        }

        /// Creates a logger that passes its lines to a closure.
        ///
        /// - Parameters:
        ///   - detail: How much a line says.
        ///   - modules: The modules to write about, as above.
        ///   - types: The types to write about, as above.
        ///   - colored: Whether lines have the colour sequences of terminals.
        ///   - write: Called inside the store with each line, including its line feed.
        public init(
            _ detail: Detail = .line, only modules: [any Module.Type] = [], types: [Any.Type] = [],
            colored: Bool = false, write: @escaping @Sendable (String) -> Void
        ) {
            self.detail = detail
            filter = LogFilter(modules: modules, types: types)
            isColored = colored
            self.write = write
        }

        /// Writes the number, time, type, value, call site, instance and cause of an action.
        public func actionReduced(_ record: ActionRecord, leaving _: borrowing StateReader) {
            guard filter.passes([type(of: record.action)] + record.states) else { return }
            let cause = record.follows.map { " after #\($0)" } ?? record.cause.map { " from \($0)" } ?? ""
            // Without payloads, only a case has more to say than its type.
            let isNamed = detail == .names && Mirror(reflecting: record.action).displayStyle != .enum
            log(
                [
                    LogPart("#\(record.sequence) \(time(record.time)) ", .soft),
                    LogPart(shortName(of: type(of: record.action)), .name),
                ] + (isNamed ? [] : [LogPart(" ")] + payload(record.action)) + [
                    LogPart(" (\(record.callSite))" + place(record.scope) + cause, .soft)
                ])
        }

        /// Writes that a run has started.
        public func runStarted(_ run: RunRecord) {
            guard filter.passes(run) else { return }
            log([LogPart("\(run)", .name), LogPart(" started", .soft)])
        }

        /// Writes how a run ended, and the error that it threw after it had been cancelled or superseded.
        public func runEnded(_ run: RunRecord, _ outcome: RunOutcome, lateError: (any Error)?) {
            guard filter.passes(run) else { return }
            var parts = [LogPart("\(run)", .name)]
            switch outcome {
            case .failed(let error): parts += [LogPart(" failed: ", .problem)] + payload(error)
            default: parts.append(LogPart(" \(outcome)", .soft))
            }
            if let lateError { parts += [LogPart(", then threw ")] + payload(lateError) }
            log(parts)
        }

        /// Writes that a save failed. It has no other line; those of other runs say how they ended.
        public func failureUnreceived(of run: RunRecord, _ error: any Error) {
            guard run.kind == .save, filter.passes(run) else { return }
            log([LogPart("\(run)", .name), LogPart(" failed: ", .problem)] + payload(error))
        }

        /// Writes what was refused and why.
        public func refused(_ refusal: Refusal) {
            // A refusal without an action may concern anything.
            guard refusal.action.map({ filter.passes([type(of: $0)]) }) ?? true else { return }
            guard detail == .names else {
                return log([LogPart("refused: ", .problem), LogPart("\(refusal)", .payload)])
            }
            let action = refusal.action.map { shortName(of: type(of: $0)) + " " } ?? ""
            let place = refusal.callSite.map { " (\($0))" } ?? ""
            log([LogPart("refused: ", .problem), LogPart(action, .name)] + payload(refusal.reason) + [LogPart(place)])
        }

        /// Writes that a module was registered, and in which instance.
        public func moduleRegistered(
            _ module: any Module.Type, in scope: Scope?, leaving states: borrowing StateReader
        ) {
            note("registered", module, scope, leaving: states)
        }

        /// Writes that a module was replaced, and in which instance.
        public func moduleReplaced(_ module: any Module.Type, in scope: Scope?, leaving states: borrowing StateReader) {
            note("replaced", module, scope, leaving: states)
        }

        /// Writes that a module was unregistered, and in which instance.
        public func moduleUnregistered(_ module: any Module.Type, in scope: Scope?) {
            note("unregistered", module, scope)
        }

        /// Writes which states were reset to their initial values.
        public func statesReset(_ states: [any State.Type], leaving _: borrowing StateReader) {
            guard filter.passes(states) else { return }
            log([LogPart("reset "), LogPart(states.map { shortName(of: $0) }.joined(separator: ", "), .payload)])
        }

        /// Writes about a module that connects something, and learns what belongs to it.
        private func note(
            _ what: String, _ module: any Module.Type, _ scope: Scope?, leaving states: borrowing StateReader
        ) {
            if filter.wants(module), let description = states.module(module, in: scope) { filter.learn(description) }
            note(what, module, scope)
        }

        private func note(_ what: String, _ module: any Module.Type, _ scope: Scope?) {
            guard filter.passes([module]) else { return }
            log([LogPart("\(what) "), LogPart(shortName(of: module), .name), LogPart(place(scope))])
        }

        private func place(_ scope: Scope?) -> String { scope.map { " in \($0)" } ?? "" }

        /// The name of a case, and its payload. The name is the last to be cut.
        private func payload(_ value: Any) -> [LogPart] {
            let mirror = Mirror(reflecting: value)
            let isCase = mirror.displayStyle == .enum
            guard detail != .names else {
                let name = isCase ? mirror.children.first?.label ?? "\(value)" : shortName(of: type(of: value))
                return [LogPart(name)]
            }
            let text = "\(value)"
            guard isCase, let name = mirror.children.first?.label, text.hasPrefix(name) else {
                return [LogPart(text, .payload)]
            }
            return [LogPart(name), LogPart(String(text.dropFirst(name.count)), .payload)]
        }

        /// A time, to the microsecond if the width is limited.
        private func time(_ time: Duration) -> String {
            let microsecond: Int128 = 1_000_000_000_000
            guard detail != .full, time.attoseconds >= 1_000 * microsecond else { return time.decimalText }
            return Duration(attoseconds: time.attoseconds / microsecond * microsecond).decimalText
        }

        private func log(_ parts: [LogPart]) {
            var parts = [LogPart("relux: ", .soft)] + parts
            for index in parts.indices { parts[index].escape() }
            if detail != .full { LogPart.fit(&parts, into: Self.width) }
            write(parts.map { isColored ? $0.colored : $0.text }.joined() + "\n")
        }
    }
}

/// Which events a logger writes.
private final class LogFilter: Sendable {
    private let modules: Set<ObjectIdentifier>
    private let isOpen: Bool
    /// The types that are written: the given ones, and those of the modules once they are registered.
    private let types: Lock<Set<ObjectIdentifier>>

    init(modules: [any Relux.Module.Type], types: [Any.Type]) {
        self.modules = Set(modules.map { ObjectIdentifier($0) })
        isOpen = modules.isEmpty && types.isEmpty
        self.types = Lock(self.modules.union(types.map { ObjectIdentifier($0) }))
    }

    func wants(_ module: any Relux.Module.Type) -> Bool { modules.contains(ObjectIdentifier(module)) }

    func learn(_ module: Relux.ModuleDescription) {
        let own: [Any.Type] = module.states.map { type(of: $0) } + module.runners.map(\.saga) + module.watchers
        let taken: [Any.Type] = module.reductions.map(\.action) + module.runners.map(\.trigger)
        let all = (own + taken).map { ObjectIdentifier($0) }
        types.withLock { $0.formUnion(all) }
    }

    func passes(_ concerned: [Any.Type]) -> Bool {
        isOpen || types.withLock { types in concerned.contains { types.contains(ObjectIdentifier($0)) } }
    }

    func passes(_ run: Relux.RunRecord) -> Bool {
        passes([run.saga] + (run.trigger.map { [type(of: $0)] } ?? []))
    }
}

/// Whether a file is a terminal that shows colours.
private func isColorTerminal(_ file: Int32) -> Bool {
    // unsafe pointers: the environment's texts, only looked at.
    let (noColor, terminal) = (getenv("NO_COLOR"), getenv("TERM"))
    let isPlain = noColor.map { $0.pointee != 0 } ?? false
    return isatty(file) == 1 && !isPlain && terminal.map { strcmp($0, "dumb") != 0 } ?? false
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
            } else if written == 0 || !waitAfterError(in: file) {
                return
            }
        }
    }
}

/// Waits after a failed `write` until the file can take more.
///
/// - Returns: Whether it is worth trying again.
private func waitAfterError(in file: Int32) -> Bool {
    #if canImport(WASILibc)
        // On WASI, calls are never interrupted, and files are blocking.
        false
    #else
        switch errno {
        case EINTR: return true
        case EAGAIN:
            // The file is non-blocking: wait until it takes more, instead of spinning.
            var readiness = pollfd(fd: file, events: Int16(POLLOUT), revents: 0)
            _ = poll(&readiness, 1, -1)
            return true
        default: return false
        }
    #endif
}

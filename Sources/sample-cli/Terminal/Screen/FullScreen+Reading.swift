import Foundation

extension FullScreen {
    /// How long an escape character may be alone before it is the escape key, in milliseconds.
    private static let escapeLimit: Int32 = 50

    /// How long a program that goes on in the background may be ended by what came with that, in milliseconds.
    private static let stopDelay: Int32 = 200

    /// Begins to read keys, to hear of signals and to paint, in threads of its own.
    ///
    /// - Returns: Whether the system has what that takes.
    func listen() -> Bool {
        guard let signals = TerminalSignals.listen() else { return false }
        Thread.detachNewThread { [self] in
            SignalStack.provide()
            TerminalSignals.unblock()
            read(signals: signals)
        }
        Thread.detachNewThread { [self] in
            SignalStack.provide()
            paint()
        }
        return true
    }

    private func read(signals: Int32) {
        var parser = KeyParser()
        var sources = [
            pollfd(fd: input, events: Int16(POLLIN), revents: 0),
            pollfd(fd: signals, events: Int16(POLLIN), revents: 0),
        ]
        while true {
            // In the background what is typed is meant for somebody else: of the terminal only its end is heard.
            sources[0].events = TerminalRescue.isInForeground(input) ? Int16(POLLIN) : 0
            let count = poll(&sources, 2, parser.isAmbiguous ? Self.escapeLimit : -1)
            if count == 0 { give(parser.flush()) }
            guard count > 0 else { continue }
            if sources[1].revents != 0 { bytes(from: signals)?.forEach { obey(Int32($0)) } }
            if sources[0].revents != 0 {
                if let bytes = bytes(from: input) {
                    give(parser.take(bytes))
                } else if sources[0].revents != Int16(POLLIN) || TerminalRescue.isInForeground(input) {
                    return closed()
                } else {
                    goOn()
                }
            }
        }
    }

    /// What is there to read; nil where nothing will ever come again.
    private func bytes(from descriptor: Int32) -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: 4_096)
        let count = Foundation.read(descriptor, &bytes, bytes.count)
        if count < 0 { return errno == EINTR || errno == EAGAIN ? [] : nil }
        return count == 0 ? nil : Array(bytes[..<count])
    }

    /// Hands keys on, but for those that are as good as signals.
    private func give(_ keys: [Key]) {
        var rest = keys[...]
        while let index = rest.firstIndex(where: { $0.signal != nil }) {
            if index > rest.startIndex { continuation.yield(.keys(Array(rest[..<index]))) }
            rest[index].signal.map(obey)
            rest = rest[(index + 1)...]
        }
        if !rest.isEmpty { continuation.yield(.keys(Array(rest))) }
    }

    private func obey(_ signal: Int32) {
        switch signal {
        case SIGTSTP:
            leave(forGood: false)
            TerminalSignals.stop(by: SIGTSTP)
            goOn()
        case SIGCONT:
            // Who was stopped without being asked finds the terminal as the shell has left it.
            goOn()
        case SIGWINCH:
            forget()
            continuation.yield(.disturbed)
        default: ending.end(with: 128 + signal)
        }
    }

    /// Goes on after the program was stopped, or stops it again where it may not have the terminal: after `bg`.
    ///
    /// Where no shell could let it go on either, it waits for SIGCONT, and neither draws nor reads until then.
    private func goOn() {
        if !TerminalRescue.isInForeground(input) {
            leave(forGood: false)
            // Shells let a stopped program go on when they kill it: it would be stopped before another thread has
            // ended it.
            poll(nil, 0, Self.stopDelay)
        }
        // Asked anew: brought to the foreground meanwhile, a program that runs isn't told.
        if TerminalRescue.isInForeground(input) {
            enter(again: true)
            continuation.yield(.disturbed)
        } else {
            TerminalSignals.stop(by: SIGTTOU)
        }
    }
}

extension Key {
    /// The signal that a terminal sends for it where it isn't a full screen.
    fileprivate var signal: Int32? {
        switch self {
        case .control("c"): SIGINT
        case .control("z"): SIGTSTP
        case .control("\\"): SIGQUIT
        default: nil
        }
    }
}

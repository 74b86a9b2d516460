import Foundation

extension FullScreen {
    /// How long to wait after an escape character before it counts as the Escape key, in milliseconds.
    private static let escapeLimit: Int32 = 50
    /// How long to wait for an accompanying signal that ends a program continued in the background, in milliseconds.
    private static let stopDelay: Int32 = 200

    /// Starts reading keys, receiving signals, and painting, in threads of their own. Returns whether the system has
    /// enough resources.
    func listen() -> Bool {
        guard let signals = TerminalSignals.listen() else { return false }
        Thread.detachNewThread { [self] in
            TerminalSignals.unblock()
            read(signals: signals)
        }
        Thread.detachNewThread { [self] in
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
            // In the background, input is meant for another program. Only the terminal's hang-up is watched.
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

    /// The available bytes, or nil if there will never be any more.
    private func bytes(from descriptor: Int32) -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: 4_096)
        let count = Foundation.read(descriptor, &bytes, bytes.count)
        if count < 0 { return errno == EINTR || errno == EAGAIN ? [] : nil }
        return count == 0 ? nil : Array(bytes[..<count])
    }

    /// Passes on keys, except for those that stand for signals.
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
            // A program stopped by SIGSTOP finds the terminal as the shell left it.
            goOn()
        case SIGWINCH:
            forget()
            continuation.yield(.disturbed)
        default: ending.obey(signal)
        }
    }

    /// Continues after the program was stopped, or stops it again if it can't have the terminal, as after `bg`.
    ///
    /// If no shell could continue it (an orphaned process group can't be stopped), it waits for SIGCONT, and neither
    /// draws nor reads until then.
    private func goOn() {
        if !TerminalRescue.isInForeground(input) {
            leave(forGood: false)
            // A shell continues a stopped program when it kills it. Stopping again immediately would prevent another
            // thread from ending it.
            poll(nil, 0, Self.stopDelay)
        }
        // Checked again, because a running program isn't notified when it is brought to the foreground.
        if TerminalRescue.isInForeground(input) {
            enter(again: true)
            continuation.yield(.disturbed)
        } else {
            TerminalSignals.stop(by: SIGTTOU)
        }
    }
}

extension Key {
    /// The signal that the terminal would send for the key in its normal mode.
    fileprivate var signal: Int32? {
        switch self {
        case .control("c"): SIGINT
        case .control("z"): SIGTSTP
        case .control("\\"): SIGQUIT
        default: nil
        }
    }
}

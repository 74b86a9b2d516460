// Dispatch queues may be used from any thread, but the module isn't annotated accordingly.
@preconcurrency import Dispatch
import Foundation
import Synchronization

/// The terminal of this process as a full screen: the source of keys and the target of pictures.
///
/// It can be used from anywhere. Keys are read in a thread, and pictures are written in a queue, so that a slow
/// terminal delays nothing else. There must be only one instance per process, which must be left before the process
/// ends.
final class FullScreen: Sendable {
    private struct Contents {
        var isEntered = false
        /// The picture that is to be written next. Older ones are dropped.
        var newest: [String]?
        /// The displayed picture, or nil if it is unknown.
        var shown: [String]?
    }

    /// How long to wait after an escape character before it counts as the Escape key, in milliseconds.
    private static let escapeLimit: Int32 = 50

    private let ending: ProcessEnding
    private let mode: termios
    private let contents = Mutex(Contents())
    private let queue = DispatchQueue(label: "screen")

    /// The result is nil if standard input is not a terminal.
    init?(ending: ProcessEnding) {
        guard let mode = termios(of: STDIN_FILENO) else { return nil }
        (self.ending, self.mode) = (ending, mode)
    }

    var size: TerminalSize { TerminalSize(of: STDOUT_FILENO) }

    /// Turns the terminal into a full screen, and reports keys and changes of the size from now on.
    func enter(keys give: @escaping @Sendable ([Key]) -> Void, resized: @escaping @Sendable () -> Void) {
        contents.withLock { $0.isEntered = true }
        // A stopped program would leave its screen to the shell.
        signal(SIGTSTP, SIG_IGN)
        mode.raw.apply(to: STDIN_FILENO)
        queue.async { [self] in write(TerminalSequences.enter) }
        ending.observe(SIGWINCH) { [self] in
            queue.async { [self] in contents.withLock { $0.shown = nil } }
            resized()
        }
        Thread.detachNewThread { [self] in readKeys(give) }
    }

    /// Restores the terminal, if it was entered. Pictures that are shown later are dropped.
    func leave() {
        let isEntered = contents.withLock { contents in
            defer { contents.isEntered = false }
            return contents.isEntered
        }
        guard isEntered else { return }
        let isWritten = DispatchSemaphore(value: 0)
        queue.async { [self] in
            write(TerminalSequences.leave)
            isWritten.signal()
        }
        // A terminal that accepts no output for a second is given up, because nothing would be visible there anyway.
        _ = isWritten.wait(timeout: .now() + 1)
        mode.apply(to: STDIN_FILENO)
    }

    /// Shows a picture, given as the output for each row, as soon as the terminal has accepted the previous one.
    func show(_ picture: [String]) {
        contents.withLock { $0.newest = picture }
        queue.async { [self] in
            let update = contents.withLock { contents in
                guard contents.isEntered, let newest = contents.newest else { return "" }
                defer { (contents.newest, contents.shown) = (nil, newest) }
                return TerminalSequences.update(from: contents.shown, to: newest)
            }
            write(update)
        }
    }

    private func write(_ text: String) {
        if Descriptor.write(text, to: STDOUT_FILENO) != nil { hangUp() }
    }

    private func readKeys(_ give: ([Key]) -> Void) {
        var parser = KeyParser()
        var input = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
        var bytes = [UInt8](repeating: 0, count: 4_096)
        while true {
            let isReady = poll(&input, 1, parser.isAmbiguous ? Self.escapeLimit : -1)
            if isReady == 0 { give(parser.flush()) }
            guard isReady > 0 else { continue }
            let count = read(STDIN_FILENO, &bytes, bytes.count)
            if count > 0 {
                deliver(parser.take(bytes[..<count]), to: give)
            } else if count == 0 || (errno != EINTR && errno != EAGAIN) {
                return hangUp()
            }
        }
    }

    /// Delivers keys, except for those that stand for signals.
    private func deliver(_ keys: [Key], to give: ([Key]) -> Void) {
        for part in keys.split(omittingEmptySubsequences: false, whereSeparator: { $0.signal != nil }) {
            if !part.isEmpty { give(Array(part)) }
            if part.endIndex < keys.endIndex, let signal = keys[part.endIndex].signal { ending.obey(signal) }
        }
    }

    /// Ends the process because its terminal is gone, after the last saves. It does so in another thread, because the
    /// cleanup waits for the queue.
    private func hangUp() {
        DispatchQueue.global().async { [ending] in ending.obey(SIGHUP) }
    }
}

extension Key {
    /// The signal that the terminal would send for the key in its normal mode.
    fileprivate var signal: Int32? {
        switch self {
        case .control("c"): SIGINT
        case .control("\\"): SIGQUIT
        default: nil
        }
    }
}

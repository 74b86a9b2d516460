import Foundation
import Synchronization

/// The terminal of this process as a full screen: keys come from it, and pictures go to it.
///
/// - Isolation: It can be used from anywhere. Keys are read in a thread of its own, and pictures painted in another.
/// - Lifetime: From ``enter(again:)`` on the terminal is given back by ``leave(forGood:)``, when the process is ended
///   in an orderly way, by any other signal that ends it, a crash included, and while the program is stopped. Three
///   things can't be heard of: SIGKILL, SIGSTOP, and a stack that overflows, other than those of the threads here
///   (``SignalStack``). A program that stands in the background neither enters it nor changes how it treats what
///   is typed.
// @unchecked Sendable: its variables are only touched between the lock and the unlock of `lock`.
final class FullScreen: @unchecked Sendable {
    /// What happens to a terminal.
    enum Event: Sendable, Equatable {
        /// Keys were pressed.
        case keys([Key])
        /// What is on the screen isn't known any more, or its size is another one.
        case disturbed
    }

    /// What is shown at a time.
    private struct Picture: Sendable {
        let canvas: Canvas
        let palette: Palette
    }

    /// What happens, for one reader.
    let events: AsyncStream<Event>

    let input = STDIN_FILENO
    let output = STDOUT_FILENO
    let ending: ProcessEnding
    let continuation: AsyncStream<Event>.Continuation

    /// The mode of a full screen.
    private var raw: TerminalMode
    private var hasEntered = false
    /// Its functions are the same for every thread; and it may be waited for with a limit.
    private let lock = NSLock()
    /// What the terminal shows; nil where that isn't known.
    private var shown: Picture?
    /// Whether somebody else has written on it since. Not below `lock`: who has to tell can't wait for who writes.
    private let isDisturbed = Atomic(false)
    private let newest = NewestValue<Picture>()

    /// Makes ready what ``enter(again:)`` needs. There is one a process, and none where standard input is no terminal.
    ///
    /// - Parameter ending: How the process is ended where the terminal asks for it.
    init?(ending: ProcessEnding) {
        guard let mode = TerminalMode(of: STDIN_FILENO) else { return nil }
        raw = mode.raw
        self.ending = ending
        (events, continuation) = AsyncStream.makeStream(of: Event.self)
        TerminalRescue.prepare(mode, input: input, output: output)
    }

    /// The size that it has now.
    var size: TerminalSize {
        var size = winsize()
        _ = ioctl(output, UInt(TIOCGWINSZ), &size)
        return TerminalSize(rows: Int(size.ws_row), columns: Int(size.ws_col))
    }

    /// Makes the terminal a full screen, or puts one right that somebody else has changed. From the background that is
    /// done only when the program comes to the foreground; until then it is stopped.
    ///
    /// - Parameter isAgain: Whether it is only put right where it was entered before.
    func enter(again isAgain: Bool = false) {
        lock.lock()
        defer { lock.unlock() }
        shown = nil
        if !hasEntered, TerminalRescue.isInForeground(input), let mode = TerminalMode(of: input) {
            // How it was when the program began may be a shell's matter, if that was in the background.
            raw = mode.raw
            TerminalRescue.remember(mode)
        }
        // Before anything is changed, so that there is no moment in which nobody would change it back.
        guard TerminalRescue.begin(again: isAgain) else {
            if !isAgain { TerminalSignals.tell(SIGCONT) }
            return
        }
        hasEntered = true
        raw.apply(to: input)
        _ = write(Array(TerminalSequences.enter.utf8))
    }

    /// Gives the terminal back. Pictures drawn until it is entered again are thrown away.
    ///
    /// - Parameter isOver: Whether it is never entered again.
    func leave(forGood isOver: Bool) {
        if TerminalRescue.isOver { return }
        // Who is writing may wait for a terminal that takes nothing any more.
        let isFree = lock.lock(before: Date(timeIntervalSinceNow: 1))
        defer { if isFree { lock.unlock() } }
        TerminalRescue.restore(forGood: isOver)
    }

    /// Shows a picture as soon as the terminal has taken the last one. It makes nobody wait: of pictures that a
    /// terminal hasn't taken only the newest is kept.
    func show(_ canvas: Canvas, _ palette: Palette) { newest.put(Picture(canvas: canvas, palette: palette)) }

    /// Writes what is different in each picture from the last one, for as long as there is a process. It waits for the
    /// terminal, and so has a thread of its own.
    func paint() {
        while true {
            let picture = newest.take()
            lock.lock()
            if isDisturbed.exchange(false, ordering: .acquiringAndReleasing) { shown = nil }
            let old = shown?.palette == picture.palette ? shown?.canvas : nil
            let update = FrameWriter(palette: picture.palette).update(from: old, to: picture.canvas)
            let isWritten =
                update.isEmpty
                || write(Array((TerminalSequences.beginUpdate + update + TerminalSequences.endUpdate).utf8))
            shown = isWritten ? picture : nil
            lock.unlock()
        }
    }

    /// Forgets what is shown: the next picture is written as a whole.
    func forget() { isDisturbed.store(true, ordering: .releasing) }

    /// Writes as long as the terminal is a full screen, and ends the process where there is no terminal any more.
    ///
    /// - Returns: Whether everything was written.
    private func write(_ bytes: [UInt8]) -> Bool {
        var rest = bytes[...]
        while !rest.isEmpty {
            guard TerminalRescue.isShown else { return false }
            let count = rest.withUnsafeBytes { Foundation.write(output, $0.baseAddress, $0.count) }
            if count >= 0 {
                rest = rest.dropFirst(count)
            } else if errno == EAGAIN {
                // Somebody has made the terminal one that doesn't wait; so wait here.
                var readiness = pollfd(fd: output, events: Int16(POLLOUT), revents: 0)
                poll(&readiness, 1, -1)
            } else if errno != EINTR {
                closed()
                return false
            }
        }
        return true
    }

    /// Ends the process as one whose terminal has gone. Not from here, where a lock is held that tidying up needs.
    func closed() {
        let ending = ending
        Thread.detachNewThread { ending.end(with: 128 + SIGHUP) }
    }
}

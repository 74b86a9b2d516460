import Foundation
import Synchronization

/// The terminal of this process as a full screen: the source of keys and the target of pictures.
///
/// - Isolation: It can be used from anywhere. Keys are read in one thread, and pictures are painted in another.
/// - Lifetime: After ``enter(again:)``, the terminal is restored by ``leave(forGood:)``, when the process is ended in
///   an orderly way, by any other signal that ends it, including a crash, and while the program is stopped. There are
///   three exceptions that can't be handled: SIGKILL, SIGSTOP, and a stack overflow. A program in the background
///   neither enters the screen nor changes the terminal's input mode.
// @unchecked Sendable: the variables are accessed only while `lock` is held.
final class FullScreen: @unchecked Sendable {
    enum Event: Sendable, Equatable {
        case keys([Key])
        /// The contents of the screen are unknown, or its size has changed.
        case disturbed
    }

    private typealias Picture = (canvas: Canvas, palette: Palette)

    /// The events of the terminal, for a single reader.
    let events: AsyncStream<Event>
    let input = STDIN_FILENO
    let output = STDOUT_FILENO
    let ending: ProcessEnding
    let continuation: AsyncStream<Event>.Continuation
    private var raw: termios
    private var hasEntered = false
    /// An `NSLock`, which any thread may use and which can be acquired with a timeout.
    private let lock = NSLock()
    /// The displayed picture, or nil if it is unknown.
    private var shown: Picture?
    /// Whether the screen has been overwritten since. Not protected by `lock`, because setting it must not wait for a
    /// write.
    private let isDisturbed = Atomic(false)
    private let newest = NewestValue<Picture>()

    /// Prepares everything that ``enter(again:)`` needs. There must be only one instance per process. The result is nil
    /// if standard input is not a terminal.
    init?(ending: ProcessEnding) {
        guard let mode = termios(of: STDIN_FILENO) else { return nil }
        raw = mode.raw
        self.ending = ending
        (events, continuation) = AsyncStream.makeStream(of: Event.self)
        TerminalRescue.prepare(mode, input: input, output: output)
    }

    var size: TerminalSize { TerminalSize(of: output) }

    /// Turns the terminal into a full screen, or restores one, that was entered before, after another program has
    /// changed it. In the background, this happens only when the program is brought to the foreground. Until then it is
    /// stopped.
    func enter(again isAgain: Bool = false) {
        lock.lock()
        defer { lock.unlock() }
        shown = nil
        if !hasEntered, TerminalRescue.isInForeground(input), let mode = termios(of: input) {
            // If the program was started in the background, its initial mode may have been the shell's.
            raw = mode.raw
            TerminalRescue.remember(mode)
        }
        // Registered before anything is changed, so that the terminal is always restored.
        guard TerminalRescue.begin(again: isAgain) else {
            if !isAgain { TerminalSignals.tell(SIGCONT) }
            return
        }
        hasEntered = true
        raw.apply(to: input)
        _ = write(TerminalSequences.enter)
    }

    /// Restores the terminal, possibly for good. Pictures drawn before it is entered again are dropped.
    func leave(forGood isOver: Bool) {
        if TerminalRescue.isOver { return }
        // The lock may be held by a writer that is blocked by the terminal.
        let isFree = lock.lock(before: Date(timeIntervalSinceNow: 1))
        defer { if isFree { lock.unlock() } }
        TerminalRescue.restore(forGood: isOver)
    }

    /// Shows a picture as soon as the terminal has accepted the previous one, without waiting. Only the newest pending
    /// picture is kept.
    func show(_ canvas: Canvas, _ palette: Palette) { newest.put((canvas, palette)) }

    /// Writes the difference between each picture and the previous one, for the lifetime of the process. It waits for
    /// the terminal and must run in a thread of its own.
    func paint() {
        while true {
            let picture = newest.take()
            lock.lock()
            if isDisturbed.exchange(false, ordering: .acquiringAndReleasing) { shown = nil }
            let old = shown?.palette == picture.palette ? shown?.canvas : nil
            let update = FrameWriter(palette: picture.palette).update(from: old, to: picture.canvas)
            let isWritten =
                update.isEmpty || write(TerminalSequences.beginUpdate + update + TerminalSequences.endUpdate)
            shown = isWritten ? picture : nil
            lock.unlock()
        }
    }

    /// Marks the contents of the screen as unknown, so that the next picture is written completely.
    func forget() { isDisturbed.store(true, ordering: .releasing) }

    /// Writes for as long as the terminal is a full screen, and returns whether everything was written. It ends the
    /// process if the terminal is gone.
    private func write(_ text: String) -> Bool {
        var isShown = true
        let code = Descriptor.write(text, to: output) {
            isShown = TerminalRescue.isShown
            return isShown
        }
        if code != nil { closed() }
        return code == nil && isShown
    }

    /// Ends the process because its terminal is gone, after the last saves. It does so in another thread, because the
    /// cleanup needs a lock that is held here.
    func closed() {
        let ending = ending
        Thread.detachNewThread { ending.obey(SIGHUP) }
    }
}

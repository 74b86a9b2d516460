import Foundation
import Relux

/// A program in a terminal of its own, with a simulated user: typed text goes to the program, and its output is
/// recorded.
///
/// The program is a session leader, and the terminal is its controlling terminal, as in a window. It is killed when the
/// last reference is released, if it hasn't ended.
final class TerminalSession: Sendable {
    /// The failure to see something that was expected.
    struct NotSeen: Error, CustomStringConvertible {
        let description: String
    }

    struct Watcher {
        let isSeen: @Sendable (TerminalEmulator) -> Bool
        let deadline: ContinuousClock.Instant
        let continuation: CheckedContinuation<TerminalEmulator, any Error>
    }

    struct Contents {
        var emulator: TerminalEmulator
        var watchers: [Watcher] = []
        var ending: ChildProcess.Result?
        var isClosed = false
    }

    /// A terminal that can be closed.
    final class Terminal: Sendable {
        private let terminal: Lock<PseudoTerminal?>

        init(_ terminal: PseudoTerminal) { self.terminal = Lock(terminal) }

        var value: PseudoTerminal? { terminal.withLock { $0 } }

        func close() { terminal.withLock { $0 = nil } }
    }

    /// The state shared by the threads.
    final class Board: Sendable {
        private let contents: Lock<Contents>

        init(_ contents: Contents) { self.contents = Lock(contents) }

        func withLock<Value: Sendable>(_ body: (inout Contents) -> Value) -> Value {
            contents.withLock { body(&$0) }
        }
    }

    /// The mode of the terminal before the program was started.
    let firstMode: [UInt64]

    /// Also held by the reading thread, which therefore closes it last.
    private let terminal: Terminal
    private let process: pid_t
    private let contents: Board
    private let ending: Task<ChildProcess.Result, Never>

    /// Starts a program.
    ///
    /// - Parameters:
    ///   - executable: The path of the program. The default is the tested program.
    ///   - environment: The environment, in addition to what the system needs.
    /// - Throws: If the program can't be started.
    init(
        _ arguments: [String], executable: String? = nil, environment: [String: String] = [:],
        rows: Int = 20, columns: Int = 80
    ) throws {
        let terminal = try PseudoTerminal()
        self.terminal = Terminal(terminal)
        firstMode = terminal.mode
        try terminal.resize(rows: rows, columns: columns)
        let (ends, end) = AsyncStream.makeStream(of: ChildProcess.Result.self)
        let path = executable ?? ChildProcess.executable.path(percentEncoded: false)
        let all = ["TERM": "xterm-256color", "PS1": "$ "].merging(ChildProcess.inheritedEnvironment) { $1 }
            .merging(environment) { $1 }
        let process = try terminal.spawn(path, arguments, all)
        self.process = process
        let contents = Board(Contents(emulator: TerminalEmulator(rows: rows, columns: columns)))
        self.contents = contents
        ending = Task { await ends.first { _ in true } ?? ChildProcess.Result() }
        Thread.detachNewThread {
            let result = Self.wait(for: process)
            // One step, so that no signal is sent to another process that has received the same id.
            contents.withLock { $0.ending = result }
            end.yield(result)
            end.finish()
        }
        Thread.detachNewThread { Self.read(terminal, contents) }
    }

    deinit {
        send(SIGKILL)
        contents.withLock { $0.isClosed = true }
    }

    /// The current screen.
    var screen: TerminalEmulator { contents.withLock { $0.emulator } }

    /// The current mode of the terminal.
    var mode: [UInt64] { terminal.value?.mode ?? [] }

    /// Types keys.
    func type(_ text: String) throws { try terminal.value?.write(Array(text.utf8)) }

    /// Closes the window.
    func close() {
        contents.withLock { $0.isClosed = true }
        terminal.close()
    }

    /// Resizes the window.
    func resize(rows: Int, columns: Int) throws {
        contents.withLock { $0.emulator.resize(rows: rows, columns: columns) }
        try terminal.value?.resize(rows: rows, columns: columns)
    }

    /// Sends a signal, if the program hasn't ended.
    func send(_ signal: Int32) {
        contents.withLock { if $0.ending == nil { _ = kill(process, signal) } }
    }

    /// Waits for the program to end. The result doesn't include its output.
    func end() async -> ChildProcess.Result {
        await withTaskCancellationHandler {
            await ending.value
        } onCancel: {
            send(SIGKILL)
        }
    }

    /// Waits until the screen satisfies a condition.
    ///
    /// - Returns: The screen at that moment.
    /// - Throws: The screen that is displayed instead, after two minutes.
    @discardableResult
    func see(
        _ what: String, _ isSeen: @escaping @Sendable (TerminalEmulator) -> Bool
    ) async throws -> TerminalEmulator {
        do {
            return try await withCheckedThrowingContinuation { continuation in
                let seen: TerminalEmulator? = contents.withLock { contents in
                    if contents.emulator.shows(isSeen) { return contents.emulator }
                    let watcher = Watcher(
                        isSeen: isSeen, deadline: .now.advanced(by: .seconds(120)), continuation: continuation)
                    contents.watchers.append(watcher)
                    return nil
                }
                if let seen { continuation.resume(returning: seen) }
            }
        } catch let error as NotSeen {
            throw NotSeen(description: "Not seen: \(what)\n\(error)")
        }
    }

    /// Waits until a text is displayed.
    @discardableResult
    func see(_ text: String) async throws -> TerminalEmulator { try await see(text) { $0.text.contains(text) } }

    /// Waits until a text isn't displayed.
    @discardableResult
    func see(no text: String) async throws -> TerminalEmulator {
        try await see("anything but \(text)") { !$0.text.contains(text) }
    }
}

// MARK: - Threads, separate because all shared ones may be blocked by other programs

extension TerminalSession {
    private static func read(_ terminal: PseudoTerminal, _ contents: Board) {
        var chunk = [UInt8](repeating: 0, count: 65_536)
        while !contents.withLock({ $0.isClosed }) {
            // Returns as soon as there is something to read. The timeout is for watchers that wait in vain.
            var readiness = pollfd(fd: terminal.main, events: Int16(POLLIN), revents: 0)
            if poll(&readiness, 1, 200) > 0 {
                let count = Foundation.read(terminal.main, &chunk, chunk.count)
                if count > 0 { contents.withLock { $0.emulator.take(Array(chunk[..<count])) } }
            }
            for (watcher, result) in contents.withLock({ $0.takeDue() }) { watcher.continuation.resume(with: result) }
        }
        for watcher in contents.withLock({ $0.watchers }) { watcher.continuation.resume(throwing: CancellationError()) }
    }

    private static func wait(for process: pid_t) -> ChildProcess.Result {
        var status: Int32 = 0
        while waitpid(process, &status, 0) < 0, errno == EINTR {}
        let signal = status & 0x7F
        return ChildProcess.Result(status: signal == 0 ? (status >> 8) & 0xFF : signal, wasEndedBySignal: signal != 0)
    }
}

extension TerminalSession.Contents {
    /// The watchers whose condition is satisfied or whose time is up.
    fileprivate mutating func takeDue() -> [(TerminalSession.Watcher, Result<TerminalEmulator, any Error>)] {
        var due: [(TerminalSession.Watcher, Result<TerminalEmulator, any Error>)] = []
        watchers.removeAll { watcher in
            if emulator.shows(watcher.isSeen) {
                due.append((watcher, .success(emulator)))
            } else if watcher.deadline < .now {
                let end = ending.map { "It has ended with \($0.status).\n" } ?? ""
                due.append((watcher, .failure(TerminalSession.NotSeen(description: end + emulator.text))))
            } else {
                return false
            }
            return true
        }
        return due
    }
}

extension TerminalEmulator {
    /// Whether the condition is satisfied by a complete picture.
    fileprivate func shows(_ isSeen: (TerminalEmulator) -> Bool) -> Bool { !isUpdating && isSeen(self) }
}

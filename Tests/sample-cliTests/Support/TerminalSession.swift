#if os(macOS) || os(Linux)
    import Foundation
    import Relux

    /// A program in a terminal of its own, with a simulated user: typed text goes to the program, and its output to a
    /// screen.
    ///
    /// The program is a session leader, and the terminal is its controlling terminal, as in a window. It is killed when
    /// the session is released, if it hasn't ended.
    final class TerminalSession {
        /// The failure to see something within the time limit of a test.
        struct NotSeen: Error, CustomStringConvertible {
            let description: String
        }

        /// The program, which another thread waits for.
        private final class Child: Sendable {
            private let id: pid_t
            private let isRunning = Lock(true)

            init(id: pid_t) { self.id = id }

            /// Sends a signal, if the program hasn't ended: another one may have received the same id.
            func send(_ signal: Int32) {
                isRunning.withLock { if $0 { _ = kill(id, signal) } }
            }

            func wait() -> ChildProcess.Result {
                var status: Int32 = 0
                while waitpid(id, &status, 0) < 0, errno == EINTR {}
                isRunning.withLock { $0 = false }
                let signal = status & 0x7F
                return .init(status: signal == 0 ? (status >> 8) & 0xFF : signal, wasEndedBySignal: signal != 0)
            }
        }

        /// The mode of the terminal before the program was started.
        let firstMode: [UInt64]
        /// What has been seen last.
        private(set) var screen: TerminalEmulator

        private let child: Child
        private let ending: Task<ChildProcess.Result, Never>
        private var output: AsyncStream<[UInt8]>.Iterator
        /// Nil when the window is closed. Also held by the reading thread, which therefore closes it last.
        private var terminal: PseudoTerminal?
        private let closing: AsyncStream<[UInt8]>.Continuation

        /// Starts a program, with an environment in addition to what the system needs.
        init(
            _ arguments: [String], executable: String = ChildProcess.executable, environment: [String: String] = [:],
            rows: Int = 20, columns: Int = 80
        ) throws {
            let terminal = try PseudoTerminal()
            firstMode = terminal.mode
            try terminal.resize(rows: rows, columns: columns)
            screen = TerminalEmulator(rows: rows, columns: columns)
            let all = ["TERM": "xterm-256color", "PS1": "$ "].merging(ChildProcess.inheritedEnvironment) { $1 }
                .merging(environment) { $1 }
            let child = Child(id: try terminal.spawn(executable, arguments, all))
            (self.child, self.terminal) = (child, terminal)
            let (ends, end) = AsyncStream.makeStream(of: ChildProcess.Result.self)
            ending = Task { await ends.first { _ in true } ?? ChildProcess.Result() }
            let (output, continuation) = AsyncStream.makeStream(of: [UInt8].self)
            (self.output, closing) = (output.makeAsyncIterator(), continuation)
            // Threads of their own, because all shared ones may be blocked by other programs.
            Thread.detachNewThread { end.yield(child.wait()) }
            Thread.detachNewThread {
                var chunk = [UInt8](repeating: 0, count: 65_536)
                while case .enqueued = continuation.yield([]) {
                    // Returns as soon as there is something to read, and now and then to notice that the window is
                    // closed.
                    var readiness = pollfd(fd: terminal.main, events: Int16(POLLIN), revents: 0)
                    guard poll(&readiness, 1, 100) > 0 else { continue }
                    let count = read(terminal.main, &chunk, chunk.count)
                    if count > 0 { continuation.yield(Array(chunk[..<count])) }
                }
            }
        }

        deinit {
            child.send(SIGKILL)
            closing.finish()
        }

        /// The current mode of the terminal.
        var mode: [UInt64] { terminal?.mode ?? [] }

        /// Types keys.
        func type(_ text: String) throws { try terminal?.type(text) }

        /// Closes the window.
        func close() {
            terminal = nil
            closing.finish()
        }

        /// Resizes the window.
        func resize(rows: Int, columns: Int) throws {
            screen.resize(rows: rows, columns: columns)
            try terminal?.resize(rows: rows, columns: columns)
        }

        /// Sends a signal, if the program hasn't ended.
        func send(_ signal: Int32) { child.send(signal) }

        /// Waits for the program to end. The result doesn't include its output.
        func end() async -> ChildProcess.Result {
            await withTaskCancellationHandler {
                await ending.value
            } onCancel: { [child] in
                child.send(SIGKILL)
            }
        }

        /// Waits until the screen satisfies a condition, and returns it.
        @discardableResult
        func see(_ what: String, _ isSeen: (TerminalEmulator) -> Bool) async throws -> TerminalEmulator {
            while screen.isUpdating || !isSeen(screen) {
                guard let bytes = await output.next() else { throw NotSeen(description: "\(what)\n\(screen.text)") }
                screen.take(bytes)
            }
            return screen
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
#endif

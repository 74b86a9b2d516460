import Foundation
import Relux

/// The real program while it runs, with its output line by line.
///
/// It is killed when the last reference is released, if it hasn't ended.
final class RunningProgram: Sendable {
    /// The lines of standard output, for a single reader. There are none if it is redirected.
    let output: AsyncStream<String>

    /// The lines of standard error, for a single reader.
    let errors: AsyncStream<String>

    private let process: Lock<Process>
    private let ending: Task<ChildProcess.Result, Never>

    /// Starts the program.
    ///
    /// - Parameters:
    ///   - environment: The environment, in addition to what the system needs.
    ///   - given: Receives standard output instead of the lines.
    /// - Throws: If the program can't be started.
    init(_ arguments: [String], environment: [String: String] = [:], output given: Pipe? = nil) throws {
        let process = Process()
        process.executableURL = ChildProcess.executable
        process.arguments = arguments
        process.environment = environment.merging(ChildProcess.inheritedEnvironment) { given, _ in given }
        process.standardInput = FileHandle.nullDevice
        let (output, errors) = (given ?? Pipe(), Pipe())
        (process.standardOutput, process.standardError) = (output, errors)
        let (ends, end) = AsyncStream.makeStream(of: ChildProcess.Result.self)
        process.terminationHandler = { process in
            end.yield(
                ChildProcess.Result(
                    status: process.terminationStatus, wasEndedBySignal: process.terminationReason == .uncaughtSignal
                )
            )
            end.finish()
        }
        try process.run()
        self.output = given == nil ? Self.lines(of: output) : AsyncStream { $0.finish() }
        self.errors = Self.lines(of: errors)
        self.process = Lock(process)
        ending = Task { await ends.first { _ in true } ?? ChildProcess.Result() }
    }

    deinit {
        process.withLock { if $0.isRunning { kill($0.processIdentifier, SIGKILL) } }
    }

    /// Sends a signal.
    func interrupt(with signal: Int32) {
        process.withLock { if $0.isRunning { _ = kill($0.processIdentifier, signal) } }
    }

    /// Waits for the program to end, and kills it if the waiting task is cancelled. The result doesn't include its
    /// output.
    func end() async -> ChildProcess.Result {
        await withTaskCancellationHandler {
            await ending.value
        } onCancel: {
            interrupt(with: SIGKILL)
        }
    }

    /// Reads on a thread of its own, because all shared threads may be blocked by other programs.
    private static func lines(of pipe: Pipe) -> AsyncStream<String> {
        let (lines, continuation) = AsyncStream.makeStream(of: String.self)
        Thread.detachNewThread {
            // Foundation keeps the process, and with it the pipes, forever.
            defer { try? pipe.fileHandleForReading.close() }
            var (rest, chunk) = ([UInt8](), [UInt8](repeating: 0, count: 4_096))
            while true {
                let count = read(pipe.fileHandleForReading.fileDescriptor, &chunk, chunk.count)
                if count > 0 {
                    rest += chunk[..<count]
                    while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
                        continuation.yield(String(decoding: rest[..<end], as: UTF8.self))
                        rest.removeFirst(end + 1)
                    }
                } else if count == 0 || errno != EINTR {
                    // An incomplete line is reported too, because nothing may be written partially.
                    if !rest.isEmpty { continuation.yield(String(decoding: rest, as: UTF8.self) + " (unended)") }
                    return continuation.finish()
                }
            }
        }
        return lines
    }
}

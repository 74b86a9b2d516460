import Foundation
import Relux

/// The real program, run as a child process.
enum ChildProcess {
    /// How the program ended, and what it wrote.
    struct Result: Sendable, Equatable {
        /// The exit status, or the number of the signal that ended the program.
        var status: Int32 = -1
        var wasEndedBySignal = false
        var output = ""
        var error = ""

        var json: ParsedJSON {
            get throws { try ParsedJSON(output) }
        }
    }

    /// A signal to send as soon as the program has written a text on standard error.
    struct Interruption: Sendable {
        let signal: Int32
        let marker: String
    }

    private enum Stream {
        case output
        case error
    }

    /// The path of the program, next to the test bundle.
    static var executable: URL {
        #if canImport(Darwin)
            let bundle = Bundle.allBundles.first { $0.bundlePath.hasSuffix(".xctest") }?.bundleURL
            let folder = (bundle ?? Bundle.main.bundleURL).deletingLastPathComponent()
        #else
            let folder = (Bundle.main.executableURL ?? Bundle.main.bundleURL).deletingLastPathComponent()
        #endif
        return folder.appending(path: "sample-cli")
    }

    /// Runs the program and waits for its end without blocking a thread.
    ///
    /// - Parameters:
    ///   - executable: The program to run. The default is the real program.
    ///   - environment: The environment, in addition to what the system needs.
    ///   - input: The source of standard input. The default is empty.
    ///   - output: Receives standard output instead of the result.
    ///   - errorOutput: Receives standard error instead of the result.
    ///   - interruption: A signal to send during the run.
    /// - Returns: How the program ended, and what it wrote.
    /// - Throws: If the program can't be started.
    static func run(
        _ arguments: [String],
        executable: URL = executable,
        environment: [String: String] = [:],
        input: FileHandle? = nil,
        output: FileHandle? = nil,
        errorOutput: FileHandle? = nil,
        interruption: Interruption? = nil
    ) async throws -> Result {
        await places.take()
        defer { places.giveBack() }
        let process = Process()
        process.executableURL = executable
        process.arguments = arguments
        process.environment = environment.merging(inheritedEnvironment) { given, _ in given }
        let (outputPipe, errorPipe) = (Pipe(), Pipe())
        process.standardInput = input ?? FileHandle.nullDevice
        process.standardOutput = output ?? outputPipe
        process.standardError = errorOutput ?? errorPipe
        let result = Collected()
        let group = DispatchGroup()
        group.enter()
        process.terminationHandler = { process in
            result.end(process)
            group.leave()
        }
        try process.run()
        let identifier = process.processIdentifier
        let handles = (outputPipe.fileHandleForReading.fileDescriptor, errorPipe.fileHandleForReading.fileDescriptor)
        if output == nil {
            collect(from: handles.0, in: group) { result.append($0, to: .output) }
        }
        if errorOutput == nil {
            collect(from: handles.1, in: group) { chunk in
                // Sent only once: output that is read after the end must not signal another process with the same id.
                result.append(chunk, to: .error)
                if let interruption, result.findsNow(interruption.marker) { kill(identifier, interruption.signal) }
            }
        }
        await withCheckedContinuation { continuation in
            group.notify(queue: .global()) { continuation.resume() }
        }
        // Foundation keeps the process, and with it the pipes, forever.
        for pipe in [outputPipe, errorPipe] { try? pipe.fileHandleForReading.close() }
        return result.value
    }

    /// The maximum number of programs that run concurrently. Each needs pipes and threads, which may be scarce.
    private static let places = Places(count: 8)

    /// The environment that a program needs to start.
    ///
    /// A program that is measured for coverage discards its counts. Programs that share a file of counts print
    /// complaints on standard error if one of them was killed while it wrote.
    static var inheritedEnvironment: [String: String] {
        let needed = ["PATH", "LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH", "TMPDIR", "TSAN_OPTIONS"]
        var environment = ProcessInfo.processInfo.environment.filter { needed.contains($0.key) }
        environment["LLVM_PROFILE_FILE"] = "/dev/null"
        return environment
    }

    /// Reads to the end on a thread of its own, because all shared threads may be blocked by other programs.
    private static func collect(
        from descriptor: Int32,
        in group: DispatchGroup,
        _ take: @escaping @Sendable ([UInt8]) -> Void
    ) {
        group.enter()
        Thread.detachNewThread {
            defer { group.leave() }
            var chunk = [UInt8](repeating: 0, count: 65_536)
            while true {
                let count = read(descriptor, &chunk, chunk.count)
                if count > 0 {
                    take(Array(chunk[..<count]))
                } else if count == 0 || errno != EINTR {
                    return
                }
            }
        }
    }

    private final class Collected: Sendable {
        private struct Contents {
            var result = Result()
            var output: [UInt8] = []
            var error: [UInt8] = []
            var isMarkerFound = false
        }

        private let contents = Lock(Contents())

        func append(_ chunk: [UInt8], to stream: Stream) {
            contents.withLock { contents in
                switch stream {
                case .output: contents.output += chunk
                case .error: contents.error += chunk
                }
            }
        }

        /// Returns whether the text occurs in standard error for the first time.
        func findsNow(_ marker: String) -> Bool {
            contents.withLock { contents in
                guard !contents.isMarkerFound, String(decoding: contents.error, as: UTF8.self).contains(marker) else {
                    return false
                }
                contents.isMarkerFound = true
                return true
            }
        }

        func end(_ process: Process) {
            contents.withLock {
                $0.result.status = process.terminationStatus
                $0.result.wasEndedBySignal = process.terminationReason == .uncaughtSignal
            }
        }

        var value: Result {
            contents.withLock { contents in
                var result = contents.result
                result.output = String(decoding: contents.output, as: UTF8.self)
                result.error = String(decoding: contents.error, as: UTF8.self)
                return result
            }
        }
    }
}

import Foundation
import Relux

/// The real program, run as a child process.
enum ChildProcess {
    /// How it ended, and what it wrote.
    struct Result: Sendable, Equatable {
        /// The exit status, or the number of the signal that ended it.
        var status: Int32 = -1
        var wasEndedBySignal = false
        var output = ""
        var error = ""

        var json: ParsedJSON {
            get throws { try ParsedJSON(output) }
        }
    }

    /// A signal that the program gets as soon as it has written a text on standard error.
    struct Interruption: Sendable {
        let signal: Int32
        let marker: String
    }

    private enum Stream {
        case output
        case error
    }

    /// Where the program is: beside the bundle of the tests.
    static var executable: URL {
        #if canImport(Darwin)
            let bundle = Bundle.allBundles.first { $0.bundlePath.hasSuffix(".xctest") }?.bundleURL
            let folder = (bundle ?? Bundle.main.bundleURL).deletingLastPathComponent()
        #else
            let folder = (Bundle.main.executableURL ?? Bundle.main.bundleURL).deletingLastPathComponent()
        #endif
        return folder.appending(path: "sample-cli")
    }

    /// Runs the program, and waits for its end without occupying a thread.
    ///
    /// - Parameters:
    ///   - arguments: The arguments.
    ///   - environment: The environment, besides what the system needs.
    ///   - input: Gives standard input. The default is nothing.
    ///   - output: Takes standard output in place of the result.
    ///   - errorOutput: Takes standard error in place of the result.
    ///   - interruption: A signal to send on the way.
    /// - Returns: How it ended, and what it wrote.
    /// - Throws: Why it could not be started.
    static func run(
        _ arguments: [String],
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
                // Once: what is read after its end must not hit another process that got its number.
                result.append(chunk, to: .error)
                if let interruption, result.findsNow(interruption.marker) { kill(identifier, interruption.signal) }
            }
        }
        await withCheckedContinuation { continuation in
            group.notify(queue: .global()) { continuation.resume() }
        }
        // Foundation keeps the process, and with it the pipes, for ever.
        for pipe in [outputPipe, errorPipe] { try? pipe.fileHandleForReading.close() }
        return result.value
    }

    /// How many programs run side by side: each has pipes and threads, of which a machine may have few.
    private static let places = Places(count: 8)

    /// What a program needs to start at all.
    ///
    /// One that is measured for coverage leaves its counts nowhere: programs that share a file of counts complain on
    /// standard error where one of them was killed while it wrote.
    static var inheritedEnvironment: [String: String] {
        let needed = ["PATH", "LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH", "TMPDIR", "TSAN_OPTIONS"]
        var environment = ProcessInfo.processInfo.environment.filter { needed.contains($0.key) }
        environment["LLVM_PROFILE_FILE"] = "/dev/null"
        return environment
    }

    /// Reads to the end on a thread of its own: the shared ones may all be busy with other programs' silence.
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

        /// Says whether a text stands in standard error for the first time.
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

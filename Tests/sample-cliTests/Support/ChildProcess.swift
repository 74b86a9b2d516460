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
    ///   - output: Takes standard output in place of the result.
    ///   - interruption: A signal to send on the way.
    /// - Returns: How it ended, and what it wrote.
    /// - Throws: Why it could not be started.
    static func run(
        _ arguments: [String],
        environment: [String: String] = [:],
        output: FileHandle? = nil,
        interruption: Interruption? = nil
    ) async throws -> Result {
        let process = Process()
        process.executableURL = executable
        process.arguments = arguments
        process.environment = environment.merging(ProcessInfo.processInfo.environment.filter { isNeeded($0.key) }) {
            given, _ in given
        }
        let (outputPipe, errorPipe) = (Pipe(), Pipe())
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = output ?? outputPipe
        process.standardError = errorPipe
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
        collect(from: handles.1, in: group) { chunk in
            let text = result.append(chunk, to: .error)
            if let interruption, text.contains(interruption.marker) { kill(identifier, interruption.signal) }
        }
        await withCheckedContinuation { continuation in
            group.notify(queue: .global()) { continuation.resume() }
        }
        withExtendedLifetime((outputPipe, errorPipe)) {}
        return result.value
    }

    private static func isNeeded(_ variable: String) -> Bool {
        ["PATH", "LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH", "TMPDIR", "LLVM_PROFILE_FILE", "TSAN_OPTIONS"].contains(
            variable)
    }

    private static func collect(
        from descriptor: Int32,
        in group: DispatchGroup,
        _ take: @escaping @Sendable ([UInt8]) -> Void
    ) {
        DispatchQueue.global().async(group: group) {
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
        }

        private let contents = Lock(Contents())

        @discardableResult
        func append(_ chunk: [UInt8], to stream: Stream) -> String {
            contents.withLock { contents in
                switch stream {
                case .output:
                    contents.output += chunk
                    return ""
                case .error:
                    contents.error += chunk
                    return String(decoding: contents.error, as: UTF8.self)
                }
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

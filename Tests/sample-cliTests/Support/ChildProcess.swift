#if os(macOS) || os(Linux)
    import Foundation
    import Relux

    /// The real program, run as a child process.
    enum ChildProcess {
        typealias Result = TestedProgram.Result

        /// A signal to send once, as soon as what the program has written on standard error satisfies a condition.
        struct Interruption: Sendable {
            let signal: Int32
            let isDue: @Sendable (_ error: String) -> Bool
        }

        /// The path of the program, next to the test bundle.
        static var executable: String {
            #if canImport(Darwin)
                let bundle = Bundle.allBundles.first { $0.bundlePath.hasSuffix(".xctest") }?.bundleURL
                let folder = (bundle ?? Bundle.main.bundleURL).deletingLastPathComponent()
            #else
                let folder = (Bundle.main.executableURL ?? Bundle.main.bundleURL).deletingLastPathComponent()
            #endif
            return folder.appending(path: "sample-cli").path(percentEncoded: false)
        }

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

        /// Runs a program, and waits for its end without blocking a shared thread.
        ///
        /// - Parameters:
        ///   - executable: The program to run. The default is the real program.
        ///   - environment: The environment, in addition to what the system needs.
        ///   - output: Receives standard output instead of the result.
        /// - Throws: If the program can't be started.
        static func run(
            _ arguments: [String], executable: String = executable, environment: [String: String] = [:],
            output: FileHandle? = nil, interruption: Interruption? = nil
        ) async throws -> Result {
            let process = Process()
            process.executableURL = URL(filePath: executable)
            process.arguments = arguments
            process.environment = environment.merging(inheritedEnvironment) { given, _ in given }
            let (outputPipe, errorPipe) = (Pipe(), Pipe())
            process.standardInput = FileHandle.nullDevice
            process.standardOutput = output ?? outputPipe
            process.standardError = errorPipe
            let (ends, end) = AsyncStream.makeStream(of: Result.self)
            process.terminationHandler = { process in
                let isKilled = process.terminationReason == .uncaughtSignal
                end.yield(Result(status: process.terminationStatus, wasEndedBySignal: isKilled))
            }
            try process.run()
            let identifier = process.processIdentifier
            // Begun here and not in a child task, which may have to wait for a thread until the program has given up.
            let written = output == nil ? text(of: outputPipe) : nil
            let complained = text(of: errorPipe, until: interruption?.isDue) {
                if let interruption { kill(identifier, interruption.signal) }
            }
            var result = await ends.first { _ in true } ?? Result()
            result.output = await written?.first { _ in true } ?? ""
            result.error = await complained.first { _ in true } ?? ""
            return result
        }

        /// Begins to read, on a thread of its own, because all shared threads may be blocked by other programs.
        ///
        /// - Returns: A stream of one element: everything up to the end.
        private static func text(
            of pipe: Pipe, until isDue: (@Sendable (String) -> Bool)? = nil,
            then act: @escaping @Sendable () -> Void = {}
        ) -> AsyncStream<String> {
            let (texts, continuation) = AsyncStream.makeStream(of: String.self)
            Thread.detachNewThread {
                // Foundation keeps the process, and with it the pipes, forever.
                defer { try? pipe.fileHandleForReading.close() }
                var (all, chunk, isDue) = ([UInt8](), [UInt8](repeating: 0, count: 65_536), isDue)
                while true {
                    let count = read(pipe.fileHandleForReading.fileDescriptor, &chunk, chunk.count)
                    if count > 0 { all += chunk[..<count] }
                    let text = String(decoding: all, as: UTF8.self)
                    if count == 0 || (count < 0 && errno != EINTR) {
                        continuation.yield(text)
                        return continuation.finish()
                    }
                    if isDue?(text) == true {
                        // Only once: later, another process may have the same id.
                        isDue = nil
                        act()
                    }
                }
            }
            return texts
        }
    }
#endif

#if os(macOS) || os(Linux)
    import Foundation
    import Relux
    import ReluxTesting
    import Testing

    @testable import ReluxPersistence

    /// Programs that share a storage, and are killed at any moment.
    @Suite("Killed programs", .timeLimit(.minutes(30)))
    struct KilledProgramsTests {
        /// The number of kills: few by default, and as many as `RELUX_KILLS` says.
        private static let kills = ProcessInfo.processInfo.environment["RELUX_KILLS"].flatMap(Int.init) ?? 12

        @Test(
            "what two programs have reported as saved is there, whenever one or both of them are killed",
            arguments: ["file", "log", "file-elements", "log-elements"])
        func kills(kind: String) async throws {
            var folder = try TemporaryFolder()
            var random = SeededGenerator(seed: 7)
            var reported: Set<String> = []
            var ofVictims = 0

            for round in 0..<Self.kills {
                // Otherwise, reading what all rounds have saved would take longer than everything else.
                if round > 0, round.isMultiple(of: 50) { (folder, reported) = (try TemporaryFolder(), []) }
                let victim = try await Program([kind, folder.url.path(), "victim\(round)", "1000", "stay"])
                let isKilledToo = round.isMultiple(of: 2)
                let more = isKilledToo ? ["1000", "stay"] : ["5"]
                let other = try await Program([kind, folder.url.path(), "other\(round)"] + more)
                let lines = Int.random(in: 0...6, using: &random)
                await victim.lines(atLeast: lines)
                victim.kill()
                if isKilledToo { other.kill() }
                let (killed, finished) = (await victim.end(), await other.end())
                #expect(killed.status != 0)
                #expect((finished.status == 0) == !isKilledToo, "round \(round)")
                #expect(isKilledToo || finished.lines.count == 5)
                reported.formUnion(killed.lines + finished.lines)
                ofVictims += killed.lines.count

                let reader = try await Program([kind, folder.url.path()])
                let saved = await reader.end()
                #expect(saved.status == 0, "round \(round)")
                #expect(reported.subtracting(saved.lines).isEmpty, "round \(round)")
                #expect(Set(saved.lines).count == saved.lines.count)
                #expect(!folder.names.contains { $0.contains("aside") })
            }
            // Otherwise the test would prove less than it claims.
            #expect(ofVictims > 0)
        }
    }

    /// The program whose states are saved, while it runs.
    private final class Program: Sendable {
        private static let executable: URL = {
            let bundle = Bundle.allBundles.first { $0.bundlePath.hasSuffix(".xctest") }?.bundleURL
            #if canImport(Darwin)
                let folder = (bundle ?? Bundle.main.bundleURL).deletingLastPathComponent()
            #else
                let folder = (Bundle.main.executableURL ?? Bundle.main.bundleURL).deletingLastPathComponent()
            #endif
            return folder.appending(path: "SavingProgram")
        }()

        private let output: Output
        private let process: Int32
        private let status: Task<Int32, Never>

        /// Starts the program. A thread of its own reads what it writes, and waits for its end.
        init(_ arguments: [String]) async throws {
            let output = Output()
            self.output = output
            let (ends, end) = AsyncStream.makeStream(of: Int32.self)
            process = try await withCheckedThrowingContinuation { continuation in
                Thread.detachNewThread {
                    let (process, pipe) = (Process(), Pipe())
                    process.executableURL = Self.executable
                    process.arguments = arguments
                    process.standardOutput = pipe
                    do { try process.run() } catch { return continuation.resume(throwing: error) }
                    continuation.resume(returning: process.processIdentifier)
                    while true {
                        let data = pipe.fileHandleForReading.availableData
                        output.append(data)
                        if data.isEmpty { break }
                    }
                    process.waitUntilExit()
                    end.yield(process.terminationReason == .exit ? process.terminationStatus : -1)
                }
            }
            status = Task {
                for await status in ends { return status }
                return -1
            }
        }

        /// Waits until the program has written this many lines, or has ended.
        func lines(atLeast count: Int) async { await output.lines(atLeast: count) }

        func kill() { _ = Foundation.kill(process, SIGKILL) }

        /// Waits for the end.
        func end() async -> (status: Int32, lines: [String]) { (await status.value, output.lines) }
    }

    /// What a program has written so far.
    private final class Output: Sendable {
        private struct Contents {
            var text = Data()
            var isEnded = false
            var waiting: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []

            /// The complete lines.
            var lines: [String] {
                String(decoding: text, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false)
                    .dropLast()
                    .map(String.init)
            }
        }

        private let contents = Lock(Contents())

        var lines: [String] { contents.withLock { $0.lines } }

        /// - Parameter data: Nothing at the end.
        func append(_ data: Data) {
            let reached = contents.withLock { contents in
                contents.text += data
                contents.isEnded = data.isEmpty
                let (count, isEnded) = (contents.lines.count, contents.isEnded)
                defer { contents.waiting.removeAll { isEnded || $0.count <= count } }
                return contents.waiting.filter { isEnded || $0.count <= count }.map(\.continuation)
            }
            for one in reached { one.resume() }
        }

        func lines(atLeast count: Int) async {
            await withCheckedContinuation { continuation in
                let isThere = contents.withLock { contents in
                    guard !contents.isEnded, contents.lines.count < count else { return true }
                    contents.waiting.append((count, continuation))
                    return false
                }
                if isThere { continuation.resume() }
            }
        }
    }
#endif

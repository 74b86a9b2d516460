import Dispatch
import Foundation
import Testing

@testable import sample_cli

/// How a process is ended, without ending one.
@Suite(.timeLimit(.minutes(10))) struct ProcessEndingTests {
    /// Notes in their order, for a single reader.
    private struct Notes: Sendable {
        let all: AsyncStream<String>
        let add: @Sendable (String) -> Void

        init() {
            let (all, continuation) = AsyncStream.makeStream(of: String.self)
            self.all = all
            add = { continuation.yield($0) }
        }

        func first(_ count: Int) async -> [String] {
            var notes: [String] = []
            for await note in all.prefix(count) { notes.append(note) }
            return notes
        }
    }

    private let notes = Notes()

    /// An instance that records the status. Its threads remain, unlike in a process that really ends.
    private var ending: ProcessEnding {
        ProcessEnding { [notes] status in
            notes.add("ended with \(status)")
            while true { pause() }
        }
    }

    /// A signal that arrived while the terminal was being restored after `q` found nothing to restore, and ended the
    /// process during the restoration.
    @Test func `ending the process waits for running cleanup`() async {
        let ending = ending

        _ = await ending.run(interruptedBy: {}) { [notes] isCutShort in
            let isAsked = DispatchSemaphore(value: 0)
            Thread.detachNewThread {
                isAsked.signal()
                ending.end(with: 143)
            }
            isAsked.wait()
            notes.add("tidied up, \(isCutShort)")
        } _: {
        }

        #expect(await notes.first(2) == ["tidied up, false", "ended with 143"])
    }

    @Test func `the first signal interrupts the work, and the second one ends the process after the cleanup`() async {
        let ending = ending

        Task { [notes] in
            _ = await ending.run(interruptedBy: { notes.add("interrupted") }) { isCutShort in
                notes.add("tidied up, \(isCutShort)")
            } _: {
                Thread.detachNewThread {
                    ending.obey(SIGINT)
                    ending.obey(SIGTERM)
                }
                // Never resumed, because the process has ended.
                await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in }
            }
        }

        #expect(await notes.first(3) == ["interrupted", "tidied up, true", "ended with 143"])
    }

    /// A trace was written to a pipe that nobody read.
    @Test func `a further signal ends the process if its last step doesn't end`() async {
        let ending = ending
        ending.finally { [notes] in
            notes.add("the last step")
            while true { pause() }
        }

        Thread.detachNewThread { ending.obey(SIGHUP) }
        #expect(await notes.first(1) == ["the last step"])
        // A closed terminal is reported several times.
        ending.obey(SIGHUP)
        Thread.detachNewThread { ending.obey(SIGINT) }

        #expect(await notes.first(1) == ["ended with 130"])
    }

    @Test func `work that ends on a signal learns which`() async {
        let ending = ending
        let (ends, end) = AsyncStream.makeStream(of: Void.self)

        let (value, signal) = await ending.run(interruptedBy: { end.finish() }) {
            // A closed terminal is reported several times.
            for _ in 1...3 { ending.obey(SIGHUP) }
            for await _ in ends {}
            return 7
        }

        #expect(value == 7 && signal == SIGHUP)
    }
}

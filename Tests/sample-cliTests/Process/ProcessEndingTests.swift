import Dispatch
import Foundation
import Relux
import Testing

@testable import sample_cli

/// How a process is ended, without ending one.
@Suite(.timeLimit(.minutes(5))) struct ProcessEndingTests {
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

    /// An instance that records the status. Its threads remain, unlike in a process that really ends.
    private func ending(_ notes: Notes) -> ProcessEnding {
        ProcessEnding { status in
            notes.add("ended with \(status)")
            while true { pause() }
        }
    }

    /// A signal that arrived while the terminal was being restored after `q` found nothing to restore, and ended the
    /// process during the restoration.
    @Test func `ending the process waits for running cleanup`() async {
        let notes = Notes()
        let ending = ending(notes)

        await ending.tidyingUp {
            let isAsked = DispatchSemaphore(value: 0)
            Thread.detachNewThread {
                notes.add(ending.isTidying ? "has to wait" : "needn't wait")
                isAsked.signal()
                ending.end(with: 143)
            }
            isAsked.wait()
            notes.add("tidied up")
        } after: {
        }

        #expect(await notes.first(3) == ["has to wait", "tidied up", "ended with 143"])
    }

    @Test func `the most recent cleanup runs first, and each runs once`() async {
        let notes = Notes()
        let ending = ending(notes)

        Task {
            await ending.tidyingUp {
                notes.add("first")
            } after: {
                await ending.tidyingUp {
                    notes.add("second")
                } after: {
                    await ending.tidyingUp {
                        notes.add("third")
                    } after: {
                    }
                    Thread.detachNewThread { ending.end(with: 1) }
                    // Never resumed, because the process has ended.
                    await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in }
                }
            }
        }

        #expect(await notes.first(4) == ["third", "second", "first", "ended with 1"])
    }

    @Test func `a cleanup may itself end the process, and the first caller's status is used`() async {
        let notes = Notes()
        let ending = ending(notes)

        Task {
            await ending.tidyingUp {
                notes.add("first")
            } after: {
                await ending.tidyingUp {
                    notes.add("second")
                    ending.end(with: 7)
                } after: {
                    Thread.detachNewThread { ending.end(with: 5) }
                    await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in }
                }
            }
        }

        #expect(await notes.first(3) == ["second", "first", "ended with 5"])
    }
}

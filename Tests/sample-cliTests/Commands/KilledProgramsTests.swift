import Foundation
import ReluxTesting
import Testing

@testable import SampleServices

/// Programs that are killed at any moment, while others work on the same list.
@Suite(.runsPrograms, .timeLimit(.minutes(10))) struct KilledProgramsTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    /// The number of kills: a hundred, or `RELUX_KILLS`. The thread sanitizer slows every program down, so there are
    /// fewer with it.
    private static var rounds: Int {
        #if RELUX_TSAN
            let usual = 20
        #else
            let usual = 100
        #endif
        return ProcessInfo.processInfo.environment["RELUX_KILLS"].flatMap(Int.init).map { max($0, 1) } ?? usual
    }

    /// The moment of a kill is counted instead of timed: a number of steps of the killed program, followed by a number
    /// of steps of the others.
    @Test func `killing programs at any moment loses nothing that was saved and leaves no lock behind`() async throws {
        let service = FileItemsService(folder: folder.path)
        _ = try await service.save((1...50).map { .insert(.sample($0)) })
        let others = Others(folder: folder.path)
        let working = (0..<2).map { number in Task { try await others.work(as: number) } }
        let victims = [Victim.command, .screen]
        var random = SeededGenerator(seed: 1)
        var (saved, completed, leftovers) = (Set<String>(), Set<String>(), 0)
        var killed = victims.map { _ in 0 }

        for round in 0..<Self.rounds {
            // All titles have the same length, so that none is a prefix of another one.
            let title = "Round \(100_000 + round)"
            let victim = victims[round % victims.count]
            let steps = Int.random(in: 0...victim.steps, using: &random)
            let pause = Int.random(in: 0...8, using: &random)
            let outcome = try await victim.run(title, folder.path, steps) { await others.lines(pause) }
            if outcome.isAdded { saved.insert(title) }
            if outcome.isCompleted { completed.insert(title) }
            if outcome.ending.wasEndedBySignal {
                killed[round % victims.count] += 1
            } else {
                #expect(outcome.ending.status == 0, "\(victim.testDescription) in round \(round)")
            }

            // The next programs run immediately. The list can be read, and now and then one adds to it, as the others
            // do all the time. A lock that was left behind would make any of them fail.
            if round % 10 < victims.count {
                let next = try await ChildProcess.run(["items", "add", "After \(round)", "--data", folder.path])
                #expect(next.status == 0, "after round \(round): \(next.error)")
                saved.insert("After \(round)")
            }
            let promised = saved.union(others.acknowledged)
            let items = try await service.load().value
            #expect(promised.subtracting(items.map(\.title)).isEmpty, "after round \(round)")
            #expect(completed.subtracting(items.doneTitles).isEmpty, "after round \(round)")
            leftovers = max(leftovers, try folder.temporaryFiles.count)
        }
        others.stop()
        for task in working { try await task.cancellableValue }

        // Nobody is running any more: the lock is free, and one more save removes all leftovers.
        #expect(try FileLock.ifFree(path: folder.path(of: "items.lock")) != nil)
        let last = try await ChildProcess.run(["items", "add", "Last", "--data", folder.path])
        let items = try await service.load().value
        let titles = items.map(\.title)
        #expect(last == ChildProcess.Result(status: 0, output: last.output))
        #expect(try folder.names == ["items-history.jsonl", "items.jsonl", "items.lock"])
        // Each writer removes what it finds, so there are at most the leftovers of ten kills and of the others' last
        // writes.
        #expect(leftovers <= 10 + 2)
        #expect(Set(titles).isSuperset(of: saved.union(others.acknowledged).union(["Last"])))
        #expect(completed.isSubset(of: items.doneTitles))
        #expect(Set(titles).count == titles.count)
        #expect(try await FileItemsHistoryService(folder: folder.path).load().value.done.isEmpty == false)
        // Otherwise the test would prove less than it claims.
        #expect(killed.allSatisfy { $0 >= Self.rounds / 20 } && !others.acknowledged.isEmpty)
        #expect(!completed.isEmpty || Self.rounds < 100)
    }
}

/// Two more programs that add items, one after the other, until they are told to stop.
private final class Others: Sendable {
    private struct Contents {
        var isOver = false
        var acknowledged: Set<String> = []
    }

    private let folder: String
    private let contents = Lock(Contents())
    /// Each line resumes only a caller that is waiting at that moment.
    private let (steps, step) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingOldest(0))

    init(folder: String) {
        self.folder = folder
    }

    /// The titles that are known to be saved.
    var acknowledged: Set<String> { contents.withLock { $0.acknowledged } }

    func stop() {
        contents.withLock { $0.isOver = true }
    }

    func work(as number: Int) async throws {
        var count = 0
        while !contents.withLock({ $0.isOver }) {
            count += 1
            let title = "Other \(number) \(count)"
            let program = try RunningProgram(["items", "add", title, "--verbose", "--data", folder])
            for await _ in program.errors { step.yield() }
            let result = await program.end()
            #expect(result == ChildProcess.Result(status: 0))
            _ = contents.withLock { $0.acknowledged.insert(title) }
        }
    }

    /// Waits for this number of lines.
    func lines(_ count: Int) async {
        for _ in 0..<count {
            for await _ in steps { break }
        }
    }
}

extension [Item] {
    /// The titles of the completed items.
    fileprivate var doneTitles: Set<String> { Set(filter { $0.completed != nil }.map(\.title)) }
}

extension TemporaryFolder {
    /// Temporary files of running or killed writers.
    fileprivate var temporaryFiles: [String] {
        get throws { try names.filter { $0.hasSuffix(".tmp") } }
    }
}

extension Task where Failure == any Error {
    /// The value of the task, which is cancelled if the awaiting task is, for example at the time limit of a test.
    fileprivate var cancellableValue: Success {
        get async throws {
            try await withTaskCancellationHandler {
                try await value
            } onCancel: {
                cancel()
            }
        }
    }
}

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

    /// How often one is killed: a hundred times, or as often as `RELUX_KILLS` says. With the thread sanitizer, which
    /// slows every program down, it is less.
    private static var rounds: Int {
        #if RELUX_TSAN
            let usual = 20
        #else
            let usual = 100
        #endif
        return ProcessInfo.processInfo.environment["RELUX_KILLS"].flatMap(Int.init).map { max($0, 1) } ?? usual
    }

    /// The moment of a kill is counted, not timed: so many steps of the program that is killed, and then so many of the
    /// others that work beside it.
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
            // As long as any other: none is a part of another one.
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

            // The next ones work at once: what is there can be read, and now and then this adds to it, as the others do
            // all the time. A lock that is left behind would end any of them with a failure.
            if round % 10 < victims.count {
                let next = try await ChildProcess.run(["items", "add", "After \(round)", "--data", folder.path])
                #expect(next.status == 0, "after round \(round): \(next.error)")
                saved.insert("After \(round)")
            }
            let promised = saved.union(others.acknowledged)
            let items = try await service.load().items
            #expect(promised.subtracting(items.map(\.title)).isEmpty, "after round \(round)")
            #expect(completed.subtracting(items.doneTitles).isEmpty, "after round \(round)")
            leftovers = max(leftovers, try folder.temporaryFiles.count)
        }
        others.stop()
        for task in working { try await task.cancellableValue }

        // Nobody is left: the lock is free, and one more save leaves nothing lying about.
        #expect(try FileLock.ifFree(path: folder.path(of: "items.lock")) != nil)
        let last = try await ChildProcess.run(["items", "add", "Last", "--data", folder.path])
        let items = try await service.load().items
        let titles = items.map(\.title)
        #expect(last == ChildProcess.Result(status: 0, output: last.output))
        #expect(try folder.names == ["items-history.jsonl", "items.jsonl", "items.lock", "users"])
        // Each writer takes away what it finds: what ten kills have left, at most, and what the others were writing.
        #expect(leftovers <= 10 + 2)
        #expect(Set(titles).isSuperset(of: saved.union(others.acknowledged).union(["Last"])))
        #expect(completed.isSubset(of: items.doneTitles))
        #expect(Set(titles).count == titles.count)
        #expect(try await FileItemsHistoryService(folder: folder.path).load().done.isEmpty == false)
        // Else it proves less than it seems to.
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
    /// A line is for who waits for one at that moment, and for nobody else.
    private let (steps, step) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingOldest(0))

    init(folder: String) {
        self.folder = folder
    }

    /// What has been saved for sure.
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

    /// Waits for so many lines of theirs.
    func lines(_ count: Int) async {
        for _ in 0..<count {
            for await _ in steps { break }
        }
    }
}

extension [Item] {
    /// The titles of those that are completed.
    fileprivate var doneTitles: Set<String> { Set(filter { $0.completed != nil }.map(\.title)) }
}

extension TemporaryFolder {
    /// The files that are still being written, or were by somebody who is dead.
    fileprivate var temporaryFiles: [String] {
        get throws { try names.filter { $0.hasSuffix(".tmp") } }
    }
}

extension Task where Failure == any Error {
    /// The value of the task, which is cancelled with whoever awaits it: at the time limit of a test, for example.
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

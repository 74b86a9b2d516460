import Foundation
import ReluxTesting
import Testing

@testable import SampleServices

/// Programs that are killed at any moment, while others work on the same list.
@Suite(.timeLimit(.minutes(10))) struct KilledProgramsTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    /// How often one is killed: a hundred times, or as often as `RELUX_KILLS` says. With the thread sanitizer, which slows
    /// every program down, it is less.
    private static var rounds: Int {
        #if RELUX_TSAN
            let usual = 20
        #else
            let usual = 100
        #endif
        return ProcessInfo.processInfo.environment["RELUX_KILLS"].flatMap(Int.init).map { max($0, 1) } ?? usual
    }

    /// The moment of a kill is counted, not timed: so many lines of the program that is killed, and then so many of the
    /// others that work beside it.
    @Test(arguments: [Victim.command])
    func `killing a program at any moment loses no saved item and leaves no lock behind`(victim: Victim) async throws {
        let service = FileItemsService(folder: folder.path)
        _ = try await service.save((1...50).map { .insert(.sample($0)) })
        let others = Others(folder: folder.path)
        let working = (0..<2).map { number in Task { try await others.work(as: number) } }
        var random = SeededGenerator(seed: 1)
        var (acknowledged, killed, leftovers) = (Set<String>(), 0, 0)

        for round in 0..<Self.rounds {
            let title = "Round \(round)"
            let program = try victim.start(title, folder.path)
            await program.lines(.random(in: 0...victim.steps, using: &random))
            await others.lines(.random(in: 0...8, using: &random))
            program.interrupt(with: SIGKILL)
            let result = await program.end()
            for await line in program.output where victim.isAcknowledgement(line) { acknowledged.insert(title) }
            if result.wasEndedBySignal { killed += 1 } else { #expect(result.status == 0) }

            // The next ones work at once: what is there can be read, and now and then this adds to it, as the others do
            // all the time. A lock that is left behind would end any of them with a failure.
            if round.isMultiple(of: 10) {
                let next = try await ChildProcess.run(["items", "add", "After \(round)", "--data", folder.path])
                #expect(next.status == 0, "after round \(round): \(next.error)")
                acknowledged.insert("After \(round)")
            }
            let promised = acknowledged.union(others.acknowledged)
            let list = try await ChildProcess.run(["items", "list", "--json", "--data", folder.path])
            #expect(list.status == 0, "after round \(round): \(list.error)")
            #expect(promised.subtracting(try list.json.items.map(\.title)).isEmpty, "after round \(round)")
            leftovers = max(leftovers, try folder.temporaryFiles.count)
        }
        others.stop()
        for task in working { try await task.cancellableValue }

        // Nobody is left: the lock is free, and one more save leaves nothing lying about.
        #expect(try FileLock.ifFree(path: folder.path(of: "items.lock")) != nil)
        let last = try await ChildProcess.run(["items", "add", "Last", "--data", folder.path])
        let titles = try await service.load().items.map(\.title)
        #expect(last == ChildProcess.Result(status: 0, output: last.output))
        #expect(try folder.names == ["items-history.jsonl", "items.jsonl", "items.lock"])
        // Each writer takes away what it finds: what ten kills have left, at most, and what the others were writing.
        #expect(leftovers <= 10 + 2)
        #expect(Set(titles).isSuperset(of: acknowledged.union(others.acknowledged).union(["Last"])))
        #expect(Set(titles).count == titles.count)
        #expect(try await FileItemsHistoryService(folder: folder.path).load().done.isEmpty == false)
        // Else it proves less than it seems to.
        #expect(killed >= Self.rounds / 10 && !others.acknowledged.isEmpty)
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

extension RunningProgram {
    /// Waits for so many lines on standard error, or for its end.
    fileprivate func lines(_ count: Int) async {
        var iterator = errors.makeAsyncIterator()
        for _ in 0..<count where await iterator.next() == nil { return }
    }
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

/// The choices of probabilistic concurrency testing (PCT).
///
/// Each task gets a random priority when it first appears, and the waiting task with the highest one always runs. At a
/// few random steps, the task that would run next drops below all others. Such an order can hold a task back for a long
/// time, which uniform choices practically never do. See Sebastian Burckhardt, Pravesh Kothari, Madanlal Musuvathi and
/// Santosh Nagarakatte, "A Randomized Scheduler with Probabilistic Guarantees of Finding Bugs", ASPLOS 2010.
struct PriorityOrder {
    /// A task that runs this often in a row while others wait drops below them: it may be waiting for them in a loop.
    private static let patience = 200

    private var generator: SeededGenerator
    private var priorities: [UInt64: Int64] = [:]
    /// The steps at which a task drops, the first one last.
    private var changes: [Int]
    private var step = 0
    private var lowest: Int64 = 0
    private var last: UInt64?
    private var streak = 0

    /// - Parameter depth: The number of random steps at which a task drops.
    init(seed: UInt64, depth: Int) {
        var generator = SeededGenerator(seed: seed)
        // The length of the run is unknown, so the order of magnitude is random as well.
        let length = 8 << (2 * generator.next(below: 4))
        changes = (0..<depth).map { _ in generator.next(below: length) + 1 }.sorted(by: >)
        self.generator = generator
    }

    /// Returns the index of the task to run.
    mutating func choose(_ tasks: [UInt64]) -> Int {
        for task in tasks where priorities[task] == nil {
            priorities[task] = Int64(truncatingIfNeeded: generator.next() >> 2) + 1
        }
        step += 1
        var index = highest(tasks)
        while let change = changes.last, step >= change {
            changes.removeLast()
            drop(tasks[index])
            index = highest(tasks)
        }
        streak = tasks[index] == last ? streak + 1 : 0
        if streak >= Self.patience {
            drop(tasks[index])
            index = highest(tasks)
            streak = 0
        }
        last = tasks[index]
        return index
    }

    private mutating func drop(_ task: UInt64) {
        lowest -= 1
        priorities[task] = lowest
    }

    private func highest(_ tasks: [UInt64]) -> Int {
        var best = 0
        for index in tasks.indices where (priorities[tasks[index]] ?? 0) > (priorities[tasks[best]] ?? 0) {
            best = index
        }
        return best
    }
}

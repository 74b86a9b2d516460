import Relux

/// Decides what happens next in a run, and records each decision.
///
/// - Isolation: Any thread.
final class Schedule: Sendable {
    /// How decisions are made.
    enum Strategy {
        /// First in, first out, with the shortest latencies and no faults.
        case plain
        /// Determined by a seed, which also decides whether jobs are chosen uniformly or by priorities.
        case seed(UInt64)
        /// As recorded.
        case tape(ScheduleTape)
    }

    fileprivate enum Order {
        case recorded
        case uniform(SeededGenerator)
        case priorities(PriorityOrder)
    }

    fileprivate struct Contents {
        var order: Order
        /// Decides whether time passes early; nil if it never does.
        var early: (generator: SeededGenerator, probability: Double)?
        /// Draws random numbers; nil if they are recorded.
        var numbers: SeededGenerator?
        var recorded: ScheduleTape
        var played: ScheduleTape
    }

    private let contents: Lock<Contents>

    init(_ strategy: Strategy) {
        switch strategy {
        case .plain: contents = Lock(Self.playing(ScheduleTape(seed: 0)))
        case .tape(let tape): contents = Lock(Self.playing(tape))
        case .seed(let seed): contents = Lock(Self.seeded(seed))
        }
    }

    private static func playing(_ tape: ScheduleTape) -> Contents {
        Contents(order: .recorded, recorded: ScheduleTape(seed: tape.seed), played: tape)
    }

    private static func seeded(_ seed: UInt64) -> Contents {
        // Different seeds for each purpose, so that one kind of decision doesn't repeat the other.
        var kinds = SeededGenerator(seed: seed ^ 0x9E6C_63D0_876A_3F6B)
        let kind = kinds.next(below: 4)
        let order: Order =
            kind < 2
            ? .uniform(SeededGenerator(seed: seed)) : .priorities(PriorityOrder(seed: seed, depth: kind - 1))
        let isEarly = kinds.next(below: 2) == 0
        let probability = 1 / Double(8 << kinds.next(below: 5))
        return Contents(
            order: order,
            early: isEarly ? (SeededGenerator(seed: seed ^ 0x3C79_AC49_2BA7_B653), probability) : nil,
            numbers: SeededGenerator(seed: seed ^ 0x5DEE_CE66_D1CE_4E5B),
            recorded: ScheduleTape(seed: seed), played: ScheduleTape(seed: seed)
        )
    }

    /// The seed that the scenario sees; 0 for the plain order.
    var seed: UInt64 { contents.withLock { $0.recorded.seed } }

    /// The decisions so far.
    var tape: ScheduleTape { contents.withLock { $0.recorded.trimmed } }

    /// Chooses a job to run, or lets time pass.
    ///
    /// - Parameters:
    ///   - count: The number of waiting jobs, at least 1.
    ///   - canPass: Whether time may pass although there are jobs.
    ///   - tasks: Returns the tasks of the jobs, in order of arrival.
    /// - Returns: The index of the job, or the number of jobs to let time pass.
    func choose(of count: Int, canPass: Bool, _ tasks: () -> [UInt64]) -> Int {
        guard count > 1 || canPass else { return 0 }
        let needsTasks = contents.withLock { if case .priorities = $0.order { true } else { false } }
        let tasks = needsTasks ? tasks() : []
        return contents.withLock { $0.choose(of: count, canPass: canPass, tasks) }
    }

    /// Draws a random number, uniformly distributed over all of `UInt64`.
    func draw() -> UInt64 { contents.withLock { $0.draw() } }

    /// Draws a number in `0..<1`.
    func fraction() -> Double { Double(draw() >> 11) * 0x1p-53 }
}

extension Schedule.Contents {
    mutating func choose(of count: Int, canPass: Bool, _ tasks: [UInt64]) -> Int {
        let choice = canPass && passesEarly() ? count : chooseJob(of: count, canPass: canPass, tasks)
        recorded.choices.append(choice)
        return choice
    }

    private mutating func passesEarly() -> Bool {
        guard var early else { return false }
        let fraction = Double(early.generator.next() >> 11) * 0x1p-53
        self.early = early
        return fraction < early.probability
    }

    private mutating func chooseJob(of count: Int, canPass: Bool, _ tasks: [UInt64]) -> Int {
        switch order {
        case .recorded:
            let index = recorded.choices.count
            let choice = index < played.choices.count ? played.choices[index] : 0
            return min(choice, canPass ? count : count - 1)
        case .uniform(var generator):
            let index = generator.next(below: count)
            order = .uniform(generator)
            return index
        case .priorities(var priorities):
            let index = priorities.choose(tasks)
            order = .priorities(priorities)
            return index
        }
    }

    mutating func draw() -> UInt64 {
        let index = recorded.draws.count
        let number = numbers?.next() ?? (index < played.draws.count ? played.draws[index] : 0)
        recorded.draws.append(number)
        return number
    }
}

import ReluxTesting
import Testing

@testable import Relux

@Suite("Queue of runs")
struct RunQueueTests {
    @Test("it agrees with an array over random operations", arguments: 0..<20 as Range<UInt64>)
    func agreesWithAnArray(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        var queue = RunQueue()
        var model: [RunID] = []

        for run in 1...2000 as ClosedRange<RunID> {
            switch generator.next() % 16 {
            case 0..<8:
                queue.append(run)
                model.append(run)
            case 8..<13:
                guard let leaving = model.randomElement(using: &generator) else { continue }
                queue.remove(leaving)
                model.removeAll { $0 == leaving }
            default:
                #expect(queue.popFirst() == (model.isEmpty ? nil : model.removeFirst()))
            }
            #expect(queue.elements == model)
            #expect(queue.first == model.first)
            #expect(queue.count == model.count)
            #expect(queue.isEmpty == model.isEmpty)
        }
    }

    @Test("it is empty after all have left, in any order", arguments: 0..<20 as Range<UInt64>)
    func emptying(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        var queue = RunQueue()
        for run in 1...50 as ClosedRange<RunID> { queue.append(run) }

        for run in (1...50 as ClosedRange<RunID>).shuffled(using: &generator) { queue.remove(run) }

        #expect(queue.isEmpty)
        #expect(queue.first == nil)
        #expect(queue.elements.isEmpty)
    }
}

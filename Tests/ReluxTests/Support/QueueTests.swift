import ReluxTesting
import Testing

@testable import Relux

@Suite("Queue")
struct QueueTests {
    @Test("elements are taken first in, first out")
    func firstInFirstOut() {
        var queue = Queue<Int>()

        for number in 0..<200 { queue.append(number) }
        let taken = (0..<200).map { _ in queue.popFirst() }

        #expect(taken == (0..<200).map { Optional($0) })
        #expect(queue.popFirst() == nil)
        #expect(queue.isEmpty)
    }

    @Test("it agrees with an array over random operations", arguments: 0..<20 as Range<UInt64>)
    func agreesWithAnArray(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        var queue = Queue<Int>()
        var model: [Int] = []

        for number in 0..<2000 {
            switch generator.next() % 16 {
            case 0..<8:
                queue.append(number)
                model.append(number)
            default:
                #expect(queue.popFirst() == (model.isEmpty ? nil : model.removeFirst()))
            }
            #expect(queue.count == model.count)
            #expect(queue.isEmpty == model.isEmpty)
        }

        #expect(queue.elements == model)
    }

    @Test("an element is released as soon as it is taken")
    func elementsAreReleased() {
        final class Element {}
        var queue = Queue<Element>()
        weak var first: Element?
        do {
            let element = Element()
            first = element
            queue.append(element)
        }
        queue.append(Element())

        let isHeld = first != nil
        _ = queue.popFirst()

        #expect(isHeld)
        #expect(first == nil)
        #expect(queue.count == 1)
    }
}

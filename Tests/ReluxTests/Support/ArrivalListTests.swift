import ReluxTesting
import Testing

@testable import Relux

@Suite("ArrivalList", .timeLimit(.minutes(10)))
struct ArrivalListTests {
    /// The same elements as a plain array.
    private struct Model {
        var list = ArrivalList<Int>()
        var elements: [(key: UInt64, element: Int)] = []
        var lastKey: UInt64 = 0
        var random: SeededGenerator

        /// A key that is in the list, was in it, or will be.
        mutating func key() -> UInt64 {
            if Bool.random(using: &random), let present = elements.randomElement(using: &random) { return present.key }
            return UInt64.random(in: 0...lastKey + 2, using: &random)
        }

        /// - Parameter growth: How many of ten operations append.
        mutating func step(_ number: Int, growth: Int) {
            guard Int.random(in: 0..<10, using: &random) >= growth else { return append(number) }
            switch Int.random(in: 0..<12, using: &random) {
            case 0...4: remove(key())
            case 5...8: #expect(list.popFirst() == (elements.isEmpty ? nil : elements.removeFirst().element))
            case 9...10: insert(number, as: key())
            default:
                guard Int.random(in: 0..<20, using: &random) == 0 else { return }
                #expect(list.removeAll() == elements.map(\.element))
                elements = []
            }
        }

        private mutating func append(_ element: Int) {
            if Bool.random(using: &random) {
                lastKey += 1
                #expect(list.append(element) == lastKey)
            } else {
                lastKey += UInt64.random(in: 1...5, using: &random)
                list.insert(element, as: lastKey)
            }
            elements.append((lastKey, element))
        }

        private mutating func remove(_ key: UInt64) {
            let index = elements.firstIndex { $0.key == key }
            #expect(list.remove(key) == index.map { elements.remove(at: $0).element })
        }

        private mutating func insert(_ element: Int, as key: UInt64) {
            remove(key)
            list.insert(element, as: key)
            elements.insert((key, element), at: elements.firstIndex { $0.key > key } ?? elements.count)
            lastKey = max(lastKey, key)
        }

        mutating func check() {
            #expect(list.count == elements.count)
            #expect(list.isEmpty == elements.isEmpty)
            #expect(list.first == elements.first?.element)
        }

        func checkAll() {
            #expect(list.elements == elements.map(\.element))
            #expect(Array(list) == list.elements)
            var list = list
            #expect(elements.map { list.remove($0.key) } == elements.map(\.element))
        }
    }

    @Test("keeps the elements in order of arrival under their keys", arguments: 0..<20 as Range<UInt64>)
    func model(seed: UInt64) {
        var model = Model(random: SeededGenerator(seed: seed))

        // Grows and shrinks, so that it also gets rid of many gaps, and runs empty.
        for growth in [7, 2, 8, 1, 5] {
            for number in 0..<150 {
                model.step(number, growth: growth)
                model.check()
                if number.isMultiple(of: 10) { model.checkAll() }
            }
        }
        model.checkAll()
    }

    @Test("removed elements are released, wherever they were", arguments: [0, 1, 500, 998, 999])
    func releases(index: UInt64) async {
        var list = ArrivalList<Probe>()
        let events = (0..<1_000).map { _ in
            let probe = Probe()
            list.append(probe)
            return probe.gone
        }

        list.remove(index + 1)

        #expect(events.map(\.hasFired) == (0..<1_000).map { $0 == index })
        #expect(list.count == 999)
    }
}

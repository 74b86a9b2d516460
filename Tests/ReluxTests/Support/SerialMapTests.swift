import ReluxTesting
import Testing

@testable import Relux

@Suite("SerialMap")
struct SerialMapTests {
    /// Counts the live instances.
    private final class Counted {
        final class Count {
            var alive = 0
        }

        let number: UInt64
        private let count: Count

        init(_ number: UInt64, _ count: Count) {
            self.number = number
            self.count = count
            count.alive += 1
        }

        deinit { count.alive -= 1 }
    }

    @Test("it finds what a dictionary finds, after any insertions and removals", arguments: 0..<20 as Range<UInt64>)
    func model(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        // Serial numbers, addresses, and numbers that all hash to the same slot.
        let stride: UInt64 = [1, 16, 0x1_0000_0000][Int(seed % 3)]
        var map = SerialMap<UInt64>()
        var model: [UInt64: UInt64] = [:]

        for _ in 0..<2_000 {
            let number = UInt64.random(in: 1...60, using: &random) &* stride
            let value = random.next()
            switch Int.random(in: 0..<4, using: &random) {
            case 0, 1:
                map.set(number, to: value)
                model[number] = value
            case 2:
                #expect(map.remove(number) == model.removeValue(forKey: number))
            default:
                map.remove(number)
                model[number] = nil
            }
            let isThere = map.contains(number)
            #expect(isThere == (model[number] != nil))
        }

        let (keys, values, count, isEmpty) = (map.keys, map.values, map.count, map.isEmpty)
        #expect(keys == model.keys.sorted())
        #expect(values == model.keys.sorted().compactMap { model[$0] })
        #expect(count == model.count)
        #expect(isEmpty == model.isEmpty)
    }

    @Test("it changes a value in place")
    func inPlace() {
        var map = SerialMap<[Int]>()
        for number in 1...100 as ClosedRange<UInt64> { map.set(number, to: []) }

        for number in 1...100 as ClosedRange<UInt64> { map.at(number)?.pointee.append(Int(number)) }

        let values = map.values
        #expect(values == (1...100).map { [$0] })
        #expect(map.at(101) == nil && map.at(0) == nil)
    }

    @Test("it holds each value once and releases all of them")
    func ownership() {
        let count = Counted.Count()
        do {
            var map = SerialMap<Counted>()
            for number in 1...100 as ClosedRange<UInt64> { map.set(number, to: Counted(number, count)) }
            for number in 1...50 as ClosedRange<UInt64> { map.set(number, to: Counted(number, count)) }
            #expect(count.alive == 100)

            for number in 1...20 as ClosedRange<UInt64> { map.remove(number) }
            let taken = map.remove(21)
            #expect(taken?.number == 21)
            #expect(count.alive == 80)

            let chosen = map.keys { $0.number.isMultiple(of: 2) }
            #expect(chosen == Array(stride(from: 22, through: 100, by: 2)))

            map.removeAll()
            #expect(withExtendedLifetime(taken) { count.alive } == 1)
            #expect(map.isEmpty && map.keys.isEmpty)
            map.set(1, to: Counted(1, count))
            #expect(map.keys == [1])
        }
        #expect(count.alive == 0)
    }

    /// Inserts further values into the map when it is deinitialised.
    private final class Returning {
        final class Place {
            // exclusivity(unchecked): like the store's own maps, which a deinitialiser may re-enter.
            @exclusivity(unchecked) var map = SerialMap<Returning?>()
        }

        private let place: Place

        init(_ place: Place) { self.place = place }

        deinit {
            for number in 2...100 as ClosedRange<UInt64> { place.map.set(number, to: nil) }
        }
    }

    @Test("a value whose deinitialiser re-enters the map finds itself removed and the map consistent")
    func deinitialisersReenter() {
        let place = Returning.Place()
        place.map.set(1, to: Returning(place))

        place.map.remove(1)

        #expect(place.map.keys == Array(2...100))
    }

    @Test("it shrinks with its contents, so iteration costs only what it contains")
    func shrinks() {
        var map = SerialMap<UInt64>()
        for number in 1...200_000 as ClosedRange<UInt64> { map.set(number, to: number) }
        let largest = map.capacity

        for number in 11...200_000 as ClosedRange<UInt64> { map.remove(number) }

        let (smallest, keys) = (map.capacity, map.keys)
        #expect(largest >= 200_000)
        #expect(smallest <= 128)
        #expect(keys == Array(1...10))
    }

    @Test("an empty map finds nothing and removes nothing")
    func empty() {
        var map = SerialMap<Int>()

        let (keys, taken) = (map.keys, map.remove(1))
        map.remove(1)

        #expect(keys == [] && taken == nil)
    }
}

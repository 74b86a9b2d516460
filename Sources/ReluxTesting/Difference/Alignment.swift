/// An alignment of two lists: which elements correspond to each other.
///
/// The steps are in reading order: along both lists, with removals before insertions.
package struct Alignment {
    package enum Step: Equatable {
        /// The same element in both lists.
        case same(Int, Int)
        /// Corresponding elements, which may or may not be the same.
        case pair(Int, Int)
        /// An element that has moved among its siblings and may have changed as well.
        case moved(Int, Int)
        case removed(Int)
        case inserted(Int)
    }

    package private(set) var steps: [Step] = []
}

// MARK: - Runs

extension Alignment {
    /// A number of unchanged elements, and the changes up to the next unchanged one.
    struct Run {
        var same = 0
        var old: [Int] = []
        var new: [Int] = []
    }

    /// The steps grouped so that, between two common elements, all old elements come before all new ones.
    var runs: [Run] {
        var runs = [Run()]
        for step in steps {
            let last = runs.count - 1
            switch step {
            case .same:
                if runs[last].old.isEmpty, runs[last].new.isEmpty {
                    runs[last].same += 1
                } else {
                    runs.append(Run(same: 1))
                }
            case .pair(let old, let new), .moved(let old, let new):
                runs[last].old.append(old)
                runs[last].new.append(new)
            case .removed(let old): runs[last].old.append(old)
            case .inserted(let new): runs[last].new.append(new)
            }
        }
        return runs
    }
}

// MARK: - By identity

extension Alignment {
    /// Aligns lists whose elements have identities, each at most once per list.
    ///
    /// The longest subsequence of elements that kept their order stays in place. The other elements that are in both
    /// lists have moved.
    ///
    /// - Complexity: O(*n* log *n*).
    package init(expected: [AnyHashable], actual: [AnyHashable]) {
        let places = Dictionary(zip(actual, actual.indices), uniquingKeysWith: { first, _ in first })
        let partners = expected.map { places[$0] }
        let kept = Self.longestRise(partners)
        var origins: [Int: Int] = [:]
        for (index, partner) in partners.enumerated() {
            if let partner { origins[partner] = index }
        }

        var next = 0
        for index in expected.indices {
            guard let partner = partners[index] else {
                steps.append(.removed(index))
                continue
            }
            guard kept.contains(index) else { continue }
            while next < partner {
                steps.append(origins[next].map { .moved($0, next) } ?? .inserted(next))
                next += 1
            }
            steps.append(.pair(index, partner))
            next = partner + 1
        }
        while next < actual.count {
            steps.append(origins[next].map { .moved($0, next) } ?? .inserted(next))
            next += 1
        }
    }

    /// Returns the indices of a longest increasing subsequence, using patience sorting.
    private static func longestRise(_ values: [Int?]) -> Set<Int> {
        var tops: [(index: Int, value: Int)] = []
        var previous: [Int?] = Array(repeating: nil, count: values.count)
        for (index, value) in values.enumerated() {
            guard let value else { continue }
            var low = 0
            var high = tops.count
            while low < high {
                let middle = (low + high) / 2
                if tops[middle].value < value { low = middle + 1 } else { high = middle }
            }
            previous[index] = low == 0 ? nil : tops[low - 1].index
            if low == tops.count { tops.append((index, value)) } else { tops[low] = (index, value) }
        }

        var rise: Set<Int> = []
        var cursor = tops.last?.index
        while let index = cursor {
            rise.insert(index)
            cursor = previous[index]
        }
        return rise
    }
}

// MARK: - By similarity

extension Alignment {
    /// Aligns lists by a longest common subsequence, and pairs the elements that replace each other in between.
    ///
    /// The common prefix and suffix are set aside first. Lists that can't be aligned within the given effort, or that
    /// differ by 400 or more insertions and removals, are paired index by index instead.
    ///
    /// - Complexity: O(*n* + *d*²) comparisons with *d* differences, at most O(*n*) + `effort`.
    package init(expected: Int, actual: Int, effort: Int = 200_000, same: (Int, Int) -> Bool) {
        var start = 0
        while start < min(expected, actual), same(start, start) { start += 1 }
        var ends = (expected, actual)
        while ends.0 > start, ends.1 > start, same(ends.0 - 1, ends.1 - 1) {
            ends.0 -= 1
            ends.1 -= 1
        }

        steps += (0..<start).map { .same($0, $0) }
        let middle = Self.commonSubsequence(start..<ends.0, start..<ends.1, effort, same) ?? []
        var gap = (start, start)
        for match in middle + [ends] {
            appendGap(gap.0..<match.0, gap.1..<match.1)
            if match != ends { steps.append(.same(match.0, match.1)) }
            gap = (match.0 + 1, match.1 + 1)
        }
        steps += zip(ends.0..<expected, ends.1..<actual).map { .same($0, $1) }
    }

    private mutating func appendGap(_ old: Range<Int>, _ new: Range<Int>) {
        let pairs = min(old.count, new.count)
        steps += zip(old, new).map { .pair($0, $1) }
        steps += old.dropFirst(pairs).map { .removed($0) }
        steps += new.dropFirst(pairs).map { .inserted($0) }
    }

    /// The greedy algorithm of Myers, "An O(ND) Difference Algorithm and Its Variations" (1986), with limited effort.
    private static func commonSubsequence(
        _ old: Range<Int>,
        _ new: Range<Int>,
        _ effort: Int,
        _ same: (Int, Int) -> Bool
    ) -> [(Int, Int)]? {
        guard !old.isEmpty, !new.isEmpty else { return [] }

        var comparisons = 0
        var reach = [1: 0]
        var rounds: [[Int: Int]] = []
        for distance in 0...(old.count + new.count) {
            rounds.append(reach)
            for diagonal in stride(from: -distance, through: distance, by: 2) {
                let down = reach[diagonal + 1] ?? -1
                let right = (reach[diagonal - 1] ?? -2) + 1
                var x = max(down, right)
                while x < old.count, x - diagonal < new.count, x - diagonal >= 0 {
                    comparisons += 1
                    guard same(old.lowerBound + x, new.lowerBound + x - diagonal) else { break }
                    x += 1
                }
                guard comparisons < effort else { return nil }
                reach[diagonal] = x
                if x >= old.count, x - diagonal >= new.count {
                    return walkBack(rounds, from: (old.count, new.count)).map {
                        ($0.0 + old.lowerBound, $0.1 + new.lowerBound)
                    }
                }
            }
            guard rounds.count < 400 else { return nil }
        }
        return nil
    }

    private static func walkBack(_ rounds: [[Int: Int]], from end: (Int, Int)) -> [(Int, Int)] {
        var matches: [(Int, Int)] = []
        var (x, y) = end
        for reach in rounds.reversed() {
            let diagonal = x - y
            let down = reach[diagonal + 1] ?? -1
            let right = (reach[diagonal - 1] ?? -2) + 1
            let origin = down >= right ? (down, down - diagonal - 1) : (right - 1, right - diagonal)
            let start = max(down, right)
            while x > start, x > 0, y > 0 {
                x -= 1
                y -= 1
                matches.append((x, y))
            }
            (x, y) = origin
        }
        return matches.reversed()
    }
}

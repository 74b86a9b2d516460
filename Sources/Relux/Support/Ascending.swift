/// Numbers in ascending order.
// inline(never), here and below: each type of element and each place would otherwise have a copy of the sorting.
@inline(never)
func ascending(_ numbers: [UInt64]) -> [UInt64] { numbers.sorted() }

/// The positions of different numbers, in ascending order of the numbers.
@inline(never)
private func positions(of numbers: [UInt64]) -> [Int] {
    let sorted = ascending(numbers)
    var positions = Array(repeating: 0, count: numbers.count)
    for (position, number) in numbers.enumerated() {
        var (low, high) = (0, sorted.count)
        while low < high {
            let middle = (low + high) / 2
            if sorted[middle] < number { low = middle + 1 } else { high = middle }
        }
        positions[low] = position
    }
    return positions
}

extension Array {
    /// The elements in ascending order of their numbers, which must be different.
    func ascending(by number: (Element) -> UInt64) -> [Element] {
        positions(of: map(number)).map { self[$0] }
    }
}

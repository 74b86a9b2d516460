/// Finds what can stay where it is when a sequence is reordered, so that the rest can be moved.
///
/// For items of equal weight, this is the longest increasing subsequence (Fredman, "On Computing the Length of Longest
/// Increasing Subsequences", 1975). A Fenwick tree of maxima ("A New Data Structure for Cumulative Frequency Tables",
/// 1994) makes it work for weights as well.
///
/// - Parameters:
///   - ranks: A permutation of the numbers from 0.
///   - weights: The positive weight of the item at each index.
/// - Returns: Whether the item at each index belongs to an increasing subsequence of greatest weight.
/// - Complexity: O(*n* log *n*), or O(*n*) if the ranks ascend.
func heaviestIncreasingSubsequence(_ ranks: [Int], weights: [Int]) -> [Bool] {
    let count = ranks.count
    if (0..<count).allSatisfy({ ranks[$0] == $0 }) { return Array(repeating: true, count: count) }
    var totals = Array(repeating: 0, count: count)
    var predecessors: [Int?] = Array(repeating: nil, count: count)
    // Node n has the index of the heaviest subsequence that ends in one of the ranks n - (n & -n)..<n.
    var heaviest: [Int?] = Array(repeating: nil, count: count + 1)
    var best: Int?
    for index in 0..<count {
        var node = ranks[index]
        var predecessor: Int?
        while node > 0 {
            if let found = heaviest[node], predecessor.map({ totals[$0] < totals[found] }) ?? true {
                predecessor = found
            }
            node -= node & -node
        }
        predecessors[index] = predecessor
        totals[index] = weights[index] + (predecessor.map { totals[$0] } ?? 0)
        node = ranks[index] + 1
        while node <= count {
            if heaviest[node].map({ totals[$0] < totals[index] }) ?? true { heaviest[node] = index }
            node += node & -node
        }
        if best.map({ totals[$0] < totals[index] }) ?? true { best = index }
    }
    var isMember = Array(repeating: false, count: count)
    while let index = best {
        isMember[index] = true
        best = predecessors[index]
    }
    return isMember
}

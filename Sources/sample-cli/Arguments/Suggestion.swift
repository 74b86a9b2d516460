/// Guesses what the user meant to type.
enum Suggestion {
    /// The candidate with the smallest edit distance, if it is small enough for a typing error. Otherwise a candidate
    /// that starts with the word.
    static func nearest(to word: String, among candidates: [String]) -> String? {
        let word = word.lowercased()
        let distances = candidates.map { (name: $0, distance: distance(from: word, to: $0)) }
        // Equal distances are ordered by name, so that the result doesn't depend on the order of the candidates.
        let nearest = distances.min { ($0.distance, $0.name) < ($1.distance, $1.name) }
        let beginnings = candidates.filter { !word.isEmpty && $0.hasPrefix(word) }
        if let nearest, nearest.distance <= max(2, word.count / 3), nearest.distance < word.count {
            return nearest.name
        }
        return beginnings.min()
    }

    /// The number of insertions, deletions, replacements, and swaps of neighbours (the optimal string alignment
    /// distance).
    static func distance(from one: String, to other: String) -> Int {
        let (one, other) = (Array(one), Array(other))
        var beforeLast: [Int] = []
        var last = Array(0...other.count)
        for row in one.indices {
            var current = [row + 1]
            for column in other.indices {
                let isSame = one[row] == other[column]
                var best = min(last[column] + (isSame ? 0 : 1), last[column + 1] + 1, current[column] + 1)
                if row > 0, column > 0, one[row] == other[column - 1], one[row - 1] == other[column] {
                    best = min(best, beforeLast[column - 1] + 1)
                }
                current.append(best)
            }
            (beforeLast, last) = (last, current)
        }
        return last[other.count]
    }
}

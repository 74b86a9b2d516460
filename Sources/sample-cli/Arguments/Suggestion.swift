/// Guesses what somebody meant to write.
enum Suggestion {
    /// The candidate that takes the fewest slips of the finger, if they are few enough to be slips.
    static func nearest(to word: String, among candidates: [String]) -> String? {
        let word = word.lowercased()
        let distances = candidates.map { (name: $0, distance: distance(from: word, to: $0)) }
        // Names decide between equals, so that the guess doesn't depend on an order that means nothing.
        let nearest = distances.min { ($0.distance, $0.name) < ($1.distance, $1.name) }
        let beginnings = candidates.filter { !word.isEmpty && $0.hasPrefix(word) }
        if let nearest, nearest.distance <= max(2, word.count / 3), nearest.distance < word.count {
            return nearest.name
        }
        return beginnings.min()
    }

    /// How many letters have to be put in, left out, replaced, or swapped with their neighbour.
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

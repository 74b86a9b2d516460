extension String {
    /// The text wrapped to lines of a width, between words if possible. The last of a limited number of lines contains
    /// the entire rest.
    func wrapped(to width: Int, limit: Int = .max) -> [String] {
        guard width > 0, limit > 0 else { return [] }
        var lines: [String] = []
        var line = ""
        var words = visible.split(separator: " ", omittingEmptySubsequences: true)[...]
        while let word = words.first {
            let candidate = line.isEmpty ? String(word) : "\(line) \(word)"
            if candidate.columns <= width {
                line = candidate
            } else if lines.count + 1 == limit {
                return lines + [([line] + words.map(String.init)).filter { !$0.isEmpty }.joined(separator: " ")]
            } else if line.isEmpty {
                // A single word is too long. It is split, with at least one character per line.
                let head = word.fitting(width)
                lines.append(String(head))
                words[words.startIndex] = word[head.endIndex...]
                continue
            } else {
                lines.append(line)
                line = ""
                continue
            }
            words.removeFirst()
        }
        return line.isEmpty ? lines : lines + [line]
    }
}

extension Substring {
    /// The longest prefix that fits a width, but at least one character.
    fileprivate func fitting(_ width: Int) -> Substring {
        var end = startIndex
        var room = width
        while end < endIndex, room >= self[end].columns || end == startIndex {
            room -= self[end].columns
            end = index(after: end)
        }
        return self[..<end]
    }
}

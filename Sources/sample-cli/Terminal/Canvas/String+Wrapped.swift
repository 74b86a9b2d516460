extension String {
    /// The text in lines of a width, parted between words where that is possible.
    ///
    /// - Parameters:
    ///   - width: How many columns a line has.
    ///   - limit: How many lines there may be; the last one has the whole rest.
    /// - Returns: The lines.
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
                // One word alone is too long: it is cut, one character at least a line.
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
    /// So much of the beginning as has room in a width, and one character at least.
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

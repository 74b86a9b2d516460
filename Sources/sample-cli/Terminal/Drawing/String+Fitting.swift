extension String {
    /// The text in at most a number of columns. What doesn't fit is replaced by an ellipsis, control characters are
    /// visible, and characters without a width are omitted.
    func fitted(to width: Int) -> String {
        var text = ""
        var columns = 0
        for character in visible where character.columns > 0 {
            if columns + character.columns > width {
                while columns >= width, let last = text.popLast() { columns -= last.columns }
                return width > 0 ? text + "…" : ""
            }
            text.append(character)
            columns += character.columns
        }
        return text
    }

    /// The text, padded with spaces to a number of columns.
    func padded(to width: Int) -> String {
        self + String(repeating: " ", count: max(0, width - columns))
    }

    /// The text wrapped to lines of a width, between words if possible. The last of a limited number of lines contains
    /// the entire rest.
    func wrapped(to width: Int, limit: Int = .max) -> [String] {
        guard width > 0, limit > 0 else { return [] }
        var lines = [""]
        var words = visible.split(separator: " ")[...]
        while let word = words.first {
            let line = lines.removeLast()
            let candidate = line.isEmpty ? String(word) : "\(line) \(word)"
            if candidate.columns <= width {
                lines.append(candidate)
                words.removeFirst()
            } else if lines.count + 1 == limit {
                let rest = (line.isEmpty ? [] : [line[...]]) + words
                return lines + [rest.joined(separator: " ")]
            } else if line.isEmpty {
                // A single word is too long. It is split, with at least one character per line.
                let head = word.head(fitting: width)
                lines += [String(head), ""]
                words[words.startIndex] = word[head.endIndex...]
            } else {
                lines += [line, ""]
            }
        }
        return lines.filter { !$0.isEmpty }
    }
}

extension Substring {
    /// The longest prefix that fits a width, but at least one character.
    fileprivate func head(fitting width: Int) -> Substring {
        var room = width
        let end = indices.dropFirst().first { index in
            room -= self[self.index(before: index)].columns
            return room < self[index].columns
        }
        return self[..<(end ?? endIndex)]
    }
}

/// Walks through two values that are not the same, and writes down where they differ.
struct Comparison {
    private static let depthLimit = 40

    private(set) var writer = DifferenceWriter()

    private var depth = 0
    private var path = InstancePath()

    /// Writes the difference between two values that are known not to be the same.
    mutating func compare(_ label: String, _ expected: Any, _ actual: Any) {
        guard !writer.isFull else { return }
        let before = writer.differences
        descend(label, expected, actual)
        if writer.differences == before { replace(label, expected, actual) }
    }

    private mutating func descend(_ label: String, _ expected: Any, _ actual: Any) {
        guard type(of: expected) == type(of: actual), depth < Self.depthLimit else { return }
        guard path.enter(expected) else { return }
        depth += 1
        defer {
            depth -= 1
            path.leave(expected)
        }

        switch (Shape(of: expected), Shape(of: actual)) {
        case (.some(let old), .some(let new)): compare(label, old, new)
        case (.lines(let old), .lines(let new)): compareLines(label, old, new)
        case (.fields(let type, let old), .fields(_, let new)):
            guard Identity.of(expected) == Identity.of(actual) else { return }
            compareParts(label, "\(type)(", old, new)
        case (.enumCase(let name, let old), .enumCase(let newName, let new)) where name == newName:
            compareParts(label, ".\(name)(", old, new)
        case (.list(let old), .list(let new)): compareLists(label, old.map(\.value), new.map(\.value))
        case (.set(let old), .set(let new)): compareSets(label, old, new)
        case (.dictionary(let old), .dictionary(let new)): compareEntries(label, Entry.sorted(old), Entry.sorted(new))
        default: break
        }
    }

    private mutating func replace(_ label: String, _ expected: Any, _ actual: Any) {
        let old = ValueText.lines(expected)
        let new = ValueText.lines(actual)
        let shown = LongText.abbreviated(old, new)
        writer.write(.expected, label, shown.0)
        writer.write(.actual, label, shown.1)
        if old == new { writer.write(.both, "", ["(not equal, though they look the same)"]) }
    }
}

// MARK: - Parts

extension Comparison {
    private mutating func compareParts(_ label: String, _ opening: String, _ old: [Shape.Part], _ new: [Shape.Part]) {
        guard old.map(\.label) == new.map(\.label) else { return }
        nest(label, opening, ")") { comparison in
            for (old, new) in zip(old, new) where !comparison.writer.isFull {
                if !Sameness.holds(old.value, new.value) {
                    comparison.compare(old.label, old.value, new.value)
                } else if old.label == "id" {
                    comparison.writer.write(.both, old.label, [ValueText.line(old.value)])
                } else {
                    comparison.writer.skip()
                }
            }
        }
    }

    private mutating func compareLines(_ label: String, _ old: [Substring], _ new: [Substring]) {
        let alignment = Alignment(expected: old.count, actual: new.count) { old[$0] == new[$1] }
        nest(label, "\"\"\"", "\"\"\"") { comparison in
            for run in alignment.runs where !comparison.writer.isFull {
                comparison.writer.skip(run.same)
                comparison.writer.write(.expected, lines: run.old.map { String(old[$0]) })
                comparison.writer.write(.actual, lines: run.new.map { String(new[$0]) })
            }
        }
    }

    private mutating func compareLists(_ label: String, _ old: [Any], _ new: [Any]) {
        let alignment: Alignment
        if let oldIDs = Identity.all(of: old), let newIDs = Identity.all(of: new) {
            alignment = Alignment(expected: oldIDs, actual: newIDs)
        } else {
            alignment = Alignment(expected: old.count, actual: new.count) { Sameness.holds(old[$0], new[$1]) }
        }
        nest(label, "[", "]") { comparison in
            for step in alignment.steps where !comparison.writer.isFull { comparison.write(step, old, new) }
        }
    }

    private mutating func write(_ step: Alignment.Step, _ old: [Any], _ new: [Any]) {
        switch step {
        case .same: writer.skip()
        case .pair(let index, let partner) where Sameness.holds(old[index], new[partner]): writer.skip()
        case .pair(let index, let partner):
            compare(index == partner ? "[\(index)]" : "[\(index) → \(partner)]", old[index], new[partner])
        case .moved(let index, let partner):
            writer.write(.expected, "[\(index)]", ["\(Identity.line(old[index])) (moved to [\(partner)])"])
            writer.write(.actual, "[\(partner)]", ["\(Identity.line(new[partner])) (moved from [\(index)])"])
            if !Sameness.holds(old[index], new[partner]) {
                compare("[\(index) → \(partner)]", old[index], new[partner])
            }
        case .removed(let index): writer.write(.expected, "[\(index)]", ValueText.lines(old[index]))
        case .inserted(let index): writer.write(.actual, "[\(index)]", ValueText.lines(new[index]))
        }
    }

    private mutating func compareEntries(_ label: String, _ old: [Entry], _ new: [Entry]) {
        let oldValues = Dictionary(old.map { ($0.key, $0.value) }, uniquingKeysWith: { first, _ in first })
        let newKeys = Set(new.map(\.key))
        let entries = (old.filter { !newKeys.contains($0.key) } + new).sorted { TextOrder.precedes($0.text, $1.text) }
        nest(label, "[", "]") { comparison in
            for entry in entries where !comparison.writer.isFull {
                let label = "[\(entry.text)]"
                if !newKeys.contains(entry.key) {
                    comparison.writer.write(.expected, label, ValueText.lines(entry.value))
                } else if let value = oldValues[entry.key] {
                    if Sameness.holds(value, entry.value) {
                        comparison.writer.skip()
                    } else {
                        comparison.compare(label, value, entry.value)
                    }
                } else {
                    comparison.writer.write(.actual, label, ValueText.lines(entry.value))
                }
            }
        }
    }

    private mutating func compareSets(_ label: String, _ old: Mirror.Children, _ new: Mirror.Children) {
        let oldElements = Set(old.compactMap { $0.value as? AnyHashable })
        let newElements = Set(new.compactMap { $0.value as? AnyHashable })
        let gone = oldElements.subtracting(newElements).map { (DifferenceWriter.Mark.expected, $0) }
        let come = newElements.subtracting(oldElements).map { (DifferenceWriter.Mark.actual, $0) }
        let lines = (gone + come).map { ($0.0, ValueText.line($0.1.base)) }
        nest(label, "[", "]") { comparison in
            comparison.writer.skip(oldElements.intersection(newElements).count)
            for (mark, text) in lines.sorted(by: { TextOrder.precedes($0.1, $1.1) }) {
                comparison.writer.write(mark, "", [text])
            }
        }
    }

    private mutating func nest(
        _ label: String,
        _ opening: String,
        _ closing: String,
        _ body: (inout Comparison) -> Void
    ) {
        let frame = writer.open(label, opening)
        body(&self)
        writer.close(frame, closing)
    }
}

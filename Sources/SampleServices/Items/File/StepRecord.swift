import Foundation

/// A step as a line of a history file: a JSON object.
struct StepRecord: Decodable {
    struct Change: Decodable {
        let before: ItemRecord?
        let after: ItemRecord?
    }

    let id: String
    let undone: Bool?
    let changes: [Change]

    /// What is wrong with a line whose fields have the right types.
    enum Flaw: Error {
        case noChange
        case twoItems
    }

    /// The step that the line describes.
    func made() throws -> ItemsStep {
        guard let id = UUID(uuidString: id) else { throw ItemRecord.Flaw.noID(id) }
        let changes = try changes.map { change in
            let (before, after) = (try change.before?.item(), try change.after?.item())
            guard before != nil || after != nil else { throw Flaw.noChange }
            if let before, let after, before.id != after.id { throw Flaw.twoItems }
            return ItemsStep.Change(before: before, after: after)
        }
        return ItemsStep(id: id, changes: changes)
    }

    /// The line that describes a step, with its ending.
    static func line(for step: ItemsStep, isUndone: Bool) -> TextPieces {
        let start = #"{"id":"\#(step.id.uuidString.lowercased())"\#(isUndone ? #","undone":true"# : ""),"changes":["#
        return TextPieces(step.changes.count, after: Array(start.utf8), before: Array("]}\n".utf8)) { index, bytes in
            let (before, after) = (step.changes[index].before, step.changes[index].after)
            bytes += (index == 0 ? "{" : ",{").utf8
            if let before {
                bytes += #""before":"#.utf8
                ItemRecord.append(before, to: &bytes)
            }
            if let after {
                bytes += (before == nil ? #""after":"# : #","after":"#).utf8
                ItemRecord.append(after, to: &bytes)
            }
            bytes.append(UInt8(ascii: "}"))
        }
    }

    /// Describes in words why a line couldn't be read.
    static func explain(_ error: any Error) -> String {
        switch error {
        case Flaw.noChange: "a change has neither “before” nor “after”"
        case Flaw.twoItems: "the “before” and “after” of a change are different items"
        case let error: ItemRecord.explain(error, what: "a step")
        }
    }
}

extension StepRecord {
    /// Parses a line in the exact form written here. The result is nil for any other line, which may still be a valid
    /// step.
    ///
    /// Speed matters because a step may have a hundred thousand items, and every command reads the history.
    static func scan(_ row: ArraySlice<UInt8>) -> (step: ItemsStep, isUndone: Bool)? {
        row.withUnsafeBufferPointer { bytes in
            var scanner = ItemScanner(bytes)
            guard scanner.skip(#"{"id":""#), let id = scanner.id(), scanner.skip(#"""#) else { return nil }
            let isUndone = scanner.skip(#","undone":true"#)
            guard scanner.skip(#","changes":["#) else { return nil }
            var changes: [ItemsStep.Change] = []
            changes.reserveCapacity(row.count / ItemRecord.usualSize)
            if !scanner.skip("]}") {
                repeat {
                    guard let change = scanner.change() else { return nil }
                    changes.append(change)
                } while scanner.skip(",")
                guard scanner.skip("]}") else { return nil }
            }
            guard scanner.isAtEnd else { return nil }
            return (ItemsStep(id: id, changes: changes), isUndone)
        }
    }
}

extension ItemScanner {
    /// Parses the change at the current position. The result is nil if anything deviates from the usual form.
    fileprivate mutating func change() -> ItemsStep.Change? {
        guard skip("{") else { return nil }
        var before: Item?
        if skip(#""before":"#) {
            guard let item = item() else { return nil }
            before = item
            if skip("}") { return ItemsStep.Change(before: before, after: nil) }
            guard skip(",") else { return nil }
        }
        guard skip(#""after":"#), let item = item(), skip("}") else { return nil }
        if let before, before.id != item.id { return nil }
        return ItemsStep.Change(before: before, after: item)
    }
}

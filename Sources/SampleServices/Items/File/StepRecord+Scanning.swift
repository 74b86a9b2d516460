import Foundation

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

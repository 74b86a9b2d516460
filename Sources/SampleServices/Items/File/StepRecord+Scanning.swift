import Foundation

extension StepRecord {
    /// The step of a line that looks as it is written here, or nil: such a line may still be that of a step.
    ///
    /// A step may have a hundred thousand items, and is read with every command.
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
    /// The change that begins here, or nil where something is otherwise than usual.
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

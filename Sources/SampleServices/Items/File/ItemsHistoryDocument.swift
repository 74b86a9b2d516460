import Foundation

/// The contents of a history file: a header line, then one step per line. The steps that can be undone come before
/// those that can be redone. In each group, the next step to undo or redo is last. The header counts the steps.
struct ItemsHistoryDocument: StoredDocument {
    static let format = "relux-items-history"
    static let version = 1

    /// A change of all items of the largest list.
    static let largestSize = 3 * ItemsDocument.largestSize

    /// All steps of the file. The service decides how many of them it keeps.
    let history: ItemsHistory

    init(history: ItemsHistory) {
        self.history = history
    }

    /// Parses a file.
    ///
    /// - Complexity: O(*n*) in the number of bytes.
    init(parsing bytes: [UInt8], file: String) throws(ItemsServiceError) {
        let rows = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        try ItemsDocument.checkText(rows, file: file)
        let header = try ItemsHeader.checked(
            rows.first ?? [], is: Self.format, version: Self.version, of: "a history of items", file: file)
        var done: [ItemsStep] = []
        var undone: [ItemsStep] = []
        var lines: [ItemsStep.ID: Int] = [:]
        let decoder = JSONDecoder()
        for (number, row) in zip(2..., rows.dropFirst()) where !row.allSatisfy(\.isBlank) {
            let step: ItemsStep
            let isUndone: Bool
            do {
                if let scanned = StepRecord.scan(row) {
                    (step, isUndone) = scanned
                } else {
                    let record = try decoder.decode(StepRecord.self, from: Data(row))
                    (step, isUndone) = (try record.made(), record.undone == true)
                }
            } catch {
                throw ItemsServiceError(.damagedLine(StepRecord.explain(error)), file: file, line: number)
            }
            if let first = lines.updateValue(number, forKey: step.id) {
                throw ItemsServiceError(.duplicateID(step.id, firstLine: first), file: file, line: number)
            }
            if isUndone { undone.append(step) } else { done.append(step) }
        }
        try header.check(count: lines.count, file: file)
        history = ItemsHistory(done: done, undone: undone, limit: .max)
    }

    /// The contents of the file to write.
    func bytes(file: String) -> [UInt8] {
        let steps = history.done.map { ($0, isUndone: false) } + history.undone.map { ($0, isUndone: true) }
        var bytes = ItemsHeader.line(format: Self.format, version: Self.version, count: steps.count)
        // An array that grows step by step would need twice the memory.
        bytes.reserveCapacity(steps.reduce(bytes.count + 1) { $0 + $1.0.size })
        for (step, isUndone) in steps {
            bytes.append(UInt8(ascii: "\n"))
            StepRecord.append(step, isUndone: isUndone, to: &bytes)
        }
        bytes.append(UInt8(ascii: "\n"))
        return bytes
    }
}

import Foundation

/// The contents of a history file: a header line, then one step per line. The steps that can be undone come before
/// those that can be redone. In each group, the next step to undo or redo is last. The header counts the steps.
///
/// The list doesn't depend on the history: removing the file starts a new history. A step is recorded before the list
/// is saved, and its undoing afterwards. A program that is killed in between therefore leaves a step with nothing left
/// to undo, never a change without a step.
public struct ItemsHistoryDocument: StoredDocument {
    /// The name of the file in its folder.
    public static let fileName = "items-history.jsonl"

    /// The lock of the list.
    public static let lockName = ItemsDocument.lockName

    static let format = "relux-items-history"
    static let version = 1

    /// A change of all items of the largest list.
    public static let largestSize = 5 * ItemsDocument.largestSize / 2

    /// The path of the file: next to the list itself, wherever a symbolic link leads. All processes that share the list
    /// then share its history and its lock.
    public static func path(in folder: String) -> String {
        let list = ItemsDocument.path(in: folder) as NSString
        return "\(list.deletingLastPathComponent)/\(fileName)"
    }

    /// The steps of the file.
    public private(set) var value = ItemsHistory()

    /// Creates an empty history.
    public init() {}

    /// Parses a file.
    ///
    /// - Complexity: O(*n*) in the number of bytes.
    public init(parsing bytes: [UInt8], file: String) throws(StorageError) {
        var rows = TextRows(bytes, file: file)
        let header = try ItemsHeader.checked(
            try rows.next() ?? [], is: Self.format, version: Self.version, of: "a history of items", file: file)
        var done: [ItemsStep] = []
        var undone: [ItemsStep] = []
        var lines: [ItemsStep.ID: Int] = [:]
        let decoder = JSONDecoder()
        while let row = try rows.next() {
            if row.allSatisfy(\.isBlank) { continue }
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
                throw StorageError(.damagedLine(StepRecord.explain(error)), file: file, line: rows.number)
            }
            if let first = lines.updateValue(rows.number, forKey: step.id) {
                throw StorageError(.duplicateID(step.id, firstLine: first), file: file, line: rows.number)
            }
            if isUndone { undone.append(step) } else { done.append(step) }
        }
        try header.check(count: lines.count, file: file)
        value = ItemsHistory(done: done, undone: undone)
    }

    /// Whether there are any changes.
    public func isChanged(by changes: [ItemsHistory.Change]) -> Bool { !changes.isEmpty }

    /// Merges changes in their order.
    public mutating func apply(_ changes: [ItemsHistory.Change]) {
        value.apply(changes)
    }

    /// The contents of the file to write.
    public func pieces() -> (any Sequence<[UInt8]>)? {
        let count = value.done.count + value.undone.count
        let header = ItemsHeader.line(format: Self.format, version: Self.version, count: count)
        let done = value.done.map { StepRecord.line(for: $0, isUndone: false) }
        let undone = value.undone.map { StepRecord.line(for: $0, isUndone: true) }
        return ([TextPieces(0, after: header + [UInt8(ascii: "\n")]) { _, _ in }] + done + undone).joined()
    }
}

import Foundation

/// A history in one file next to the list, safe for use by several processes at once.
///
/// The file, `items-history.jsonl`, is text: a header line with the format and its version, then one step per line as a
/// JSON object. A save merges the changes into the current contents and replaces the file atomically, under the same
/// lock as the list. A file that can't be read completely isn't written to. The list doesn't depend on the history:
/// removing its file starts a new history.
///
/// The list and its history are two files. A step is recorded before the list is saved, and its undoing afterwards. A
/// program that is killed in between therefore leaves a step with nothing left to undo, never a change without a step.
public final class FileItemsHistoryService: ItemsHistoryService {
    /// The path of the file.
    public var file: String { stored.path }

    private let limit: Int
    private let stored: StoredFile<ItemsHistoryDocument>

    /// Creates a service for the folder of a list. Nothing is read or created yet. The first save creates the folder if
    /// necessary.
    public convenience init(
        folder: String,
        limit: Int = ItemsHistory.standardLimit,
        lockLimit: Duration = .seconds(10),
        clock: any Clock<Duration> = ContinuousClock()
    ) {
        self.init(folder: folder, limit: limit, lockLimit: lockLimit, clock: clock, system: .live)
    }

    init(folder: String, limit: Int, lockLimit: Duration, clock: any Clock<Duration>, system: FileSystem) {
        // The history belongs next to the list itself, wherever a symbolic link leads. All processes that share the
        // list then share its history and its lock.
        let list = FileSystem.path(of: "items.jsonl", in: folder) as NSString
        self.limit = limit
        stored = StoredFile(
            path: list.deletingLastPathComponent + "/items-history.jsonl", lock: "items.lock", lockLimit: lockLimit,
            clock: clock, system: system)
    }

    /// Reads the file. If there is no file, the history is empty.
    public func load() async throws(ItemsServiceError) -> ItemsHistory {
        history(in: try await stored.perform { (file) throws(ItemsServiceError) in try file.read().document })
    }

    /// Merges changes into the file.
    public func save(_ changes: [ItemsHistory.Change]) async throws(ItemsServiceError) -> ItemsHistory {
        let version = try await stored.update { [self] document in
            guard !changes.isEmpty else { return .keep }
            var history = history(in: document)
            for change in changes { history.apply(change) }
            return .write(ItemsHistoryDocument(history: history))
        }
        return history(in: version.document)
    }

    /// Renames a file that can't be read to `items-history-unreadable.jsonl`, or a similar name that is free.
    public func setAside() async throws(ItemsServiceError) -> String? {
        try await stored.setAside { number in
            number == 1 ? "items-history-unreadable.jsonl" : "items-history-unreadable-\(number).jsonl"
        }
    }

    private func history(in document: ItemsHistoryDocument?) -> ItemsHistory {
        ItemsHistory(done: document?.history.done ?? [], undone: document?.history.undone ?? [], limit: limit)
    }
}

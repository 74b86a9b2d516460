public import Foundation

/// The remembered steps that led to a list: those that can be undone and those that can be redone.
///
/// - Redo: A new step discards the steps that were undone before it.
/// - Bounds: The oldest steps are discarded when there are more than ``limit``, or when the steps contain more than
///   ``largestSize`` items or need more than ``largestFileSize`` bytes in total. The next step to undo and the next
///   step to redo are always kept, whatever their size.
/// - Merging: Several processes may write one history. Each of them reports what it did, by the id of the step, instead
///   of the resulting history. No process's step is lost, and reporting the same change twice has no further effect.
public struct ItemsHistory: StoredValue {
    /// What can be done to a history in one step.
    public typealias Changes = [Change]

    /// A change to a history.
    public enum Change: Sendable, Equatable {
        /// A step was done. A step that is already known, for example because the result of an earlier save was lost,
        /// stays unchanged.
        case done(ItemsStep)

        /// A step that takes long has been done as far as this. It replaces the step with its id, wherever that is, and
        /// is the next to undo. If it is empty, the step is discarded.
        case grown(ItemsStep)

        /// A step was undone. The value is the inverse that was applied, and can be redone. If it is empty, the step is
        /// discarded.
        case undone(ItemsStep)

        /// A step was redone. The value is what was applied again, and can be undone. If it is empty, the step is
        /// discarded.
        case redone(ItemsStep)
    }

    /// The default maximum number of steps.
    public static let standardLimit = 100

    /// The maximum number of items in all steps together. It keeps a history file from growing to many times the size
    /// of the list when, for example, a hundred thousand items are repeatedly imported and deleted.
    public static let largestSize = 500_000

    /// The approximate maximum number of bytes that all steps together need in a file. Every command reads and writes
    /// them, and titles may be long.
    public static let largestFileSize = 128 << 20

    /// The steps that can be undone. The next one is last.
    public private(set) var done: [ItemsStep]

    /// The steps that can be redone. The next one is last.
    public private(set) var undone: [ItemsStep]

    /// The maximum number of steps, done and undone together.
    public let limit: Int

    /// Creates a history.
    public init(done: [ItemsStep] = [], undone: [ItemsStep] = [], limit: Int = standardLimit) {
        (self.done, self.undone) = (done, undone)
        self.limit = max(limit, 0)
        trim()
    }

    /// Creates an empty history.
    public init() {
        self.init(done: [])
    }

    /// Merges changes in their order.
    public mutating func apply(_ changes: [Change]) {
        for change in changes { apply(change) }
    }

    /// Applies a change to the history.
    ///
    /// - Complexity: O(``limit``), plus the cost of releasing discarded steps.
    public mutating func apply(_ change: Change) {
        switch change {
        case .done(let step):
            guard !done.contains(where: { $0.id == step.id }), !undone.contains(where: { $0.id == step.id }) else {
                return
            }
            done.append(step)
            undone = []
        case .grown(let step):
            done.removeAll { $0.id == step.id }
            if !step.changes.isEmpty { done.append(step) }
            undone = []
        case .undone(let step):
            guard let index = done.firstIndex(where: { $0.id == step.id }) else { return }
            done.remove(at: index)
            if !step.changes.isEmpty { undone.append(step) }
        case .redone(let step):
            // Another process's new step may have discarded this one in the meantime. It was redone all the same.
            undone.removeAll { $0.id == step.id }
            if !step.changes.isEmpty, !done.contains(where: { $0.id == step.id }) { done.append(step) }
        }
        trim()
    }

    private mutating func trim() {
        if done.count > limit { done.removeFirst(done.count - limit) }
        let room = limit - done.count
        if undone.count > room { undone.removeFirst(undone.count - room) }
        let count = (done + undone).reduce(0) { $0 + $1.changes.count }
        let size = (done + undone).reduce(0) { $0 + $1.size }
        var surplus = (count: count - Self.largestSize, size: size - Self.largestFileSize)
        Self.removeFirst(of: &done, beyond: &surplus)
        Self.removeFirst(of: &undone, beyond: &surplus)
    }

    private static func removeFirst(of steps: inout [ItemsStep], beyond surplus: inout (count: Int, size: Int)) {
        while surplus.count > 0 || surplus.size > 0, steps.count > 1 {
            let step = steps.removeFirst()
            surplus.count -= step.changes.count
            surplus.size -= step.size
        }
    }
}

/// Changes that were made to a list at once and are undone at once: each affected item, before and after.
///
/// A step holds versions of items instead of the whole list. Undoing it can therefore preserve what was changed
/// elsewhere since, and a long history stays small.
public struct ItemsStep: Sendable, Equatable, Identifiable {
    /// An item before and after the step.
    public struct Change: Sendable, Equatable {
        /// Most steps with many changes add or remove items. Two optional items would need twice the memory.
        private enum Versions: Sendable, Equatable {
            case none, added(Item), removed(Item)
            indirect case changed(Item, Item)
        }

        private let versions: Versions

        /// Creates a change.
        public init(before: Item?, after: Item?) {
            versions =
                switch (before, after) {
                case (nil, nil): .none
                case (nil, let item?): .added(item)
                case (let item?, nil): .removed(item)
                case (let before?, let after?): .changed(before, after)
                }
        }

        /// The item before the step, or nil if it didn't exist.
        public var before: Item? {
            switch versions {
            case .removed(let item), .changed(let item, _): item
            case .none, .added: nil
            }
        }

        /// The item after the step, or nil if it was deleted.
        public var after: Item? {
            switch versions {
            case .added(let item), .changed(_, let item): item
            case .none, .removed: nil
            }
        }

        /// The id of the item that changed. It is nil only if both versions are nil.
        public var id: Item.ID? { before?.id ?? after?.id }
    }

    /// The identity of the step, which never changes, however often the step is undone and redone.
    public let id: UUID

    /// The changes, one per affected item.
    public let changes: [Change]

    /// The approximate number of bytes that the step needs in a file.
    let size: Int

    /// Creates a step.
    ///
    /// - Complexity: O(*n*) in the number of changes.
    public init(id: UUID, changes: [Change]) {
        self.id = id
        self.changes = changes
        size = changes.reduce(64) { size, change in
            size + [change.before, change.after].reduce(0) { $0 + ($1.map { $0.title.utf8.count + 192 } ?? 0) }
        }
    }
}

/// Stores the history of a list, separately from the list. Nothing that happens to the history affects the list.
public typealias ItemsHistoryService = StorageService<ItemsHistory>

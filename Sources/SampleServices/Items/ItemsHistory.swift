/// The steps that led to a list, as far as they are remembered: those that can be undone, and those that can be redone.
///
/// - Redo: A new step forgets what was undone before it.
/// - Bounds: Of more steps than ``limit``, or of steps that have more than ``largestSize`` items among them, the oldest
///   are forgotten; the next one to undo and the next one to redo stay, whatever their size.
/// - Merging: Several processes may write one history. Each says what it did, by the step's id, and not what came out;
///   so nobody's step is lost, and to say the same twice changes nothing.
public struct ItemsHistory: Sendable, Equatable {
    /// What happened to a history.
    public enum Change: Sendable, Equatable {
        /// A step was done. One that is known already, as after a save whose success was never heard of, stays as
        /// it is.
        case done(ItemsStep)

        /// A step was undone. It comes with what that took back, which is what can be redone; if that is nothing, the
        /// step is forgotten.
        case undone(ItemsStep)

        /// A step was redone. It comes with what that brought back, which is what can be undone; if that is nothing,
        /// the step is forgotten.
        case redone(ItemsStep)
    }

    /// How many steps are remembered unless somebody says otherwise.
    public static let standardLimit = 100

    /// How many items the steps may have among them. It keeps a history in a file from growing to many times the size
    /// of the list, where a hundred thousand items are imported and deleted again and again.
    public static let largestSize = 500_000

    /// The steps that can be undone, the next one last.
    public private(set) var done: [ItemsStep]

    /// The steps that can be redone, the next one last.
    public private(set) var undone: [ItemsStep]

    /// How many steps are remembered at most, done and undone.
    public let limit: Int

    /// Makes a history.
    ///
    /// - Parameters:
    ///   - done: The steps that can be undone, the next one last.
    ///   - undone: The steps that can be redone, the next one last.
    ///   - limit: How many steps are remembered at most. Less than zero means none.
    public init(done: [ItemsStep] = [], undone: [ItemsStep] = [], limit: Int = standardLimit) {
        (self.done, self.undone) = (done, undone)
        self.limit = max(limit, 0)
        trim()
    }

    /// Takes in what happened.
    ///
    /// - Parameter change: What happened.
    /// - Complexity: O(``limit``), apart from letting go of what is forgotten.
    public mutating func apply(_ change: Change) {
        switch change {
        case .done(let step):
            guard !done.contains(where: { $0.id == step.id }), !undone.contains(where: { $0.id == step.id }) else {
                return
            }
            done.append(step)
            undone = []
        case .undone(let step):
            guard let index = done.firstIndex(where: { $0.id == step.id }) else { return }
            done.remove(at: index)
            if !step.changes.isEmpty { undone.append(step) }
        case .redone(let step):
            // A step that another process has made meanwhile may have forgotten this one. It was redone all the same.
            undone.removeAll { $0.id == step.id }
            if !step.changes.isEmpty, !done.contains(where: { $0.id == step.id }) { done.append(step) }
        }
        trim()
    }

    private mutating func trim() {
        if done.count > limit { done.removeFirst(done.count - limit) }
        let room = limit - done.count
        if undone.count > room { undone.removeFirst(undone.count - room) }
        var size = (done + undone).reduce(0) { $0 + $1.changes.count }
        while size > Self.largestSize, done.count > 1 { size -= done.removeFirst().changes.count }
        while size > Self.largestSize, undone.count > 1 { size -= undone.removeFirst().changes.count }
    }
}

public import Foundation
public import Relux
public import SampleServices

extension Items {
    /// Makes an item of every line of a text, at the end of the active ones.
    ///
    /// A thousand lines at a time become items in one step, and are saved before the next ones are read. White space
    /// around a title goes, and lines with nothing else are skipped. How far it is shows in ``State/importing``.
    ///
    /// To perform one returns how many items there are when all are saved, and throws an ``ItemsError`` where it could
    /// not go on. What was saved until then stays, and ``State/importing`` tells how much that is; the batch that
    /// couldn't be saved doesn't stay. Of a text that is damaged in the middle everything before that line is imported.
    /// Imports are carried out one after the other, and beside commands. All that one import has added is one step to
    /// undo, though it ended before its time.
    ///
    /// - Cancellation: The run ends at once, also while it waits for a line. The batch that is being saved is saved
    ///   to its end, by work of its own; who wants to know what became of it waits until the store is idle.
    public struct Import: Relux.Effect, Identifiable, CustomStringConvertible {
        /// How far it went.
        public typealias Output = ImportProgress

        /// How many lines are read, added and saved at once.
        public static let batch = 1_000

        /// Which import it is, so that what becomes of it isn't taken for another one's.
        public let id: UUID

        /// Where the titles come from.
        public let titles: any TextLines

        /// Makes an import, to be asked for once.
        ///
        /// - Parameters:
        ///   - titles: Where the titles come from, a line each.
        ///   - id: An id that no other import has. The default is a random one.
        public init(of titles: any TextLines, id: UUID = UUID()) {
            self.titles = titles
            self.id = id
        }

        /// For logs.
        public var description: String { "import" }
    }

    /// What is left to do for an import that was cancelled.
    struct ImportStop: Relux.Effect {
        /// Which import was cancelled. It may never have begun.
        let id: Import.ID

        /// The id of the step that the import becomes.
        let step: ItemsStep.ID
    }
}

public import Foundation
public import Relux
public import SampleServices

extension Items {
    /// Turns every line of a text into an item at the end of the active ones.
    ///
    /// A batch of lines is added in one step and saved before the next one is read: at least a thousand, and at least a
    /// quarter as many as there are items. Every save writes the whole list, so batches of a constant size would make
    /// the import quadratic. White space around a title is removed, and blank lines are skipped. ``State/importing``
    /// reports the progress.
    ///
    /// Performing an import returns the final progress when all items have been saved, and throws an ``ItemsError`` if
    /// it could not continue. Everything saved until then is kept; a batch that couldn't be saved is removed again.
    /// Imports run one after the other, concurrently with commands. Everything that one import added is a single step
    /// to undo, even if it ended early. The step has the id of the import.
    ///
    /// - Cancellation: The run ends immediately, even while it waits for a line. A batch that is being saved is saved
    ///   completely, by separate work. To learn its result, wait until the store is idle.
    public struct Import: Relux.Effect, Identifiable, CustomStringConvertible {
        /// The final progress of the import.
        public typealias Output = ImportProgress

        /// The minimum number of lines that are read, added, and saved at once.
        public static let smallestBatch = 1_000

        /// The number of lines that are read, added, and saved at once.
        static func batch(for count: Int) -> Int { max(smallestBatch, count / 4) }

        /// The identity of the import, which prevents confusion with the results of another one.
        public let id: UUID

        /// The source of the titles.
        public let titles: any TextLines

        /// Creates an import, to be performed once.
        public init(of titles: any TextLines, id: UUID = UUID()) {
            self.titles = titles
            self.id = id
        }

        /// A short text for logs.
        public var description: String { "import" }
    }

    /// The remaining work of a cancelled import.
    struct ImportStop: Relux.Effect {
        /// The id of the cancelled import, which may never have started.
        let id: Import.ID
    }

    /// The progress of a running import, or of the last one.
    public struct ImportProgress: Sendable, Equatable {
        /// Whether the import is still running.
        public internal(set) var isRunning = true

        /// The number of items that have been added and saved.
        public internal(set) var saved = 0

        /// The number of blank lines that were skipped.
        public internal(set) var blank = 0

        init() {}
    }

    /// A title that is to become an item, as one of many.
    public struct Addition: Sendable, Equatable, Identifiable {
        /// The id of the future item.
        public let id: Item.ID

        /// The title of the future item.
        public let title: String
    }
}

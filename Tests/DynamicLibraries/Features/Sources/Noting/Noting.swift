import Relux

/// Notes, each of which is answered by its length.
public enum Noting {
    /// The notes.
    public struct State: Relux.State {
        /// The notes, in order.
        public private(set) var notes: [String] = []

        /// Adds a note.
        public mutating func reduce(_ note: Note) { notes.append(note.text) }
    }

    /// A note, whose output is its length.
    public struct Note: Relux.Effect {
        /// The length of the text.
        public typealias Output = Int

        let text: String

        /// Creates a note.
        public init(_ text: String) { self.text = text }
    }

    /// The feature.
    public struct Module: Relux.Module {
        /// Creates the feature.
        public init() {}

        /// The notes.
        public var states: [any Relux.State] { [State()] }
        /// Answers a note.
        public var flows: [any Relux.Flow] { [Measuring()] }
    }
}

private struct Measuring: Relux.Flow {
    func run(_ note: Noting.Note, in context: Relux.SagaContext) async throws -> Int { note.text.count }
}

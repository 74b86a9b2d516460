import Foundation
import SampleServices

extension Items {
    /// Words that a title must contain, in any order.
    ///
    /// Case and accents are ignored. A word may match at the start or in the middle of another: `MIL` finds milk, and
    /// `cafe` finds café.
    public struct Query: Sendable, Hashable {
        private let words: [String]

        /// Creates a query.
        public init(_ text: String = "") {
            words = Self.folded(text).split(whereSeparator: \.isWhitespace).map(String.init)
        }

        /// Whether the query matches everything.
        public var isEmpty: Bool { words.isEmpty }

        /// Returns whether a title contains all words.
        public func finds(_ title: String) -> Bool {
            if isEmpty { return true }
            let title = Self.folded(title)
            return words.allSatisfy(title.contains)
        }

        /// Returns the items of a list that match, in the order of the list.
        ///
        /// - Complexity: O(*n*) in the number of items, or O(1) if the query matches everything.
        public func narrowed(_ list: List) -> List {
            isEmpty ? list : list.filtered { finds($0.title) }
        }

        private static func folded(_ text: String) -> String {
            // Most titles are ASCII, and looking for accents is slow.
            if text.utf8.allSatisfy({ $0 < 0x80 }) { return text.lowercased() }
            return text.folding(options: [.caseInsensitive, .diacriticInsensitive, .widthInsensitive], locale: nil)
        }
    }
}

import Foundation
import SampleServices

extension Items {
    /// Words that a title has to have, in any order.
    ///
    /// Neither upper and lower case nor accents matter, and the beginning or middle of a word is enough: `MIL` finds
    /// milk, and `cafe` finds café.
    public struct Query: Sendable, Hashable {
        private let words: [String]

        /// Makes a query.
        ///
        /// - Parameter text: What was typed. White space parts words, and no word finds everything.
        public init(_ text: String = "") {
            words = Self.folded(text).split(whereSeparator: \.isWhitespace).map(String.init)
        }

        /// Whether it finds everything.
        public var isEmpty: Bool { words.isEmpty }

        /// Whether it finds a title.
        ///
        /// - Parameter title: The title.
        /// - Returns: Whether all words are in it.
        public func finds(_ title: String) -> Bool {
            if isEmpty { return true }
            let title = Self.folded(title)
            return words.allSatisfy(title.contains)
        }

        /// What it leaves of a list.
        ///
        /// - Parameter list: The list.
        /// - Returns: The items that it finds, in the order of the list.
        /// - Complexity: O(*n*) in the number of items; O(1) where it finds everything.
        public func narrowed(_ list: List) -> List {
            isEmpty ? list : list.filtered { finds($0.title) }
        }

        private static func folded(_ text: String) -> String {
            // Most titles have no accents, and to look for some takes its time.
            if text.utf8.allSatisfy({ $0 < 0x80 }) { return text.lowercased() }
            return text.folding(options: [.caseInsensitive, .diacriticInsensitive, .widthInsensitive], locale: nil)
        }
    }
}

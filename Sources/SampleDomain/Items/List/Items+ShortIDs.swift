import Foundation
public import SampleServices

extension Items {
    /// Ids shortened to their shortest unique prefixes.
    public struct ShortIDs: Sendable, Equatable {
        /// The minimum length in characters, so that a short list doesn't have single-character ids.
        public static let shortest = 4

        private let texts: [Item.ID: String]

        /// Shortens the ids of items.
        ///
        /// - Complexity: O(*n* log *n*) in the number of items.
        public init(of items: [Item]) {
            let sorted = items.map { (id: $0.id, text: $0.id.hexadecimal) }.sorted { $0.text < $1.text }
            var texts: [Item.ID: String] = [:]
            texts.reserveCapacity(sorted.count)
            var sharedBefore = 0
            for index in sorted.indices {
                let text = sorted[index].text
                let next = index + 1 < sorted.count ? sorted[index + 1].text : ""
                let sharedAfter = zip(text.utf8, next.utf8).prefix { $0 == $1 }.count
                texts[sorted[index].id] = String(text.prefix(max(sharedBefore, sharedAfter, Self.shortest - 1) + 1))
                sharedBefore = sharedAfter
            }
            self.texts = texts
        }

        /// The shortened id of an item, or the full id if it isn't among the items.
        public subscript(id: Item.ID) -> String {
            texts[id] ?? id.hexadecimal
        }
    }
}

extension UUID {
    /// The 32 hexadecimal digits, in lower case, without hyphens.
    var hexadecimal: String {
        let digits = Array("0123456789abcdef".utf8)
        return withUnsafeBytes(of: uuid) { bytes in
            String(decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 0xF)]] }, as: UTF8.self)
        }
    }
}

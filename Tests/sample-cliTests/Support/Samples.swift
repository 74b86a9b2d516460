import Foundation
import SampleServices

extension Item {
    /// An item whose id and dates are derived from a number. The id starts with its lowest byte.
    static func sample(_ number: Int, title: String? = nil, completed: Int? = nil) -> Item {
        Item(
            id: .sample(number),
            title: title ?? "Item \(number)",
            order: number * 1_000,
            created: .sample(number),
            updated: .sample(number),
            completed: completed.map(Date.sample)
        )
    }
}

extension UUID {
    static func sample(_ number: Int) -> UUID {
        let (low, high) = (UInt8(truncatingIfNeeded: number), UInt8(truncatingIfNeeded: number >> 8))
        return UUID(uuid: (low, 0, high, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))
    }
}

extension Date {
    static func sample(_ seconds: Int) -> Date {
        Date(timeIntervalSince1970: 1_700_000_000 + Double(seconds))
    }
}

/// The output as a script parses it: only the documented keys.
struct ParsedJSON: Decodable {
    struct Row: Decodable {
        let id: String
        let shortID: String
        let title: String
        let position: Int?
        let order: Int
        let completed: String?
    }

    let outcome: String
    let items: [Row]

    init(_ text: String) throws {
        self = try JSONDecoder().decode(ParsedJSON.self, from: Data(text.utf8))
    }
}

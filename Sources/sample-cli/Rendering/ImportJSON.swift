import Foundation
import SampleDomain

/// Shows an import to a script. The shape is part of the program's contract: see ``Texts/importJSONNote``.
struct ImportJSON: Encodable {
    private let outcome = "imported"
    private let added: Int
    private let blank: Int

    private enum CodingKeys: String, CodingKey {
        case outcome, added, blank
    }

    init(_ progress: Items.ImportProgress) {
        (added, blank) = (progress.saved, progress.blank)
    }

    /// The object in one line.
    func line() throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys]
        return String(decoding: try encoder.encode(self), as: UTF8.self)
    }
}

import SampleDomain

/// The result of an import in JSON, for scripts. Its format is part of the program's contract: see
/// ``Texts/importJSONNote``.
struct ImportJSON: JSONLine {
    private let outcome = "imported"
    private let added: Int
    private let blank: Int

    private enum CodingKeys: String, CodingKey {
        case outcome, added, blank
    }

    init(_ progress: Items.ImportProgress) {
        (added, blank) = (progress.saved, progress.blank)
    }
}

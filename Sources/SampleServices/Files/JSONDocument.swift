import Foundation

/// The contents of a small file: one JSON object with the format, its version, and the document's own keys.
protocol JSONDocument: StoredDocument, Codable, Equatable {
    /// The name of the format, as written in the file.
    static var format: String { get }

    /// The version of the format that is written. It is the only one that can be read.
    static var version: Int { get }

    /// A human-readable name, as in “it is not the JSON of …”.
    static var kind: String { get }
}

extension JSONDocument {
    /// Parses a file.
    init(parsing bytes: [UInt8], file: String) throws(StorageError) {
        let decoder = JSONDecoder()
        let header: JSONDocumentHeader
        do {
            header = try decoder.decode(JSONDocumentHeader.self, from: Data(bytes))
        } catch {
            throw StorageError(.damaged("it is not the JSON of \(Self.kind)"), file: file)
        }
        guard header.format == Self.format else {
            throw StorageError(.foreignFormat(header.format), file: file)
        }
        guard header.version == Self.version else {
            throw StorageError(.foreignVersion(header.version, supported: Self.version), file: file)
        }
        do {
            self = try decoder.decode(Self.self, from: Data(bytes))
        } catch {
            throw StorageError(.damaged(Self.explain(error)), file: file)
        }
    }

    /// The contents of the file to write, including the members of the present contents that this program doesn't know.
    func bytes(file: String, replacing present: JSONObjectText?, _ former: Self?) throws(StorageError) -> [UInt8] {
        let bytes = try bytes(file: file)
        guard let present, let former, var object = JSONObjectText(bytes[...]),
            let known = JSONObjectText(try former.bytes(file: file)[...])
        else { return bytes }
        let keys = Set(object.keys + known.keys)
        if keys.isSuperset(of: present.keys) { return bytes }
        object.add(present, except: keys)
        return object.indented + [UInt8(ascii: "\n")]
    }

    static func text(of bytes: [UInt8]) -> JSONObjectText? { JSONObjectText(bytes[...]) }

    /// The contents of the file to write.
    func bytes(file: String) throws(StorageError) -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        do {
            return Array(try encoder.encode(JSONDocumentFile(document: self))) + [UInt8(ascii: "\n")]
        } catch {
            // Unreachable in practice: text, numbers, and Booleans can always be encoded.
            throw StorageError(.system(.write, code: EINVAL), file: file)
        }
    }

    private static func explain(_ error: any Error) -> String {
        switch error {
        case DecodingError.keyNotFound(let key, _): "“\(key.stringValue)” is missing"
        case DecodingError.typeMismatch(_, let context), DecodingError.valueNotFound(_, let context):
            context.codingPath.last.map { "“\($0.stringValue)” has a value of the wrong kind" }
                ?? "it is not the JSON of \(kind)"
        case DecodingError.dataCorrupted(let context): context.debugDescription
        default: "it is not the JSON of \(kind)"
        }
    }
}

private struct JSONDocumentHeader: Codable {
    let format: String
    let version: Int
}

private struct JSONDocumentFile<Document: JSONDocument>: Encodable {
    let document: Document

    func encode(to encoder: any Encoder) throws {
        try JSONDocumentHeader(format: Document.format, version: Document.version).encode(to: encoder)
        try document.encode(to: encoder)
    }
}

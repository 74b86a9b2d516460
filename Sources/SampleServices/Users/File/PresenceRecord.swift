import Foundation

/// The contents of a user's file: a JSON object. The date is ISO 8601 in UTC, to the millisecond.
struct PresenceRecord: Codable {
    private static let format = "relux-presence"
    private static let version = 1

    /// The maximum size in bytes, more than any valid file needs. Larger files aren't read.
    static let longest = 16_384

    private let format: String
    private let version: Int
    private let name: String
    private let presence: String
    private let since: String

    /// Why a file isn't a valid presence.
    struct Flaw: Error {
        let reason: UsersServiceError.Reason

        init(_ reason: UsersServiceError.Reason) {
            self.reason = reason
        }

        /// Creates a flaw of a damaged file, with what is wrong with it in words.
        init(text: String) {
            self.init(.damaged(text))
        }
    }

    /// The contents of the file of a user.
    static func bytes(of user: User) -> [UInt8] {
        let record = PresenceRecord(
            format: format, version: version, name: user.name, presence: user.presence.rawValue,
            since: Timestamp.text(user.since)
        )
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        // Text and numbers can always be encoded.
        let data = (try? encoder.encode(record)) ?? Data()
        return Array(data) + [UInt8(ascii: "\n")]
    }

    /// Parses the file of a user.
    static func user(from bytes: [UInt8], stem: String) throws(Flaw) -> User {
        let header: Header
        let record: PresenceRecord
        do {
            header = try JSONDecoder().decode(Header.self, from: Data(bytes))
            guard header.format == format else { throw Flaw(text: "its format is \(quoted(header.format))") }
            guard header.version == version else {
                throw Flaw(.foreignVersion(header.version, supported: version))
            }
            record = try JSONDecoder().decode(PresenceRecord.self, from: Data(bytes))
        } catch {
            throw error as? Flaw ?? Flaw(text: explain(error))
        }
        return try record.user(stem: stem)
    }

    private struct Header: Decodable {
        let format: String
        let version: Int
    }

    private func user(stem: String) throws(Flaw) -> User {
        let name: User.Name
        do {
            name = try User.Name(self.name)
        } catch {
            throw Flaw(text: "\(Self.quoted(self.name)) can't be a name")
        }
        // Compared byte by byte, like file names. String comparison would treat canonically equivalent texts as equal.
        guard name.id.utf8.elementsEqual(stem.utf8) else {
            throw Flaw(text: "it is of \(Self.quoted(self.name)), and the file of that user has another name")
        }
        guard let presence = User.Presence(rawValue: presence) else {
            throw Flaw(text: "\(Self.quoted(presence)) is neither “online” nor “offline”")
        }
        guard let since = Timestamp.date(since) else { throw Flaw(text: "\(Self.quoted(since)) is no date") }
        return User(id: name.id, name: name.text, presence: presence, since: since)
    }

    /// The text in quotation marks, shortened if it is long.
    private static func quoted(_ text: String) -> String {
        text.count > 60 ? "“\(text.prefix(60))…”" : "“\(text)”"
    }

    private static func explain(_ error: any Error) -> String {
        switch error {
        case DecodingError.keyNotFound(let key, _): "“\(key.stringValue)” is missing"
        case DecodingError.typeMismatch(_, let context), DecodingError.valueNotFound(_, let context):
            context.codingPath.last.map { "“\($0.stringValue)” has the wrong type" } ?? "it is no JSON object"
        default: "it is no JSON object"
        }
    }
}

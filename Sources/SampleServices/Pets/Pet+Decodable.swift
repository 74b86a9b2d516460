import Foundation

extension Pet.Summary: Decodable {
    enum CodingKeys: String, CodingKey {
        case id, name, species, birthday, colour
    }

    /// Decodes a summary:
    /// `{"id":"biscuit","name":"Biscuit","species":"dog","birthday":"2021-03-09","colour":"#c68642"}`.
    ///
    /// Only the id and the name are required.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        id = try container.decode(String.self, forKey: .id)
        if id.isEmpty { throw container.wrong(.id, "is empty") }
        name = try container.decode(String.self, forKey: .name)
        species = try container.decodeIfPresent(String.self, forKey: .species)
        birthday = try container.value(.birthday, "is not a day such as 2021-03-09", Pet.Day.init)
        colour = try container.value(.colour, "is not a colour such as #c68642", Pet.Colour.init)
    }
}

extension Pet: Decodable {
    private enum CodingKeys: String, CodingKey {
        case arrived, phone, about
    }

    /// Decodes a pet: the keys of its summary and, next to them, `"arrived":"2024-11-02T09:30:00Z"`,
    /// `"phone":"+61285551234"`, and `"about":"…"`.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        summary = try Summary(from: decoder)
        arrived = try container.value(.arrived, "is not a date such as 2024-11-02T09:30:00Z", Self.date)
        phone = try container.decodeIfPresent(String.self, forKey: .phone)
        about = try container.decodeIfPresent(String.self, forKey: .about)
    }

    private static func date(_ text: String) -> Date? {
        (try? Date.ISO8601FormatStyle().parse(text))
            ?? (try? Date.ISO8601FormatStyle(includingFractionalSeconds: true).parse(text))
    }
}

extension KeyedDecodingContainer {
    /// Decodes a value that is written as text. The result is nil if the key is missing.
    fileprivate func value<Value>(_ key: Key, _ complaint: String, _ read: (String) -> Value?) throws -> Value? {
        guard let text = try decodeIfPresent(String.self, forKey: key) else { return nil }
        guard let value = read(text) else { throw wrong(key, complaint) }
        return value
    }

    fileprivate func wrong(_ key: Key, _ complaint: String) -> DecodingError {
        .dataCorruptedError(forKey: key, in: self, debugDescription: complaint)
    }
}

import SampleServices

/// A user in JSON, for scripts.
struct UserJSON: Encodable {
    let user: User

    enum CodingKeys: String, CodingKey {
        case id, name, presence, since
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(user.id, forKey: .id)
        try container.encode(user.name, forKey: .name)
        try container.encode(user.presence.rawValue, forKey: .presence)
        try container.encode(user.since.json, forKey: .since)
    }
}

import Foundation

/// The profile that is signed in, as stored in a file.
struct SessionRecord: JSONDocument {
    static let format = "relux-session"
    static let version = 1
    static let kind = "a session"

    let name: ProfileName

    private enum CodingKeys: String, CodingKey {
        case profile
    }

    init(name: ProfileName) {
        self.name = name
    }

    /// Rejects invalid names even in a file, because such a name could lead out of the data folder.
    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        let text = try container.decode(String.self, forKey: .profile)
        do throws(ProfileNameError) {
            name = try ProfileName(text)
        } catch {
            let what = "the profile can't be called that. \(error.explanation.dropLast())"
            throw DecodingError.dataCorruptedError(forKey: .profile, in: container, debugDescription: what)
        }
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(name.text, forKey: .profile)
    }
}

import SampleDomain
import SampleServices

/// The session in JSON, for scripts. Its format is part of the program's contract: see ``Texts/sessionJSONNote``.
struct SessionJSON: JSONLine {
    private enum CodingKeys: String, CodingKey {
        case outcome, profile, folder
    }

    private let outcome: String
    private let profile: String?
    private let folder: String

    init(_ command: Session.Command, profile: Profile?, folder: String) {
        outcome =
            switch command {
            case .restore, .catchUp: "shown"
            case .signIn: "signedIn"
            case .signOut: "signedOut"
            }
        self.profile = profile?.name.text
        self.folder = folder
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(outcome, forKey: .outcome)
        // Nil values are encoded as null, so that every object has the same keys.
        try container.encode(profile, forKey: .profile)
        try container.encode(folder, forKey: .folder)
    }
}

import SampleDomain
import SampleServices

/// The session, as Docs/Sample.md describes it.
struct SessionJSON: JSONLine {
    private let outcome: String
    @OrNull private var profile: String?
    private let folder: String

    init(_ command: Session.Command, profile: Profile?, folder: String) {
        outcome =
            switch command {
            case .restore, .catchUp: "shown"
            case .signIn: "signedIn"
            case .signOut: "signedOut"
            }
        _profile = OrNull(wrappedValue: profile?.name.text)
        self.folder = folder
    }
}

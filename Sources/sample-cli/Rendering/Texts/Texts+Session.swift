import SampleDomain
import SampleServices

extension Texts {
    static let sessionSummary = "Shows and changes who is signed in: whose list and settings the other commands use."
    static let loginSummary = "Signs in, in place of whoever is signed in. A profile that is new is made."
    static let logoutSummary = "Signs out. The profile and its data stay."
    static let statusSummary = "Shows who is signed in."

    static let profileOperand = "The name of the profile: up to \(ProfileName.longest) characters, no slashes."

    static let sessionNote = """
        Each profile has a folder of its own, profiles/NAME in the data folder. While nobody is signed in, the commands
        use the data folder itself.
        """
    static let sessionJSONNote = """
        With --json, a command prints one object on success:
          outcome  "shown", "signedIn" or "signedOut"
          profile  the name of the profile that is signed in, or null
          folder   the folder of the list and the settings that the other commands use
        """

    static func describe(_ profile: Profile?) -> String {
        profile.map { "\($0.name) is signed in." } ?? "Nobody is signed in."
    }
}

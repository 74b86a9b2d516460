import Relux

package struct SettingsForm: Codable, Hashable, Sendable {
    package var email: String?
    package var bio: String?
    package var image: String?

    package init(email: String? = nil, bio: String? = nil, image: String? = nil) {
        (self.email, self.bio, self.image) = (email, bio, image)
    }
}

package struct ChangeSettings: Relux.Effect, Hashable {
    let form: SettingsForm

    package init(_ form: SettingsForm) { self.form = form }
}

struct SettingsSaga: Relux.Saga {
    let api: API

    func policy(for effect: ChangeSettings) -> Relux.Policy { .serial }

    func actionOnFailure(_ effect: ChangeSettings, _ error: any Error) -> (any Relux.Action)? {
        (error as? APIError).map { Notice.Action.show($0) }
    }

    func run(_ effect: ChangeSettings, in context: Relux.SagaContext) async throws {
        let user = try await api.update(effect.form, context.token)
        await context.finish {
            Session.Action.updated(user)
            Relux.Invalidate(Profiles.self, user.username)
        }
    }
}

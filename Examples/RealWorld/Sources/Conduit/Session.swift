import Relux

/// Who is signed in. Saved, so that the next start has it.
package struct Session: Relux.State {
    package var user: User?
    package var isSigningIn = false
    package var failure: APIError?

    package init() {}

    package enum Action: Relux.Action, Hashable {
        case began
        case ended
        case signedIn(User)
        case updated(User)
        case failed(APIError)
        case expired
    }

    package mutating func reduce(_ action: Action) {
        switch action {
        case .began: (isSigningIn, failure) = (true, nil)
        case .ended: isSigningIn = false
        case .signedIn(let user): (self.user, isSigningIn, failure) = (user, false, nil)
        case .updated(let user): self.user = user
        case .failed(let failure): (self.failure, isSigningIn) = (failure, false)
        case .expired: (user, failure) = (nil, .unauthorized)
        }
    }

    package var profile: Profile? {
        user.map { Profile(username: $0.username, bio: $0.bio, image: $0.image, following: false) }
    }
}

/// Signs in, or registers with a name.
package struct SignIn: Relux.Effect, Hashable {
    let email: String
    let password: Relux.Redacted<String>
    let username: String?

    package init(email: String, password: String, username: String? = nil) {
        (self.email, self.password, self.username) = (email, .init(password), username)
    }
}

package struct SignOut: Relux.Effect, Hashable { package init() {} }

/// A sentence for the user, until it has been read.
package struct Notice: Relux.State {
    package var text: APIError?

    package enum Action: Relux.Action, Hashable { case show(APIError), read }

    package mutating func reduce(_ action: Action) {
        switch action {
        case .show(let failure): text = failure
        case .read: text = nil
        }
    }
}

struct Authenticator: Relux.Saga {
    let api: API

    func policy(for effect: SignIn) -> Relux.Policy { .leading }

    func actionOnStart(_ effect: SignIn) -> (any Relux.Action)? { Session.Action.began }
    func actionOnCancel(_ effect: SignIn) -> (any Relux.Action)? { Session.Action.ended }
    func actionOnFailure(_ effect: SignIn, _ error: any Error) -> (any Relux.Action)? {
        (error as? APIError).map { Session.Action.failed($0) }
    }

    func run(_ effect: SignIn, in context: Relux.SagaContext) async throws {
        let user = try await api.signIn(
            .init(username: effect.username, email: effect.email, password: effect.password.value))
        // As at a sign-out, because somebody else may have been signed in.
        try? await context.saved()
        // A new session in one step: nothing that the last one asked for is kept.
        await context.reset(then: Session.Action.signedIn(user))
    }
}

struct Leaver: Relux.Saga {
    func run(_ effect: SignOut, in context: Relux.SagaContext) async throws {
        // A reset drops what was typed last. A save that fails is in `failures`.
        try? await context.saved()
        await context.reset()
    }
}

/// Ends the session after a 401 of any request, unless the session has been replaced already.
struct ExpirationWatcher: Relux.Watcher {
    let api: API

    func watch(in context: Relux.SagaContext) async throws {
        for await token in api.refusedTokens.stream() {
            // As at a sign-out.
            try? await context.saved()
            if try await context.token == token { await context.reset(then: Session.Action.expired) }
        }
    }
}

public import Relux
public import ReluxPersistence
public import SampleServices

/// Who is signed in.
///
/// - Owns: ``State``, the profile. Programs that share a folder share it: one signs in, and the others follow.
/// - Takes: ``SignIn``, also as somebody else, or as a guest, which is signing out.
/// - Sets off: an ``Account`` for the profile. When the profile changes, the former account goes in the same step: its
///   work is cancelled, nothing of it can write any more, and what is unsaved is saved.
public enum Session {
    /// The profile that is signed in.
    public struct State: Relux.State, Hashable, Codable {
        /// A change of the session.
        public enum Action: Relux.Action, Hashable, Codable {
            /// Another profile is signed in.
            case changed(Profile)
        }

        /// The profile. At first, it is that of a guest.
        public private(set) var profile: Profile

        /// Creates a session.
        public init(_ profile: Profile = .guest) { self.profile = profile }

        /// Reduces an action.
        public mutating func reduce(_ action: Action) {
            switch action {
            case .changed(let profile): self.profile = profile
            }
        }
    }

    /// Signs in, and signs out the profile that was signed in before. An unknown profile is created.
    ///
    /// It is refused with what the storage says if the last changes of the former profile can't be saved.
    public struct SignIn: Relux.Effect, Hashable, Codable {
        let profile: Profile

        /// Creates the effect.
        public init(_ profile: Profile) { self.profile = profile }
    }

    /// Saves everything before the profile changes, across all features, of which it knows none.
    struct Changer: Relux.Flow {
        func policy(for signIn: SignIn) -> Relux.Policy { .serial }

        func run(_ signIn: SignIn, in context: Relux.SagaContext) async throws {
            try await context.saved()
            await context.dispatch(State.Action.changed(signIn.profile))
            try await context.saved(State.self)
        }
    }

    /// The session as a feature of an app.
    public struct Module: Relux.Module {
        private let storage: any Relux.Storage

        /// Creates the module.
        public init(storage: any Relux.Storage) { self.storage = storage }

        /// A guest.
        public var states: [any Relux.State] { [State()] }

        /// Signing in and out.
        public var flows: [any Relux.Flow] { [Changer()] }

        /// Others may sign in or out.
        public var persistence: [any Relux.StatePersistence] {
            [Relux.Saved(State.self, as: "session", in: storage, follows: { .changed($0?.profile ?? .guest) })]
        }
    }
}

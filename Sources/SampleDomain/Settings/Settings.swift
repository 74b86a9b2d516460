public import Relux
public import ReluxPersistence
public import SampleServices

/// The choices of a user.
///
/// - Owns: ``State``.
/// - Takes: ``State/Action``. There is nothing to decide, so there is no effect and no saga.
/// - Sets off: nothing. Each setting is merged by itself, so two programs can change two settings at once.
public enum Settings {
    /// One setting and its new value.
    public enum Setting: Sendable, Hashable, Codable {
        /// The user's name.
        case displayName(String)
        /// The name of the list.
        case listName(String)
        /// The theme.
        case theme(UserSettings.Theme)
    }

    /// The settings.
    public struct State: Relux.State, Hashable, Codable {
        /// A change of the settings.
        public enum Action: Relux.Action, Hashable, Codable {
            /// The user has chosen.
            case chosen(Setting)
            /// Somebody else has saved settings.
            case followed(State)
        }

        /// The values.
        public private(set) var values: UserSettings

        /// Creates settings.
        public init(_ values: UserSettings = UserSettings()) { self.values = values }

        /// Reduces an action.
        public mutating func reduce(_ action: Action) {
            switch action {
            case .chosen(.displayName(let name)): values.displayName = name
            case .chosen(.listName(let name)): values.listName = name
            case .chosen(.theme(let theme)): values.theme = theme
            case .followed(let state): self = state
            }
        }

        static func merged(_ base: Self?, _ ours: Self, _ theirs: Self) -> Self {
            let base = base?.values ?? UserSettings()
            func newer<Value: Equatable>(_ path: KeyPath<UserSettings, Value>) -> Value {
                (ours.values[keyPath: path] == base[keyPath: path] ? theirs : ours).values[keyPath: path]
            }
            return Self(
                UserSettings(displayName: newer(\.displayName), listName: newer(\.listName), theme: newer(\.theme)))
        }
    }

    /// The settings of one profile as a feature of an app.
    public struct Module: Relux.Module {
        private let profile: Profile
        private let storage: any Relux.Storage

        /// Creates the module.
        public init(of profile: Profile, in storage: any Relux.Storage) {
            (self.profile, self.storage) = (profile, storage)
        }

        /// The settings of somebody who has chosen nothing.
        public var states: [any Relux.State] { [State()] }

        /// Other programs may save the settings, too. If they have erased them, only what was set here since is left.
        public var persistence: [any Relux.StatePersistence] {
            [
                Relux.Saved(
                    State.self, as: "settings", in: storage, id: profile.name,
                    conflict: .merge { base, ours, theirs in .merged(base, ours, theirs ?? State()) },
                    follows: { .followed($0 ?? State()) }
                )
            ]
        }
    }
}

public import Relux
public import SampleServices

extension Session {
    /// Who is signed in.
    public struct State: Relux.State, Hashable {
        /// Who is signed in.
        public enum Standing: Sendable, Hashable {
            /// It isn't known yet, or the data are changing hands.
            case unknown
            /// Nobody is.
            case nobody
            /// This one is.
            case signedIn(Profile)
        }

        /// What happens to a session.
        public enum Action: Relux.Action, Hashable {
            /// From now on the data are those of this profile or, with nil, the common ones.
            ///
            /// `hasLeftUnsaved` says whether the one before has left changes that could not be saved.
            case entered(Profile?, hasLeftUnsaved: Bool)

            /// It could not be changed. Whoever was signed in still is.
            case failed(ProfileServiceError)

            /// Another process has written down something else. Whoever was signed in still is, until the
            /// ``Command/restore`` that comes with it is carried out.
            case changedElsewhere

            /// What another process has written down can't be read. Whoever was signed in still is.
            case elsewhereFailed(ProfileServiceError)
        }

        /// Who is signed in.
        public internal(set) var standing: Standing = .unknown

        /// Why the last command has changed nothing; nil where it succeeded, or another one has begun.
        public internal(set) var failure: ProfileServiceError?

        /// Why it can't be seen at present what others write down about the session, or nil.
        public internal(set) var elsewhereFailure: ProfileServiceError?

        /// Whether the one before has left changes that could not be saved in time, and are lost.
        public internal(set) var hasLeftUnsaved = false

        /// Makes a state of which nothing is known.
        public init() {}

        /// Who is signed in; nil where nobody is, or it isn't known.
        public var profile: Profile? {
            if case .signedIn(let profile) = standing { profile } else { nil }
        }

        /// Takes note of what happened.
        ///
        /// - Parameter action: What happened.
        public mutating func reduce(_ action: Action) {
            switch action {
            case .entered(let profile, let hasLeftUnsaved):
                standing = Standing(profile)
                self.hasLeftUnsaved = hasLeftUnsaved
            case .failed(let error): failure = error
            case .changedElsewhere: elsewhereFailure = nil
            case .elsewhereFailed(let error): elsewhereFailure = error
            }
        }

        /// Forgets an earlier failure when something else is tried.
        mutating func reduce(_ command: Command) {
            if command != .catchUp { failure = nil }
        }
    }
}

extension Session.State.Standing {
    /// Who the data belong to.
    init(_ profile: Profile?) {
        self = profile.map(Self.signedIn) ?? .nobody
    }
}

public import Relux
public import SampleServices

extension Session {
    /// Which profile is signed in.
    public struct State: Relux.State, Hashable {
        /// Which profile is signed in, if any.
        public enum Standing: Sendable, Hashable {
            /// It isn't known yet, or the profile is changing.
            case unknown
            /// Nobody is signed in.
            case nobody
            /// This profile is signed in.
            case signedIn(Profile)
        }

        /// What happens to a session.
        public enum Action: Relux.Action, Hashable {
            /// The data are now those of this profile or, if nil, the common ones.
            ///
            /// `hasLeftUnsaved` says whether the previous profile left changes that could not be saved.
            case entered(Profile?, hasLeftUnsaved: Bool)

            /// A command failed. The previous profile remains signed in.
            case failed(StorageError)

            /// Another process changed the session. The previous profile remains signed in until the
            /// ``Command/restore`` that accompanies this action has been carried out.
            case changedElsewhere

            /// A change made by another process can't be read. The previous profile remains signed in.
            case elsewhereFailed(StorageError)
        }

        /// Which profile is signed in, if any.
        public internal(set) var standing: Standing = .unknown

        /// Why the last command failed, or nil if it succeeded or another one was requested.
        public internal(set) var failure: StorageError?

        /// Why changes made elsewhere currently can't be received, or nil.
        public internal(set) var elsewhereFailure: StorageError?

        /// Whether the previous profile left changes that could not be saved in time and are lost.
        public internal(set) var hasLeftUnsaved = false

        /// Creates a state in which the profile is unknown.
        public init() {}

        /// The profile that is signed in, or nil if nobody is or it isn't known yet.
        public var profile: Profile? {
            if case .signedIn(let profile) = standing { profile } else { nil }
        }

        /// Applies an action to the session.
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

        /// Clears an earlier failure when another command is requested.
        mutating func reduce(_ command: Command) {
            if command != .catchUp { failure = nil }
        }
    }
}

extension Session.State.Standing {
    /// The standing of a profile, or of nobody if it is nil.
    init(_ profile: Profile?) {
        self = profile.map(Self.signedIn) ?? .nobody
    }
}

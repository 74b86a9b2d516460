public import Relux
public import ReluxPersistence
public import SampleServices

/// The data of one profile: its list and its settings.
///
/// An account is an instance, so everything in it is written as if there were only one profile.
public enum Account {
    /// The features of one profile.
    public struct Module: Relux.Module, Identifiable {
        /// The profile.
        public let id: Profile

        private let storage: any Relux.Storage

        /// Creates the module.
        public init(id: Profile, storage: any Relux.Storage) {
            (self.id, self.storage) = (id, storage)
        }

        /// The list and the settings.
        public var dependencies: [any Relux.Module] {
            [Items.Module(of: id, in: storage), Settings.Module(of: id, in: storage)]
        }
    }

    /// The state of a feature of the profile that is signed in; nil until it has been loaded.
    public static func state<S: Relux.State>(
        _ state: S.Type, in reader: borrowing Relux.StateReader
    ) -> (profile: Profile, state: S)? {
        guard let profile = reader[Session.State.self]?.profile else { return nil }
        return reader.states(of: S.self, in: Module.self).first { $0.id == profile }.map { (profile, $0.state) }
    }
}

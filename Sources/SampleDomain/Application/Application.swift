public import Relux
public import ReluxPersistence
public import SampleServices

/// All features together.
public enum Application {
    /// Lists the features, and connects those that don't know each other. A front end that stays registers only this.
    public struct Module: Relux.Module {
        private let storage: any Relux.Storage
        private let pets: any PetsService
        private let presence: any PresenceService

        /// Creates the module.
        public init(
            storage: any Relux.Storage, pets: any PetsService = BundledPetsService(),
            presence: any PresenceService = BundledPresence()
        ) {
            (self.storage, self.pets, self.presence) = (storage, pets, presence)
        }

        /// The features that exist once.
        public var dependencies: [any Relux.Module] {
            [Session.Module(storage: storage), Pets.Module(service: pets), Users.Module(service: presence)]
        }

        /// The account of the profile that is signed in.
        public var children: [Relux.Children] {
            [
                .optional(of: Session.State.self, \.profile) { profile, _ in
                    Account.Module(id: profile, storage: storage)
                }
            ]
        }

        /// Another profile begins where the program begins: no page of the former one stays open.
        public var rules: [Relux.Rule] {
            [
                .init(onChangeOf: Session.State.self, \.profile) { _, _, _ in [Navigation.Stack.Action.popToRoot] }
            ]
        }
    }
}

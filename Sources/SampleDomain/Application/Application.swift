public import Relux
public import SampleServices

/// The whole application, for front ends that keep running.
///
/// - Owns: nothing. ``Module`` combines all features, using the ``Services`` of one data folder.
///
/// A front end creates a store with the module and performs ``Session/Command/restore`` before anything else.
public enum Application {
    /// All features of the application, for a front end that keeps running: each feature follows the changes of other
    /// processes.
    public struct Module: Relux.Module {
        private let services: Services
        private let source: Items.Source
        private let patience: Duration

        /// Creates the module. `patience` is how long signing out and leaving wait for the last commands and saves.
        public init(services: Services, source: Items.Source = .system, patience: Duration = Session.patience) {
            self.services = services
            self.source = source
            self.patience = patience
        }

        /// The features. Those that show pages depend on the module of the page stack.
        public var dependencies: [any Relux.Module] {
            [
                Session.Module(service: services.session, door: services.door, patience: patience),
                Items.Module(service: services.items, history: services.history, source: source),
                Filter.Module(),
                Settings.Module(service: services.settings),
                Users.Module(service: services.users),
                Pets.Module(service: services.pets),
                Trouble.Module(patience: patience),
            ]
        }
    }

    /// The services of all features. The data of profiles are behind a door, the other data are always accessible.
    public struct Services: Sendable {
        /// Stores which profile is signed in.
        public let session: any SessionService

        /// Decides whose data the services of the list, its history, and the settings work on. It is closed initially.
        public let door: ProfileDoor

        /// Stores the current profile's list.
        public let items: any ItemsService

        /// Stores the history of that list.
        public let history: any ItemsHistoryService

        /// Stores the current profile's settings.
        public let settings: any SettingsService

        /// Stores the presence of users, shared by all profiles.
        public let users: any UsersService

        /// The catalogue of pets, shared by all profiles.
        public let pets: any PetsService

        /// Combines services. The closures create those of a profile, for the path of its folder.
        public init(
            session: any SessionService,
            users: any UsersService,
            pets: any PetsService = BundledPetsService(),
            items: @escaping @Sendable (_ folder: String) -> any ItemsService = { FileItemsService(folder: $0) },
            history: @escaping @Sendable (_ folder: String) -> any ItemsHistoryService = {
                FileItemsHistoryService(folder: $0)
            },
            settings: @escaping @Sendable (_ folder: String) -> any SettingsService = {
                FileSettingsService(folder: $0)
            }
        ) {
            let door = ProfileDoor()
            self.session = session
            self.door = door
            self.items = ProfileService(behind: door, make: items)
            self.history = ProfileService(behind: door, make: history)
            self.settings = ProfileService(behind: door, make: settings)
            self.users = users
            self.pets = pets
        }

        /// Combines the services of a data folder. Nothing is read or created yet.
        public init(folder: String, pets: any PetsService = BundledPetsService()) {
            self.init(
                session: FileSessionService(folder: folder),
                users: FileUsersService(folder: folder),
                pets: pets
            )
        }
    }
}

public import SampleServices

extension Application {
    /// The services of all features. The data of profiles are behind a door, the other data are always accessible.
    public struct Services: Sendable {
        /// Stores which profile is signed in.
        public let session: any SessionService

        /// Decides whose data the services of the list, its history, and the settings work on. It is
        /// closed initially.
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

        /// Combines services.
        ///
        /// - Parameters:
        ///   - pets: The catalogue of pets. The default is the bundled catalogue.
        ///   - items: Creates the items service for the folder of a profile. The default stores them in a file.
        ///   - history: Creates the history service for the folder of a profile. The default stores it in a file.
        ///   - settings: Creates the settings service for the folder of a profile. The default stores them in a file.
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
            self.items = ProfileItemsService(behind: door, make: items)
            self.history = ProfileItemsHistoryService(behind: door, make: history)
            self.settings = ProfileSettingsService(behind: door, make: settings)
            self.users = users
            self.pets = pets
        }

        /// Combines the services of a data folder. Nothing is read or created yet.
        ///
        /// - Parameters:
        ///   - folder: The path of the data folder.
        ///   - pets: The catalogue of pets. The default is the bundled catalogue.
        public init(folder: String, pets: any PetsService = BundledPetsService()) {
            self.init(
                session: FileSessionService(folder: folder),
                users: FileUsersService(folder: folder),
                pets: pets
            )
        }
    }
}

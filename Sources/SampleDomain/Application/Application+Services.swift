public import SampleServices

extension Application {
    /// Where the data of all features are: those of a profile behind a door, the others in plain sight.
    public struct Services: Sendable {
        /// Where it is written down who is signed in.
        public let session: any SessionService

        /// Says whose data the services of the list, its history, its tutorial and the settings work on. It is closed
        /// at first.
        public let door: ProfileDoor

        /// Where the list of whoever is there is kept.
        public let items: any ItemsService

        /// Where the history of that list is kept.
        public let history: any ItemsHistoryService

        /// Where it is remembered whether whoever is there has got the tutorial.
        public let tutorial: any TutorialService

        /// Where the settings of whoever is there are kept.
        public let settings: any SettingsService

        /// Where users come and go. They are the same for everybody.
        public let users: any UsersService

        /// Where the pets come from. They are the same for everybody.
        public let pets: any PetsService

        /// Puts services together.
        ///
        /// - Parameters:
        ///   - session: Where it is written down who is signed in.
        ///   - users: Where users come and go.
        ///   - pets: Where the pets come from. The default is the bundled catalogue.
        ///   - items: Makes the list of a profile, by its folder. The default is a file.
        ///   - history: Makes the history of a profile, by its folder. The default is a file.
        ///   - tutorial: Makes the memory of a profile's tutorial, by its folder. The default is a file.
        ///   - settings: Makes the settings of a profile, by its folder. The default is a file.
        public init(
            session: any SessionService,
            users: any UsersService,
            pets: any PetsService = BundledPetsService(),
            items: @escaping @Sendable (_ folder: String) -> any ItemsService = { FileItemsService(folder: $0) },
            history: @escaping @Sendable (_ folder: String) -> any ItemsHistoryService = {
                FileItemsHistoryService(folder: $0)
            },
            tutorial: @escaping @Sendable (_ folder: String) -> any TutorialService = {
                FileTutorialService(folder: $0)
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
            self.tutorial = ProfileTutorialService(behind: door, make: tutorial)
            self.settings = ProfileSettingsService(behind: door, make: settings)
            self.users = users
            self.pets = pets
        }

        /// Puts the services of a data folder together. Nothing is read or made yet.
        ///
        /// - Parameters:
        ///   - folder: The path of the data folder.
        ///   - pets: Where the pets come from. The default is the bundled catalogue.
        public init(folder: String, pets: any PetsService = BundledPetsService()) {
            self.init(
                session: FileSessionService(folder: folder),
                users: FileUsersService(folder: folder),
                pets: pets
            )
        }
    }
}

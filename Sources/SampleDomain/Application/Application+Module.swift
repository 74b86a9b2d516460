public import Relux

extension Application {
    /// All features of the application, for a front end that keeps running: each feature follows the changes of other
    /// processes.
    public struct Module: Relux.Module {
        private let services: Services
        private let source: Items.Source
        private let patience: Duration

        /// Creates the module.
        ///
        /// - Parameters:
        ///   - services: The services of all features.
        ///   - source: The source of dates and ids for items. The default is the system.
        ///   - patience: How long a sign-out waits for the last commands and saves. The default is 5 seconds.
        public init(services: Services, source: Items.Source = .system, patience: Duration = .seconds(5)) {
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
}

public import Relux

extension Application {
    /// All features of the application, for a front end that stays: each follows what other processes do.
    public struct Module: Relux.Module {
        private let services: Services
        private let source: Items.Source
        private let patience: Duration

        /// Makes the module.
        ///
        /// - Parameters:
        ///   - services: Where the data are.
        ///   - source: Where dates and ids of items come from. The default is the system.
        ///   - patience: How long to wait for the last commands and saves of one who leaves. The default is 5 seconds.
        public init(services: Services, source: Items.Source = .system, patience: Duration = .seconds(5)) {
            self.services = services
            self.source = source
            self.patience = patience
        }

        /// The features. Those that show pages bring the stack of pages with them. What a front end never asks for, as
        /// one that only watches asks for no filter and offers no tutorial, does nothing.
        public var dependencies: [any Relux.Module] {
            [
                Session.Module(service: services.session, door: services.door, patience: patience),
                Items.Module(
                    service: services.items, history: services.history, tutorial: services.tutorial, source: source
                ),
                Filter.Module(),
                Settings.Module(service: services.settings),
                Users.Module(service: services.users),
                Pets.Module(service: services.pets),
                Trouble.Module(patience: patience),
            ]
        }
    }
}

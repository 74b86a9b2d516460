import Relux
import SampleDomain
import SampleServices

/// The data folder of one invocation, and the door to the current profile's data in it.
struct Workspace: Sendable {
    let folder: String
    let door = ProfileDoor()
    let configuration: Relux.StoreConfiguration

    init(options: ItemsOptions, environment: [String: String]) {
        folder = options.folder ?? DataFolder.standard(environment: environment)
        configuration = Relux.StoreConfiguration(observers: options.isVerbose ? [Relux.ConsoleLogger()] : [])
    }

    /// The module of the session.
    var session: Session.Module {
        Session.Module(
            service: FileSessionService(folder: folder),
            door: door,
            loadsData: false,
            watchesElsewhere: false
        )
    }

    /// The module of all features, for an invocation that keeps running. It has a door of its own.
    ///
    /// - Parameter pets: The source of the pets. The default is the bundled catalogue.
    func application(pets: any PetsService = BundledPetsService()) -> Application.Module {
        Application.Module(services: Application.Services(folder: folder, pets: pets))
    }

    /// Reads which profile is signed in, and opens the door to its data.
    ///
    /// - Returns: The error if the session can't be read, or nil.
    func open(on store: Relux.Store) async throws -> ProfileServiceError? {
        do {
            try await store.call(Session.Command.restore)
            return nil
        } catch let failure as ProfileServiceError {
            return failure
        }
    }
}

import Relux
import SampleDomain
import SampleServices

/// The data folder of one call, and the door to whoever's data in it the call is about.
struct Workspace: Sendable {
    let folder: String
    let door = ProfileDoor()
    let configuration: Relux.StoreConfiguration

    init(options: ItemsOptions, environment: [String: String]) {
        folder = options.folder ?? DataFolder.standard(environment: environment)
        configuration = Relux.StoreConfiguration(observers: options.isVerbose ? [Relux.ConsoleLogger()] : [])
    }

    /// Says who is signed in.
    var session: Session.Module {
        Session.Module(
            service: FileSessionService(folder: folder),
            door: door,
            loadsData: false,
            watchesElsewhere: false
        )
    }

    /// Everything, for a call that stays. It has a door of its own.
    ///
    /// - Parameter pets: Where the pets come from. The default is the bundled catalogue.
    /// - Returns: The module of all features.
    func application(pets: any PetsService = BundledPetsService()) -> Application.Module {
        Application.Module(services: Application.Services(folder: folder, pets: pets))
    }

    /// Finds out whose data the call is about.
    ///
    /// - Returns: Why that can't be known, or nil.
    func open(on store: Relux.Store) async throws -> ProfileServiceError? {
        do throws(Relux.EffectError) {
            try await store.perform(Session.Command.restore)
            return nil
        } catch {
            guard case .failed(let failure as ProfileServiceError) = error else { throw error }
            return failure
        }
    }
}

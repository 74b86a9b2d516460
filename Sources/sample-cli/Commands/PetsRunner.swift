import Relux
import SampleDomain
import SampleServices

/// Loads pets with a store, and shows the result.
struct PetsRunner: Sendable {
    let console: Console
    /// How long a user waits for a server before being told so.
    private static let patience = Duration.seconds(5)

    let options: PetsOptions
    var presenter = Pets.Presenter()

    /// Carries out a request.
    func run(_ request: PetsRequest) async -> ExitStatus {
        do {
            let store = try await Relux.Store(Relux.StoreConfiguration(observers: observers)) {
                Pets.Module(service: service)
            }
            // A server that sends its answer in drops would otherwise look like a program that hangs.
            let reminder = Task {
                try await Task.sleep(for: Self.patience)
                if let address = options.address { console.error(Texts.waiting(for: address) + "\n") }
            }
            defer { reminder.cancel() }
            return switch request {
            case .list: try await list(on: store)
            case .show(let id): try await show(id, on: store)
            }
        } catch {
            console.complain([Texts.unexpected(error)], as: "unexpected")
            return .failure
        }
    }

    private var service: any PetsService {
        if let address = options.address { HTTPPetsService(address: address) } else { BundledPetsService() }
    }

    private var observers: [any Relux.StoreObserver] {
        var observers: [any Relux.StoreObserver] = []
        if options.isVerbose { observers.append(Relux.ConsoleLogger()) }
        // Progress is of no use to somebody who reads the errors later.
        if console.errorIsTerminal { observers.append(PetsProgress(console: console, presenter: presenter)) }
        return observers
    }

    private func list(on store: Relux.Store) async throws -> ExitStatus {
        try await store.perform(Pets.Effect.load)
        let state = try await store.state(of: Pets.State.self)
        let listing = presenter.listing(of: state)
        if let status = tell(listing.notice, state.catalogue.failure) { return status }
        if options.isJSON {
            console.print([try PetsJSON(listing: state.catalogue.value.map(Array.init) ?? []).line()])
        } else {
            console.print(PetsRenderer(style: console.style).lines(of: listing))
        }
        return .success
    }

    private func show(_ id: Pet.ID, on store: Relux.Store) async throws -> ExitStatus {
        await store.dispatch(Pets.Command.open(id))
        // The page loads itself. In the end it contains the pet or the error.
        guard let entry = try await store.state(of: Navigation.Stack.self).entries.last else { return .failure }
        let state = try await store.scope(of: PetPage.Module.self, id: entry.id)
            .wait(until: PetPage.State.self) { !$0.pet.isLoading }
        let page = presenter.page(of: state, in: Pets.State())
        if let status = tell(page.notice, state.pet.failure) { return status }
        if options.isJSON {
            console.print(try state.pet.value.map { [try PetsJSON(showing: $0).line()] } ?? [])
        } else {
            console.print(PetsRenderer(style: console.style).lines(of: page))
        }
        return .success
    }

    /// Prints a notice.
    ///
    /// - Returns: The exit status if nothing else is to be shown, otherwise nil.
    private func tell(_ notice: Pets.Notice?, _ failure: PetsServiceError?) -> ExitStatus? {
        guard let notice else { return nil }
        let lines = notice.lines.map(\.visible)
        if notice.kind == .failure {
            console.complain(lines, as: failure?.code ?? "unexpected")
            return .failure
        }
        if !options.isJSON { console.error(lines.map { $0 + "\n" }.joined()) }
        return nil
    }
}

import Relux
import SampleDomain
import SampleServices

/// Loads pets with a store, and shows the result.
struct PetsRunner: Sendable {
    private let invocation: Invocation
    private let store: Relux.Store
    private let presenter = Presenter()

    private var console: Console { invocation.console }

    init(_ invocation: Invocation) async throws {
        self.invocation = invocation
        let service = Self.service(at: try invocation.petsAddress())
        var configuration = invocation.configuration
        if !invocation.console.isJSON {
            configuration.observers.append(PetsProgress(console: invocation.console, presenter: presenter))
        }
        store = try await Relux.Store(configuration) { Pets.Module(service: service) }
    }

    /// The service of a server, or that of the bundled catalogue.
    static func service(at address: PetsAddress?) -> any PetsService {
        if let address { HTTPPetsService(address: address) } else { BundledPetsService() }
    }

    func list() async throws -> ExitStatus {
        try await store.perform(Pets.Effect.load)
        let state = try await store.state(of: Pets.State.self)
        let listing = presenter.listing(of: state)
        try tell(listing.notice, state.catalogue.failure)
        try invocation.show(
            PetsJSON(listing: state.catalogue.value.map(Array.init) ?? []),
            console.style.lines(of: listing))
        return .success
    }

    func show(_ id: Pet.ID) async throws -> ExitStatus {
        await store.dispatch(Pets.Command.open(id))
        // The page loads itself. In the end it contains the pet or the error.
        guard let entry = try await store.state(of: Navigation.Stack.self).entries.last else { return .failure }
        let state = try await store.scope(of: PetPage.Module.self, id: entry.id)
            .wait(until: PetPage.State.self) { !$0.pet.isLoading }
        let page = presenter.page(of: state, in: Pets.State())
        try tell(page.notice, state.pet.failure)
        guard let pet = state.pet.value else { return .success }
        try invocation.show(PetsJSON(showing: pet), console.style.lines(of: page))
        return .success
    }

    /// Shows a notice, and throws it if it is a failure.
    private func tell(_ notice: Pets.Notice?, _ failure: PetsServiceError?) throws {
        guard let notice else { return }
        let lines = notice.lines.map(\.visible)
        if notice.kind == .failure { throw Complaint(lines, as: failure?.code ?? "unexpected") }
        if !console.isJSON { console.error(lines.map { $0 + "\n" }.joined()) }
    }
}

/// Reports why loading takes longer than expected.
private struct PetsProgress: Relux.StoreObserver {
    let console: Console
    let presenter: Presenter

    func actionReduced(_ record: Relux.ActionRecord) {
        let setback: Pets.Setback
        switch record.action {
        case Pets.State.Action.setBack(let last), PetPage.State.Action.setBack(let last): setback = last
        default: return
        }
        console.error(presenter.notice(of: setback).lines.map(\.visible).joined(separator: " ") + "\n")
    }
}

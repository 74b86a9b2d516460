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
        let service = try invocation.petsService()
        let progress = PetsProgress(console: invocation.console, presenter: presenter)
        store = try await invocation.store(observers: invocation.console.isJSON ? [] : [progress]) {
            Pets.Module(service: service)
        }
    }

    func list() async throws -> ExitStatus {
        try await store.call(Pets.Effect.load)
        let state = try await store.state(of: Pets.State.self)
        let listing = presenter.listing(of: state)
        let lines = console.style.lines(of: listing)
        return try invocation.show(["pets": listing.rows], lines.isEmpty ? listing.notice?.lines ?? [] : lines)
    }

    func show(_ id: Pet.ID) async throws -> ExitStatus {
        await store.dispatch(Pets.Command.open(id))
        // The page loads itself. In the end it contains the pet or the error.
        guard let entry = try await store.state(of: Navigation.Stack.self).entries.last else { return .failure }
        let state = try await store.scope(of: PetPage.Module.self, id: entry.id)
            .wait(until: PetPage.State.self) { !$0.pet.isLoading }
        if let failure = state.pet.failure { throw failure }
        let page = presenter.page(of: state, in: Pets.State())
        return try invocation.show(page, console.style.lines(of: page))
    }
}

/// Reports why loading takes longer than expected.
private struct PetsProgress: Relux.StoreObserver {
    let console: Console
    let presenter: Presenter

    func actionReduced(_ record: Relux.ActionRecord, leaving _: borrowing Relux.StateReader) {
        let setback: Pets.Setback
        switch record.action {
        case Pets.State.Action.setBack(let last), PetPage.State.Action.setBack(let last): setback = last
        default: return
        }
        console.error(presenter.notice(of: setback).lines.map(\.visible).joined(separator: " ") + "\n")
    }
}

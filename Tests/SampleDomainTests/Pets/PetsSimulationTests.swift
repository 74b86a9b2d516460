import Relux
import ReluxTesting
import SampleServices
import TestFixtures
import Testing

@testable import SampleDomain

/// Impatient users and a service that is slow, fails, and sometimes ignores cancellation, in many orders.
@Suite("Pets, users who come and go", .timeLimit(.minutes(10))) struct PetsSimulationTests {
    @Test("Whatever users do, a page shows its own pet, nothing gets older, and nothing is left loading")
    func pages() async {
        let seen = Lock<Set<Occurrence>>([])

        await Simulation.explore(seeds: seeds(200)) { world in
            let history = History()
            let configuration = Relux.StoreConfiguration(observers: [history])
            let store = try await world.store(configuration) {
                Pets.Module(
                    service: UnreliablePetsService(world: world),
                    patience: Pets.Patience(limit: .milliseconds(400), attempts: 3, pause: .milliseconds(50))
                )
            }
            world.always("a page shows its own pet") { states in
                openPages(in: states).allSatisfy { _, page in
                    page.pet.value.map { $0.id == page.id && $0.about == "About \(page.id)." } ?? true
                }
            }
            world.always("every entry of the stack has its page, and there is no other page") { states in
                states[Navigation.Stack.self].map { $0.entries.map(\.id) == openPages(in: states).map(\.id) } ?? true
            }
            world.always("no page lies on one like it", of: Navigation.Stack.self) { stack in
                zip(stack.path, stack.path.dropFirst()).allSatisfy { $0 != $1 }
            }
            world.always("what was loaded stays, and gets no older") { states in
                guard let state = states[Pets.State.self] else { return true }
                return history.goesOn(with: state, openPages(in: states))
            }
            world.always("what isn't being loaded stays as it is") { states in
                guard let state = states[Pets.State.self] else { return true }
                return history.leavesAlone(state, openPages(in: states))
            }
            world.always("a failed try is told only while another may follow") { states in
                guard let state = states[Pets.State.self] else { return true }
                return (state.setback == nil || state.catalogue.isLoading)
                    && openPages(in: states).allSatisfy { $0.state.setback == nil || $0.state.pet.isLoading }
            }
            world.finally("nothing is left loading, and every page shows a pet or says why not") { states in
                guard let state = states[Pets.State.self] else { return false }
                return !state.catalogue.isLoading && state.setback == nil
                    && openPages(in: states).allSatisfy { !$0.state.pet.isLoading && !$0.state.pet.isIdle }
            }

            for number in 0..<2 {
                world.task("user \(number)") { try await User(world: world, store: store).work() }
            }
            await world.settled()
            seen.withLock { $0.formUnion(history.occurrences) }
        }

        #expect(seen.withLock { $0 } == Set(Occurrence.allCases))
    }
}

private func openPages(in states: borrowing Relux.StateReader) -> [(id: PetPage.Module.ID, state: PetPage.State)] {
    states.states(of: PetPage.State.self, in: PetPage.Module.self)
}

/// Events that must occur in some of the orders. Otherwise the simulation would prove less than it claims.
private enum Occurrence: CaseIterable {
    case catalogueLoaded, petLoaded, reloaded, slow, failed, setBack, left, superseded, reopened
}

/// Answers late, wrongly, or not at all. The name in each answer is the number of its request.
private struct UnreliablePetsService: PetsService {
    let world: Simulation.World
    let questions = Questions()

    let origin = "simulation"

    final class Questions: Sendable {
        private let count = Lock(0)

        func next() -> String {
            count.withLock { count in
                count += 1
                return String(count)
            }
        }
    }

    func pets() async throws(PetsServiceError) -> [Pet.Summary] {
        let number = questions.next()
        try await travel(missing: .status(404))
        return [.sample("a", name: number), .sample("b", name: number)]
    }

    func pet(id: Pet.ID) async throws(PetsServiceError) -> Pet {
        let number = questions.next()
        try await travel(missing: .notFound(id))
        return .sample(id, name: number)
    }

    private func travel(missing: PetsServiceError.Reason) async throws(PetsServiceError) {
        do {
            try await world.latency(.zero ... .milliseconds(500), heedsCancellation: world.fails(0.5))
        } catch {
            throw PetsServiceError(.cancelled, place: origin)
        }
        if world.fails(0.25) { throw PetsServiceError(.offline(.brokenOff), place: origin) }
        if world.fails(0.1) { throw PetsServiceError(missing, place: origin) }
    }
}

/// Opens and closes pages, whether they have shown anything or not.
private struct User {
    let world: Simulation.World
    let store: Relux.Store

    func work() async throws {
        for _ in 0..<world.random(in: 4...10) {
            try await world.latency(.zero ... .milliseconds(300))
            let id = world.random(of: ["a", "b", "c"]) ?? "a"
            switch world.random(in: 0...9) {
            case 0...3: await store.dispatch(Pets.Command.open(id))
            case 4, 5: await store.dispatch(Navigation.Stack.Action.pop)
            case 6:
                // Back and forth, before anything could notice.
                await store.dispatch(Navigation.Stack.Action.popToRoot)
                await store.dispatch(Pets.Command.open(id))
            case 7: await store.dispatch(Navigation.Stack.Action.popTo(.pet(id)))
            case 8: await store.dispatch(Pets.Effect.load)
            default:
                let page = await store.read { PetPage.visible(in: $0)?.id }
                // The page may be closed by the time of the action.
                if let page { await store.scope(of: PetPage.Module.self, id: page).dispatch(PetPage.Effect.load) }
            }
        }
    }
}

/// What has been shown.
private final class History: Relux.StoreObserver {
    /// The catalogue, or a page.
    private typealias Place = PetPage.Module.ID?

    private struct Contents {
        var numbers: [Place: Int] = [:]
        var catalogue = Pets.State().catalogue
        var pages: [PetPage.Module.ID: PetPage.State] = [:]
        var occurrences: Set<Occurrence> = []
        var opened: Set<Pet.ID> = []
    }

    private let contents = Lock(Contents())

    var occurrences: Set<Occurrence> { contents.withLock { $0.occurrences } }

    func actionReduced(_ record: Relux.ActionRecord, leaving _: borrowing Relux.StateReader) {
        contents.withLock { contents in
            switch record.action {
            case Pets.Command.open(let id):
                if !contents.opened.insert(id).inserted { contents.occurrences.insert(.reopened) }
            case Pets.State.Action.loaded: contents.occurrences.insert(.catalogueLoaded)
            case PetPage.State.Action.loaded: contents.occurrences.insert(.petLoaded)
            case Pets.State.Action.setBack(let setback), PetPage.State.Action.setBack(let setback):
                contents.occurrences.insert(.setBack)
                if case .slow = setback.failure.reason { contents.occurrences.insert(.slow) }
            case Pets.State.Action.failed, PetPage.State.Action.failed: contents.occurrences.insert(.failed)
            default: break
            }
        }
    }

    func runEnded(_ run: Relux.RunRecord, _ outcome: Relux.RunOutcome, lateError: (any Error)?) {
        switch outcome {
        case .superseded: contents.withLock { _ = $0.occurrences.insert(.superseded) }
        // Nothing but the end of its page cancels a load.
        case .cancelled where run.trigger is PetPage.Effect: contents.withLock { _ = $0.occurrences.insert(.left) }
        default: break
        }
    }

    /// Whether only what was being loaded has changed.
    func leavesAlone(_ state: Pets.State, _ pages: [(id: PetPage.Module.ID, state: PetPage.State)]) -> Bool {
        contents.withLock { contents in
            let (catalogue, before) = (contents.catalogue, contents.pages)
            contents.catalogue = state.catalogue
            contents.pages = Dictionary(uniqueKeysWithValues: pages.map { ($0.id, $0.state) })
            return (catalogue.isLoading || catalogue.value == state.catalogue.value)
                && pages.allSatisfy { id, page in
                    before[id].map { $0.pet.isLoading || $0.pet.value == page.pet.value } ?? page.pet.isLoading
                }
        }
    }

    /// Whether everything that was known and is still open is still known, from the same request or a later one.
    func goesOn(with state: Pets.State, _ pages: [(id: PetPage.Module.ID, state: PetPage.State)]) -> Bool {
        contents.withLock { contents in
            let open: [(Place, String?)] =
                [(nil, state.catalogue.value?.first?.name)] + pages.map { ($0.id, $0.state.pet.value?.summary.name) }
            var numbers: [Place: Int] = [:]
            for (place, name) in open { numbers[place] = name.flatMap { Int($0) } }
            let before = contents.numbers
            contents.numbers = numbers
            if before.contains(where: { (numbers[$0.key] ?? 0) > $0.value }) {
                contents.occurrences.insert(.reloaded)
            }
            return open.allSatisfy { place, _ in (before[place] ?? 0) <= (numbers[place] ?? 0) }
        }
    }
}

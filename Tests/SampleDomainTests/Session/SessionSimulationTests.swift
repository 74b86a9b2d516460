import Foundation
import Relux
import ReluxTesting
import SampleServices
import Synchronization
import Testing

@testable import SampleDomain

/// Everything that an application has, while the data change hands again and again, in many orders.
@Suite("Session, data that change hands") struct SessionSimulationTests {
    @Test("Whoever leaves, and whenever, nothing of theirs is shown or written afterwards")
    func handingOver() async {
        let seen = Mutex<Set<Occurrence>>([])

        await Simulation.explore(seeds: 0..<300) { world in
            let history = History()
            let house = House(world, history)
            let door = ProfileDoor()
            let store = try await world.store(Relux.StoreConfiguration(observers: [history])) {
                Session.Module(service: house.session, door: door, patience: .milliseconds(300))
                Items.Module(
                    service: ProfileItemsService(behind: door) { house.flat($0).items },
                    history: ProfileItemsHistoryService(behind: door) { house.flat($0).history },
                    source: house.source
                )
                Settings.Module(service: ProfileSettingsService(behind: door) { house.flat($0).settings })
                Pets.Module(service: SlowPetsService(world: world, history: history))
            }
            world.always("the list and its history are those of whoever is there", of: \Items.State.marks, history)
            world.always("the settings are those of whoever is there", of: \Settings.State.marks, history)
            world.always("the pages are those of whoever is there", of: \Navigation.Stack.marks, history)
            world.always("the pets are those of whoever is there", of: \Pets.State.marks, history)
            world.always("the theme outlives everybody") { _ in history.isThemeKept }

            world.task("the door") { try await Porter(world: world, store: store, history: history).work() }
            for number in 0..<2 {
                world.task("user \(number)") { try await User(world: world, store: store).work() }
            }
            world.task("another process") { try await house.changeElsewhere() }
            await world.settled()

            house.mend()
            try await store.perform(Session.Command.signIn(ProfileName("ada")))
            try await store.perform(Session.Command.signOut)
            let written = house.writes
            await world.settled()
            #expect(house.writes.filter { $0.key != "common" } == written.filter { $0.key != "common" })
            #expect(try await store.state(of: Session.State.self).standing == .nobody)
            #expect(history.trespasses == [])
            seen.withLock { $0.formUnion(history.occurrences) }
        }

        #expect(seen.withLock { $0 } == Set(Occurrence.allCases))
    }
}

/// What has to happen in some of the orders; else they prove less than they seem to.
private enum Occurrence: CaseIterable {
    case signedIn, signedOut, switched, refusedByService, gaveUp, leftUnsaved, heldBack
    case cancelledSave, cancelledLoad, itemSaved, settingSaved, stepSaved, petShown, newsArrived, pageLost
}

// MARK: - Marks

/// What gives away whose something is: an id, a name.
private typealias Mark = String

extension Items.State {
    fileprivate var marks: [Mark] {
        let steps = (history.done + history.undone).flatMap(\.changes).compactMap { $0.id?.uuidString }
        return list.all.map(\.id.uuidString) + steps + (draft.map { [$0.id.uuidString] } ?? [])
    }
}

extension Settings.State {
    fileprivate var marks: [Mark] { [settings.displayName].filter { !$0.isEmpty } }
}

extension Relux.Navigation.Stack<Navigation.Page> {
    fileprivate var marks: [Mark] {
        path.map { page in
            switch page {
            case .pet(let id): id
            }
        }
    }
}

extension Pets.State {
    fileprivate var marks: [Mark] { details.keys.sorted() + (catalogue.value?.map(\.name) ?? []) }
}

extension Simulation.World {
    fileprivate func always<S: Relux.State>(
        _ name: String,
        of marks: KeyPath<S, [Mark]> & Sendable,
        _ history: History
    ) {
        always(name) { states in
            guard let state = states[S.self], let session = states[Session.State.self] else { return true }
            return history.permits(state[keyPath: marks], to: session.standing)
        }
    }
}

/// Who came when, and whose everything is.
private final class History: Relux.StoreObserver {
    private struct Contents {
        /// Whose folder the data are in, by what was entered last; nil before the first entering.
        var owner: String?
        /// How often the data have changed hands. Something that was made between two changes is of that time.
        var epoch = 0
        var isLeaving = false
        /// Whose folder something is kept in; empty for what waits behind the door for whoever comes.
        var owners: [Mark: String] = [:]
        /// When something that is kept nowhere was made.
        var epochs: [Mark: Int] = [:]
        var hasPages = false
        var isThemeKept = true
        var trespasses: [String] = []
        var occurrences: Set<Occurrence> = []
    }

    private let contents = Mutex(Contents())

    var occurrences: Set<Occurrence> { contents.withLock { $0.occurrences } }
    var trespasses: [String] { contents.withLock { $0.trespasses } }
    var isThemeKept: Bool { contents.withLock { $0.isThemeKept } }
    var epoch: Int { contents.withLock { $0.epoch } }

    func note(_ occurrence: Occurrence) {
        _ = contents.withLock { $0.occurrences.insert(occurrence) }
    }

    /// Notes that something is kept in a folder.
    func keep(_ mark: Mark, in folder: String) {
        contents.withLock { $0.owners[mark] = folder }
    }

    /// Notes that something that is kept nowhere was made now.
    func make(_ mark: Mark) {
        contents.withLock { $0.epochs[mark] = $0.epoch }
    }

    /// Notes that something is being written in a folder, and whether that is anybody else's.
    func write(_ marks: [Mark], to folder: String) {
        contents.withLock { contents in
            if contents.owner != folder {
                contents.trespasses.append("\(folder) is written while \(contents.owner ?? "nobody") is there")
            }
            for mark in marks where contents.owners[mark] != folder {
                contents.trespasses.append("\(mark) of \(contents.owners[mark] ?? "nobody") is written to \(folder)")
            }
        }
    }

    /// Whether all of this may be seen at present. What came with the action that is being checked isn't known yet.
    func permits(_ marks: [Mark], to standing: Session.State.Standing) -> Bool {
        let owner: String? =
            switch standing {
            case .unknown: nil
            case .nobody: "common"
            case .signedIn(let profile): profile.folder
            }
        return contents.withLock { contents in
            marks.allSatisfy { mark in
                (contents.owners[mark].map { $0.isEmpty || $0 == owner } ?? true)
                    && (contents.epochs[mark].map { $0 == contents.epoch } ?? true)
            }
        }
    }

    func actionReduced(_ record: Relux.ActionRecord) {
        contents.withLock { contents in
            switch record.action {
            case Session.State.Action.entered(let profile, let hasLeftUnsaved):
                let owner = profile?.folder ?? "common"
                switch (contents.owner, owner) {
                case ("ada", "bob"), ("bob", "ada"): contents.occurrences.insert(.switched)
                case (_, "common"): contents.occurrences.insert(.signedOut)
                default: contents.occurrences.insert(.signedIn)
                }
                contents.owner = owner
                contents.isLeaving = false
                // What was chosen in between waits behind the door, and is of whoever comes.
                for (mark, folder) in contents.owners where folder.isEmpty { contents.owners[mark] = owner }
                if hasLeftUnsaved { contents.occurrences.insert(.leftUnsaved) }
            case Session.State.Action.failed: contents.occurrences.insert(.refusedByService)
            case Items.State.Action.added(let id, _, _, _):
                contents.owners[id.uuidString] = contents.isLeaving ? "" : contents.owner ?? ""
            case Items.State.Action.draftStarted(let draft): contents.epochs[draft.id.uuidString] = contents.epoch
            case Items.State.Action.changedElsewhere, Settings.State.Action.changedElsewhere:
                contents.occurrences.insert(.newsArrived)
            case Settings.State.Action.changed(let changes):
                if let name = changes.displayName {
                    contents.owners[name] = contents.isLeaving ? "" : contents.owner ?? ""
                    if contents.isLeaving { contents.occurrences.insert(.heldBack) }
                }
            case Navigation.Stack.Action.push(.pet(let id)):
                contents.epochs[id] = contents.epoch
                contents.hasPages = true
            case Pets.State.Action.petLoaded: contents.occurrences.insert(.petShown)
            case Items.State.Action.saved: contents.occurrences.insert(.itemSaved)
            case Items.State.Action.historySaved: contents.occurrences.insert(.stepSaved)
            case Settings.State.Action.saved: contents.occurrences.insert(.settingSaved)
            default: break
            }
        }
    }

    func statesReset(_ states: [any Relux.State.Type]) {
        contents.withLock { contents in
            contents.epoch += 1
            contents.isLeaving = true
            if contents.hasPages { contents.occurrences.insert(.pageLost) }
            contents.hasPages = false
            if states.contains(where: { $0 == Settings.Appearance.self }) { contents.isThemeKept = false }
        }
    }

    func runEnded(_ run: Relux.RunRecord, _ outcome: Relux.RunOutcome, lateError: (any Error)?) {
        guard case .cancelled = outcome else { return }
        let trigger = run.trigger
        if trigger as? Items.Effect == .save || trigger as? Settings.Effect == .save {
            note(.cancelledSave)
        } else if trigger is Items.Effect || trigger is Settings.Effect || trigger is Pets.Effect {
            note(.cancelledLoad)
        }
    }
}

// MARK: - The services

/// The data of everybody, each in a flat of their own. All services are slow, fail now and then, and are deaf at times.
private final class House: Sendable {
    struct Flat: Sendable {
        let items: InMemoryItemsService
        let history: InMemoryItemsHistoryService
        let settings: InMemorySettingsService
    }

    let session: InMemorySessionService
    private let world: Simulation.World
    private let history: History
    private let visits: Visits
    private let flats: [String: Flat]
    private let lastID = Mutex(0)

    init(_ world: Simulation.World, _ history: History) {
        self.world = world
        self.history = history
        let visits = Visits(world: world)
        session = InMemorySessionService { () throws(ProfileServiceError) in
            if await !visits.travel() { throw ProfileServiceError(.diskFull, file: "session") }
        }
        self.visits = visits
        var flats: [String: Flat] = [:]
        for (number, folder) in ["common", "ada", "bob"].enumerated() {
            flats[folder] = Self.flat(folder, number, visits, history)
        }
        self.flats = flats
    }

    private static func flat(_ folder: String, _ number: Int, _ visits: Visits, _ history: History) -> Flat {
        let item = Item.sample(1_000 + number)
        history.keep(item.id.uuidString, in: folder)
        history.keep("\(folder)'s name", in: folder)
        return Flat(
            items: InMemoryItemsService(
                items: [item],
                beforeLoad: { () throws(ItemsServiceError) in
                    if await !visits.travel() { throw ItemsServiceError(.diskFull, file: folder) }
                },
                beforeSave: { (changes) throws(ItemsServiceError) in
                    if await !visits.travel() { throw ItemsServiceError(.diskFull, file: folder) }
                    visits.count(folder)
                    history.write(changes.map(\.id.uuidString), to: folder)
                }
            ),
            history: InMemoryItemsHistoryService { (changes) throws(ItemsServiceError) in
                if await !visits.travel() { throw ItemsServiceError(.diskFull, file: folder) }
                guard let changes else { return }
                visits.count(folder)
                history.write(changes.flatMap(\.marks), to: folder)
            },
            settings: InMemorySettingsService(UserSettings(displayName: "\(folder)'s name")) {
                (changes) throws(ProfileServiceError) in
                if await !visits.travel() { throw ProfileServiceError(.diskFull, file: folder) }
                guard let changes else { return }
                visits.count(folder)
                history.write(changes.displayName.map { [$0] } ?? [], to: folder)
            }
        )
    }

    func flat(_ folder: String) -> Flat {
        flats[folder] ?? Self.flat(folder, 9, visits, history)
    }

    /// How often something was written, by folder.
    var writes: [String: Int] { visits.writes }

    /// From now on nothing fails.
    func mend() { visits.mend() }

    /// The virtual time, and ids that nobody has had.
    var source: Items.Source {
        Items.Source(
            now: { [world] in noon.addingTimeInterval(world.clock.now.offset / .seconds(1)) },
            makeID: {
                .sample(
                    self.lastID.withLock { id in
                        id += 1
                        return id
                    })
            }
        )
    }

    /// What other processes do, to the data of all.
    func changeElsewhere() async throws {
        for number in 0..<6 {
            try await world.latency(.zero ... .milliseconds(500))
            guard let folder = world.random(of: ["common", "ada", "bob"]) else { return }
            let item = Item.sample(2_000 + number)
            history.keep(item.id.uuidString, in: folder)
            history.keep("\(folder)'s name \(number)", in: folder)
            await flat(folder).items.changeElsewhere([.insert(item)])
            await flat(folder).settings.changeElsewhere(SettingsChanges(displayName: "\(folder)'s name \(number)"))
        }
    }
}

/// The ways to the services.
private final class Visits: Sendable {
    private struct Contents {
        var isMended = false
        var writes: [String: Int] = [:]
    }

    private let world: Simulation.World
    private let contents = Mutex(Contents())

    init(world: Simulation.World) {
        self.world = world
    }

    var writes: [String: Int] { contents.withLock { $0.writes } }

    func mend() { contents.withLock { $0.isMended = true } }

    func count(_ folder: String) { contents.withLock { $0.writes[folder, default: 0] += 1 } }

    /// Takes its time, deaf to its cancellation now and then.
    ///
    /// - Returns: Whether it gets there.
    func travel() async -> Bool {
        do {
            try await world.latency(.zero ... .milliseconds(250), heedsCancellation: world.fails(0.5))
        } catch {
            return false
        }
        return contents.withLock { $0.isMended } || !world.fails(0.1)
    }
}

extension ItemsHistory.Change {
    fileprivate var marks: [Mark] {
        switch self {
        case .done(let step), .undone(let step), .redone(let step): step.changes.compactMap { $0.id?.uuidString }
        }
    }
}

/// Pets that bear the time of the question as a name.
private struct SlowPetsService: PetsService {
    let world: Simulation.World
    let history: History

    let origin = "simulation"

    func pets() async throws(PetsServiceError) -> [Pet.Summary] {
        let name = "asked in \(history.epoch)"
        history.make(name)
        await travel()
        return [.sample("a", name: name)]
    }

    func pet(id: Pet.ID) async throws(PetsServiceError) -> Pet {
        await travel()
        return .sample(id)
    }

    private func travel() async {
        try? await world.latency(.zero ... .milliseconds(300), heedsCancellation: world.fails(0.5))
    }
}

// MARK: - The people

/// Lets people in and out.
private struct Porter {
    let world: Simulation.World
    let store: Relux.Store
    let history: History

    func work() async throws {
        try await restore()
        for _ in 0..<world.random(in: 3...7) {
            try await world.latency(.zero ... .milliseconds(500))
            let command: Session.Command =
                switch world.random(in: 0...4) {
                case 0, 1: .signIn(try ProfileName("ada"))
                case 2: .signIn(try ProfileName("bob"))
                case 3: .signOut
                default: .restore
                }
            let waiting = world.task("a command") {
                do throws(Relux.EffectError) {
                    try await store.perform(command)
                } catch {
                    switch error {
                    case .failed(let reason) where reason is ProfileServiceError: break
                    // Nobody else's command is under way, so that only who gives up may be cancelled.
                    case .cancelled where Task.isCancelled: history.note(.gaveUp)
                    default: throw error
                    }
                }
            }
            if world.fails(0.3) {
                try await world.latency(.zero ... .milliseconds(300))
                waiting.cancel()
            }
            _ = await waiting.result
            // What was given up is carried out to its end, and would take a command that waits for its turn with it.
            if waiting.isCancelled { try await restore() }
        }
    }

    /// Tries to find out who is signed in, until it is known.
    private func restore() async throws {
        repeat {
            _ = try? await store.perform(Session.Command.restore)
        } while try await store.state(of: Session.State.self).standing == .unknown
    }
}

/// Uses what is there, without knowing whose it is.
private struct User {
    let world: Simulation.World
    let store: Relux.Store

    func work() async throws {
        for _ in 0..<world.random(in: 8...16) {
            try await world.latency(.zero ... .milliseconds(200))
            let number = world.random(in: 0...1_000_000_000)
            let items = try await store.state(of: Items.State.self).list.all
            switch world.random(in: 0...9) {
            case 0, 1: await store.dispatch(Items.Command.add(title: "New", .end))
            case 2: await store.dispatch(Items.Command.startDraft(.end))
            case 3:
                if let item = world.random(of: items) { await store.dispatch(Items.Command.complete([.id(item.id)])) }
            case 4: await store.dispatch(world.fails(0.5) ? Items.Command.undo : .redo)
            case 5: await store.dispatch(world.fails(0.5) ? Items.Effect.load : .save)
            case 6, 7: await store.dispatch(Settings.Command.choose(.displayName("Name \(number)")))
            case 8: await store.dispatch(Pets.Effect.load(.catalogue))
            default: await store.dispatch(Pets.Command.open("pet \(number)"))
            }
        }
    }
}

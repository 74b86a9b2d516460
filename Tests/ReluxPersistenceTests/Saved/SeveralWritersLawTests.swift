import Foundation
import Relux
import ReluxPersistence
import ReluxTesting
import TestFixtures
import Testing

/// Random programs of several stores on one storage.
@Suite("Several writers", .timeLimit(.minutes(60)))
struct SeveralWritersLawTests {
    private struct Entry: Codable, Hashable, Identifiable, Sendable {
        let id: String
        var text = ""
    }

    private struct Shelf: Relux.State, Codable {
        var title = ""
        var entries = Relux.Entities<Entry>()

        enum Action: Relux.Action {
            case put(Entry), remove(Entry.ID), retitle(String), take(Shelf?)
        }

        mutating func reduce(_ action: Action) {
            switch action {
            case .put(let entry): entries.upsert(entry)
            case .remove(let id): entries.remove(id: id)
            case .retitle(let title): self.title = title
            case .take(let shelf): self = shelf ?? Shelf()
            }
        }
    }

    /// What a program is like.
    private struct Setting: Sendable {
        let conflict: Relux.Conflict<Shelf>
        let hasElements: Bool
        let follows: Bool
        let erases: Bool
        let failure: Double
        /// Whether every acknowledged change must be there in the end.
        let losesNothing: Bool

        init(_ world: Simulation.World) {
            let rule = world.random(in: 0...2)
            conflict = [.keepOurs, .keepTheirs, .merge(Self.merged)][rule]
            hasElements = world.random(in: 0...2) > 0
            follows = world.random(in: 0...2) > 0
            erases = world.random(in: 0...2) == 0
            failure = world.random(in: 0...1) == 0 ? 0 : 0.15
            losesNothing = !erases && (hasElements || rule == 2)
        }

        @Sendable
        private static func merged(_ base: Shelf?, _ ours: Shelf, _ theirs: Shelf?) -> Shelf? {
            guard var merged = theirs else { return nil }
            for entry in base?.entries ?? [] where ours.entries[id: entry.id] == nil {
                if merged.entries[id: entry.id] == entry { merged.entries.remove(id: entry.id) }
            }
            for entry in ours.entries where base?.entries[id: entry.id] != entry { merged.entries.upsert(entry) }
            if ours.title != base?.title { merged.title = ours.title }
            return merged
        }

        func saved(in storage: any Relux.Storage, pace: Relux.SavingPace) -> Relux.Saved<Shelf, Shelf> {
            let take: @Sendable (Shelf?) -> Shelf.Action = { .take($0) }
            let follows = follows ? take : nil
            return hasElements
                ? Relux.Saved(
                    Shelf.self, as: "shelf", in: storage, pace: pace, onReset: .erase, conflict: conflict,
                    elements: \.entries, follows: follows)
                : Relux.Saved(
                    Shelf.self, as: "shelf", in: storage, pace: pace, onReset: .erase, conflict: conflict,
                    follows: follows)
        }
    }

    private struct Module: Relux.Module {
        let persistence: [any Relux.StatePersistence]
        var states: [any Relux.State] { [Shelf()] }
    }

    /// What a writer may count on.
    private struct Promises: Sendable {
        var present: [Entry.ID: String] = [:]
        var removed: Set<Entry.ID> = []
    }

    /// Carries out a random program on one store.
    private static func write(
        _ name: Int, _ store: Relux.Store, _ setting: Setting, _ storage: any Relux.Storage, in world: Simulation.World
    ) async throws -> Promises {
        var (kept, unsaved) = (Promises(), Promises())
        func module() -> Module {
            let pace: Relux.SavingPace = world.random(in: 0...1) == 0 ? .atOnce : .within(.milliseconds(4))
            return Module(persistence: [setting.saved(in: storage, pace: pace)])
        }
        for number in 0..<8 {
            try? await world.latency(.zero ... .milliseconds(8))
            let entries = (try? await store.state(of: Shelf.self).entries.ids) ?? []
            switch world.random(in: 0...11) {
            case 0...3:
                let entry = Entry(id: "\(name).\(number)")
                await store.dispatch(Shelf.Action.put(entry))
                unsaved.present[entry.id] = ""
            case 4, 5:
                // Each entry is changed by its own writer only.
                guard let id = unsaved.present.keys.sorted().first(where: { entries.contains($0) }) else { continue }
                await store.dispatch(Shelf.Action.put(Entry(id: id, text: "\(number)")))
                unsaved.present[id] = "\(number)"
            case 6:
                guard let id = world.random(of: entries), !id.hasPrefix("\(name).") else { continue }
                // Only what its writer has given away is removed by others.
                guard id.hasSuffix("7") else { continue }
                await store.dispatch(Shelf.Action.remove(id))
                unsaved.removed.insert(id)
            case 7:
                await store.dispatch(Shelf.Action.retitle("\(name).\(number)"))
            case 8 where setting.erases:
                await store.reset()
                unsaved = Promises()
            case 9:
                try? await store.replace(module())
            default:
                guard (try? await store.saved()) != nil else { continue }
                kept.present.merge(unsaved.present) { _, new in new }
                kept.removed.formUnion(unsaved.removed)
                unsaved = kept
            }
        }
        for _ in 0..<200 where (try? await store.saved()) == nil {}
        try await store.saved()
        kept.present.merge(unsaved.present) { _, new in new }
        kept.removed.formUnion(unsaved.removed)
        return kept
    }

    @Test("whatever several stores do, nothing acknowledged is lost, nothing removed returns, all agree, and all loads")
    func programs() async throws {
        let report = await Simulation.explore(seeds: seeds(300, or: "RELUX_WRITERS")) { world in
            world.expectFailure(SimulatedStorage.Fault.self)
            let setting = Setting(world)
            let storage = world.storage(latency: .zero ... .milliseconds(3), failure: setting.failure)
            var stores: [Relux.Store] = []
            let count = world.random(in: 2...3)
            while stores.count < count {
                let store = try? await world.store {
                    Module(persistence: [setting.saved(in: storage, pace: .within(.milliseconds(3)))])
                }
                if let store { stores.append(store) }
            }
            let tasks = stores.enumerated().map { index, store in
                world.task { try await Self.write(index, store, setting, storage, in: world) }
            }
            var promises: [Promises] = []
            for task in tasks { promises.append(try await task.value) }
            await world.settled()
            // Followers still read, and repeat what has failed.
            try await world.clock.sleep(for: .seconds(1000))
            await world.settled()

            let final = Relux.MemoryStorage(storage.data)
            let next = try await world.store {
                Module(persistence: [setting.saved(in: final, pace: .atOnce)])
            }
            let shelf = try await next.state(of: Shelf.self)
            await next.shutdown()
            if setting.follows {
                for store in stores {
                    let own = try await store.state(of: Shelf.self)
                    if own != shelf { Issue.record("a store has \(own), and \(shelf) is saved") }
                }
            }
            guard setting.losesNothing else { return }
            let removed = promises.reduce(into: Set<Entry.ID>()) { $0.formUnion($1.removed) }
            for id in removed where shelf.entries.contains(id: id) { Issue.record("\(id) is back") }
            for (id, text) in promises.flatMap(\.present) where !removed.contains(id) {
                if shelf.entries[id: id]?.text != text { Issue.record("\(id) is lost: \(shelf)") }
            }
        }

        #expect(report.failure == nil, "\(report)")
    }
}

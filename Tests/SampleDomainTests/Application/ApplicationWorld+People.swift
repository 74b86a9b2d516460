import Relux
import ReluxTesting
import SampleServices

@testable import SampleDomain

extension ApplicationWorld {
    /// Signs profiles in and out.
    struct Porter {
        let world: Simulation.World
        let store: Relux.Store
        let ledger: Ledger
        /// Whether other processes sign in and out as well, in which case they may cancel a waiting command.
        let isShared: Bool

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
                        case .failed(let reason) where reason is StorageError: break
                        // No other command is under way, so only a caller that gives up may be cancelled.
                        case .cancelled where Task.isCancelled: ledger.note(.gaveUp)
                        case .cancelled where isShared: ledger.note(.overruled)
                        default: throw error
                        }
                    }
                }
                if world.fails(0.3) {
                    try await world.latency(.zero ... .milliseconds(300))
                    waiting.cancel()
                }
                _ = await waiting.result
                // An abandoned command is carried out to its end, which would cancel a command that waits for its turn.
                if waiting.isCancelled { try await restore() }
            }
        }

        /// Retries reading the session until it is known.
        private func restore() async throws {
            repeat {
                _ = try? await store.perform(Session.Command.restore)
            } while try await store.state(of: Session.State.self).standing == .unknown
        }
    }

    /// Uses whatever is there, without knowing whose it is.
    struct Visitor {
        let world: Simulation.World
        let store: Relux.Store

        func work() async throws {
            for _ in 0..<world.random(in: 8...16) {
                try await world.latency(.zero ... .milliseconds(200))
                let number = world.random(in: 0...1_000_000_000)
                let items = try await store.state(of: Items.State.self).list.all
                switch world.random(in: 0...14) {
                case 0, 1: await store.dispatch(Items.Command.add(title: "New", .end))
                case 2: await store.dispatch(Items.Command.startDraft(.end))
                case 3:
                    if let item = world.random(of: items) {
                        await store.dispatch(Items.Command.complete([.id(item.id)]))
                    }
                case 4: await store.dispatch(world.fails(0.5) ? Items.Command.undo : .redo)
                case 5: await store.dispatch(world.fails(0.5) ? Items.Effect.load : .save)
                case 6, 7: await store.dispatch(Settings.Command.choose(.displayName("Name \(number)")))
                case 8: await store.dispatch(Pets.Effect.load)
                case 9, 10: await store.dispatch(Pets.Command.open("pet \(number)"))
                case 11:
                    let top = try await store.state(of: Navigation.Stack.self).top
                    if case .pet(let id) = top { await store.dispatch(Pets.Command.open(id)) }
                case 12: await store.dispatch(Navigation.Stack.Action.pop)
                case 13:
                    await store.dispatch(world.fails(0.5) ? Users.Command.arrive(name: "Cid") : .leave(name: "Cid"))
                default:
                    if let item = world.random(of: items) { await store.dispatch(Items.Command.delete([.id(item.id)])) }
                }
            }
        }
    }
}

import Relux

/// A feature in which everything can go wrong that a test must not overlook.
enum Trouble {
    struct Failure: Error, Hashable {}
    struct OtherFailure: Error {}

    /// Fails.
    struct Fail: Relux.Effect, Hashable {}

    /// Nothing takes it.
    struct Lost: Relux.Effect, Hashable {}

    /// Nothing takes it.
    struct Unheard: Relux.Action, Hashable {}

    /// An instance of this never exists.
    struct Room: Relux.Module, Identifiable {
        let id: Int
    }

    /// Dispatches what nothing takes.
    struct Lose: Relux.Effect, Hashable {
        enum Way: CaseIterable { case effect, action, actionToInstance, effectToInstance, insideStore }

        let way: Way
    }

    /// Performs what nothing takes, and catches the error or lets it through.
    struct PerformLost: Relux.Effect, Hashable {
        let catchesError: Bool
    }

    /// Performs an effect in an instance that doesn't exist, and catches the error or lets it through.
    struct PerformMissing: Relux.Effect, Hashable {
        let catchesError: Bool
    }

    /// Performs `Fail`, and catches the error or lets it through.
    struct PerformFail: Relux.Effect, Hashable {
        let catchesError: Bool
    }

    /// Cancels its own saga and writes nevertheless.
    struct WriteLate: Relux.Effect, Hashable {}

    /// Waits for a run that can only start after its own, and catches the error if there is one.
    struct WaitForLater: Relux.Effect, Hashable {
        enum Way { case finished, perform, none }

        let way: Way
    }

    /// Performs a child that is cancelled, and lets the cancellation through.
    struct PerformCancelled: Relux.Effect, Hashable {}

    /// Waits until it is cancelled.
    struct Wait: Relux.Effect, Hashable {}

    struct State: Relux.State {
        enum Action: Relux.Action, Hashable { case written }

        var isWritten = false

        mutating func reduce(_ action: Action) { isWritten = true }
    }

    struct FailSaga: Relux.Saga {
        func run(_ trigger: Fail, in context: Relux.SagaContext) async throws { throw Failure() }
    }

    struct LoseSaga: Relux.Saga {
        func run(_ trigger: Lose, in context: Relux.SagaContext) async throws {
            switch trigger.way {
            case .effect: await context.dispatch(Lost())
            case .action: await context.dispatch(Unheard())
            case .actionToInstance: await context.dispatch(Relux.ChildAction(Room.self, id: 7, Unheard()))
            case .effectToInstance: await context.dispatch(Relux.ChildAction(Room.self, id: 7, Lost()))
            case .insideStore: await context.read { _ in _ = context.dispatchNow(State.Action.written) }
            }
        }
    }

    struct PerformLostSaga: Relux.Saga {
        func run(_ trigger: PerformLost, in context: Relux.SagaContext) async throws {
            if trigger.catchesError { try? await context.perform(Lost()) } else { try await context.perform(Lost()) }
        }
    }

    struct PerformMissingSaga: Relux.Saga {
        func run(_ trigger: PerformMissing, in context: Relux.SagaContext) async throws {
            do {
                try await context.scope(of: Room.self, id: 7).perform(Lost())
            } catch {
                if !trigger.catchesError { throw error }
            }
        }
    }

    struct PerformFailSaga: Relux.Saga {
        func run(_ trigger: PerformFail, in context: Relux.SagaContext) async throws {
            if trigger.catchesError { try? await context.perform(Fail()) } else { try await context.perform(Fail()) }
        }
    }

    struct WriteLateSaga: Relux.Saga {
        func run(_ trigger: WriteLate, in context: Relux.SagaContext) async throws {
            await context.cancel(WriteLateSaga.self)
            await context.dispatch(State.Action.written)
        }
    }

    struct WaitForLaterSaga: Relux.Saga {
        func policy(for effect: WaitForLater) -> Relux.Policy { .serial }

        func run(_ trigger: WaitForLater, in context: Relux.SagaContext) async throws {
            switch trigger.way {
            case .finished: await context.dispatch(WaitForLater(way: .none)).finished()
            case .perform: try? await context.perform(WaitForLater(way: .none))
            case .none: break
            }
        }
    }

    struct PerformCancelledSaga: Relux.Saga {
        func run(_ trigger: PerformCancelled, in context: Relux.SagaContext) async throws {
            try await context.perform(Wait())
        }
    }

    struct WaitSaga: Relux.Saga {
        func run(_ trigger: Wait, in context: Relux.SagaContext) async throws {
            try await context.sleep(for: .seconds(3_600))
        }
    }

    struct Module: Relux.Module {
        var states: [any Relux.State] { [State()] }
        var sagas: [any Relux.Saga] {
            [
                FailSaga(), LoseSaga(), PerformLostSaga(), PerformMissingSaga(), PerformFailSaga(), WriteLateSaga(),
                PerformCancelledSaga(), WaitForLaterSaga(), WaitSaga(),
            ]
        }
    }
}

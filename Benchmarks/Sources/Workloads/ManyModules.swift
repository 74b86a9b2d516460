import Relux

/// Modules of as many different types as requested, up to 1,000.
///
/// A module is identified by its type, so a thousand modules need a thousand types. These are generated from the digits
/// of a number: module 427 is `DigitModule<Four<Two<Seven<End>>>>`.
enum ManyModules {
    static func list(_ count: Int) -> [any Relux.Module] {
        var modules: [any Relux.Module] = []
        modules.reserveCapacity(1_000)
        append(End.self, digits: 3, to: &modules)
        return Array(modules.prefix(count))
    }

    private static func append<Digits>(_ digits: Digits.Type, digits count: Int, to modules: inout [any Relux.Module]) {
        guard count > 0 else {
            modules.append(DigitModule<Digits>())
            return
        }
        append(Zero<Digits>.self, digits: count - 1, to: &modules)
        append(One<Digits>.self, digits: count - 1, to: &modules)
        append(Two<Digits>.self, digits: count - 1, to: &modules)
        append(Three<Digits>.self, digits: count - 1, to: &modules)
        append(Four<Digits>.self, digits: count - 1, to: &modules)
        append(Five<Digits>.self, digits: count - 1, to: &modules)
        append(Six<Digits>.self, digits: count - 1, to: &modules)
        append(Seven<Digits>.self, digits: count - 1, to: &modules)
        append(Eight<Digits>.self, digits: count - 1, to: &modules)
        append(Nine<Digits>.self, digits: count - 1, to: &modules)
    }
}

/// A module with one small state and one saga.
private struct DigitModule<Digits>: Relux.Module {
    struct State: Relux.State {
        enum Action: Relux.Action { case touch }

        var touches = 0

        mutating func reduce(_ action: Action) { touches += 1 }
    }

    struct Effect: Relux.Effect {}

    struct Saga: Relux.Saga {
        func run(_ trigger: Effect, in context: Relux.SagaContext) async throws {
            await context.dispatch(State.Action.touch)
        }
    }

    var states: [any Relux.State] { [State()] }
    var sagas: [any Relux.Saga] { [Saga()] }
}

private enum End {}
private enum Zero<Rest> {}
private enum One<Rest> {}
private enum Two<Rest> {}
private enum Three<Rest> {}
private enum Four<Rest> {}
private enum Five<Rest> {}
private enum Six<Rest> {}
private enum Seven<Rest> {}
private enum Eight<Rest> {}
private enum Nine<Rest> {}

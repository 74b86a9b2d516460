import CartInterface
import CartModels
import CartService
import Relux

extension Cart.Module {
    /// The implementation, which only the application imports.
    public static func live(_ service: any CartService) -> Cart.Module {
        Cart.Module(
            reducers: [
                Relux.Reducer(of: Cart.State.self, on: Cart.Action.self) { $0.reduce($1) },
                Relux.Reducer(of: Cart.State.self, on: Restored.self) { state, restored in
                    state.lines = restored.lines
                },
            ],
            sagas: [Restoring(service: service)]
        )
    }
}

extension Cart.State {
    fileprivate mutating func reduce(_ action: Cart.Action) {
        switch action {
        case .added(let id):
            if let index = lines.firstIndex(where: { $0.id == id }) {
                lines[index].count += 1
            } else {
                lines.append(Line(id: id))
            }
        case .emptied: lines = []
        }
    }
}

private struct Restored: Relux.Action {
    let lines: [Line]
}

private struct Restoring: Relux.Saga {
    let service: any CartService

    func run(_ restore: Cart.Restore, in context: Relux.SagaContext) async throws {
        await context.dispatch(Restored(lines: try await service.lines()))
    }
}

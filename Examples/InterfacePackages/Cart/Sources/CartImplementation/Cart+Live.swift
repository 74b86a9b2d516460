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
                    // What was added in the meantime stays.
                    for line in restored.lines where !state.lines.contains(where: { $0.id == line.id }) {
                        state.lines.append(line)
                    }
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
        case .bought(let bought):
            for line in bought {
                guard let index = lines.firstIndex(where: { $0.id == line.id }) else { continue }
                lines[index].count -= line.count
            }
            lines.removeAll { $0.count <= 0 }
        }
    }
}

private struct Restored: Relux.Action {
    let lines: [Line]
}

private struct Restoring: Relux.Saga {
    let service: any CartService

    func policy(for restore: Cart.Restore) -> Relux.Policy { .leading }

    func run(_ restore: Cart.Restore, in context: Relux.SagaContext) async throws {
        await context.finish(with: Restored(lines: try await service.lines()))
    }
}

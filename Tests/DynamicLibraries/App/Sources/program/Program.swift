import Counting
import Noting
import Relux

/// Uses the features of two dynamic libraries in one store: states, actions, values, and casts cross their borders.
@main
struct Program {
    @MainActor
    static func main() async {
        do {
            let store = try await Relux.Store {
                Counting.Module()
                Noting.Module()
            }
            let length = try await store.perform(Noting.Note("three"))
            await store.dispatch { Counting.State.Action.added }
            let (count, notes) = await store.read { reader in
                (reader[Counting.State.self]?.count, reader[Noting.State.self]?.notes)
            }
            let view = try store.viewState { (state: Counting.State) in state.count }
            print("length \(length), count \(count ?? 0), notes \(notes ?? []), view \(view.value)")
        } catch {
            print("refused: \(error)")
        }
    }
}

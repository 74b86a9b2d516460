import Foundation
import Relux
import ReluxPersistence

/// A program that numbers entries, saves each, and then says so, until it is killed.
@main
struct SavingProgram {
    struct Entries: Relux.State, Codable {
        var all: Set<String> = []

        enum Action: Relux.Action { case add(String), take(Set<String>) }

        mutating func reduce(_ action: Action) {
            switch action {
            case .add(let entry): all.insert(entry)
            case .take(let entries): all = entries
            }
        }
    }

    struct Module: Relux.Module {
        let storage: any Storage
        var states: [any Relux.State] { [Entries()] }
        var persistence: [any Relux.StatePersistence] {
            [
                Saved(
                    Entries.self, as: "entries", in: storage,
                    saving: { $0.all }, restoring: { $0.all = $1 },
                    conflict: .merge { base, ours, theirs in theirs.union(ours.subtracting(base ?? [])) },
                    follows: { .take($0) })
            ]
        }
    }

    /// Arguments: `file` or `log`, the folder, a name for the entries, and how many to add; none to list what is saved.
    /// With `stay` behind them, it does nothing more until it is killed.
    static func main() async throws {
        let arguments = CommandLine.arguments
        let folder = URL(filePath: arguments[2])
        let storage: any Storage =
            arguments[1] == "file" ? FileStorage(folder: folder) : LogStorage(file: folder.appending(path: "log"))
        let store = try await Relux.Store { Module(storage: storage) }
        guard arguments.count > 4, let count = Int(arguments[4]) else {
            for entry in try await store.state(of: Entries.self).all.sorted() { print(entry) }
            return
        }
        for number in 0..<count {
            let entry = "\(arguments[3]).\(number)"
            await store.dispatch(Entries.Action.add(entry))
            try await store.saved()
            FileHandle.standardOutput.write(Data("\(entry)\n".utf8))
        }
        if arguments.last == "stay" { _ = pause() }
        await store.shutdown()
    }
}

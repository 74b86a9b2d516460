import Foundation
import Relux
import ReluxPersistence

/// A program that numbers entries, saves each, and then says so, until it is killed.
@main
struct SavingProgram {
    struct Entry: Codable, Hashable, Identifiable, Sendable {
        let id: String
    }

    struct Entries: Relux.State, Codable {
        var all = Relux.Entities<Entry>()

        enum Action: Relux.Action { case add(Entry), take(Entries) }

        mutating func reduce(_ action: Action) {
            switch action {
            case .add(let entry): all.append(entry)
            case .take(let entries): self = entries
            }
        }
    }

    struct Module: Relux.Module {
        let storage: any Relux.Storage
        let hasElements: Bool
        var states: [any Relux.State] { [Entries()] }
        var persistence: [any Relux.StatePersistence] {
            let follows: @Sendable (Entries?) -> Entries.Action = { .take($0 ?? Entries()) }
            if hasElements {
                return [Relux.Saved(Entries.self, as: "entries", in: storage, elements: \.all, follows: follows)]
            }
            return [
                Relux.Saved(
                    Entries.self, as: "entries", in: storage,
                    conflict: .merge { _, ours, theirs in
                        var merged = theirs ?? Entries()
                        merged.all.upsert(contentsOf: ours.all)
                        return merged
                    },
                    follows: follows)
            ]
        }
    }

    /// Arguments: `file` or `log`, with `-elements` for a key for each entry; the folder, a name for the entries, and
    /// how many to add; none to list what is saved. With `stay` behind them, it does nothing more until it is killed.
    static func main() async throws {
        let arguments = CommandLine.arguments
        let folder = URL(filePath: arguments[2])
        let storage: any Relux.Storage =
            arguments[1].hasPrefix("file")
            ? Relux.FileStorage(folder: folder) : Relux.LogStorage(file: folder.appending(path: "log"))
        let store = try await Relux.Store {
            Module(storage: storage, hasElements: arguments[1].hasSuffix("-elements"))
        }
        guard arguments.count > 4, let count = Int(arguments[4]) else {
            for entry in try await store.state(of: Entries.self).all { print(entry.id) }
            return
        }
        for number in 0..<count {
            let entry = "\(arguments[3]).\(number)"
            await store.dispatch(Entries.Action.add(Entry(id: entry)))
            try await store.saved()
            FileHandle.standardOutput.write(Data("\(entry)\n".utf8))
        }
        if arguments.last == "stay" { _ = pause() }
        await store.shutdown()
    }
}

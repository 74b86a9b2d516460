import Dispatch
import Relux
import SampleDomain
import SampleServices

/// Has a store follow everything, and shows every change that comes of it.
struct WatchRunner: Sendable {
    let console: Console
    let environment: [String: String]
    let ending: ProcessEnding
    let options: ItemsOptions
    var presenter = Users.Presenter()

    /// A reader who is slow makes nobody wait but the next line.
    private let outlet = DispatchQueue(label: "relux.sample.watch")

    init(console: Console, environment: [String: String], ending: ProcessEnding, options: ItemsOptions) {
        (self.console, self.environment, self.ending, self.options) = (console, environment, ending, options)
    }

    /// Watches until somebody ends the process, or what is watched is gone.
    func run() async -> ExitStatus {
        ending.endWhenNobodyReads()
        let workspace = Workspace(options: options, environment: environment)
        do {
            let store = try await Relux.Store(workspace.configuration) { workspace.application() }
            // Where it can't be read who is signed in, the states tell, and it is tried again when that has changed.
            await store.dispatch(Session.Command.restore)
            var chronicle = Application.Chronicle()
            for await snapshot in store.values({ try Application.Snapshot($0) }) {
                let changes = chronicle.changes(to: snapshot)
                if changes.isEmpty { continue }
                if try await show(changes, snapshot.items.list, chronicle.profile) { return .failure }
            }
            // The store goes only with this program.
            return .failure
        } catch {
            console.complain([Texts.unexpected(error)])
            return .failure
        }
    }

    /// Shows changes, and waits until they are written.
    ///
    /// - Returns: Whether nothing more can be watched.
    private func show(
        _ changes: [Application.Change],
        _ list: Items.List,
        _ profile: Profile?
    ) async throws -> Bool {
        let lines = try lines(for: changes, list, profile)
        return await withCheckedContinuation { continuation in
            outlet.async {
                for line in lines {
                    console.print(line.output)
                    if line.isEnd {
                        console.complain(line.error)
                    } else {
                        line.error.forEach { console.error($0 + "\n") }
                    }
                }
                continuation.resume(returning: lines.contains(where: \.isEnd))
            }
        }
    }

    /// What there is to write for one change.
    private struct Line: Sendable {
        var output: [String] = []
        var error: [String] = []
        var isEnd = false
    }

    private func lines(
        for changes: [Application.Change],
        _ list: Items.List,
        _ profile: Profile?
    ) throws -> [Line] {
        let renderer = ChangesRenderer(list: list, changes: changes, style: console.style, presenter: presenter)
        return try changes.map { change in
            var line = Line()
            switch change {
            case .damaged(let problem):
                // Only an end is a failure of the command, and then its advice stands in a line of its own.
                line.error =
                    problem.isFinal ? Texts.lines(of: problem) : [Texts.lines(of: problem).joined(separator: " ")]
                line.isEnd = problem.isFinal
            case .mended(let problem): line.error = [Texts.mended(problem)]
            case .entered, .items, .settings, .users: break
            }
            if options.isJSON {
                line.output = [try ChangeJSON(change, in: list, profile: profile).line()]
            } else {
                line.output = renderer.lines(of: change)
            }
            return line
        }
    }
}

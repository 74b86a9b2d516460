import Dispatch
import Relux
import SampleDomain
import SampleServices

/// Follows all features with a store, and shows every change.
struct WatchRunner: Sendable {
    let console: Console
    let environment: [String: String]
    let ending: ProcessEnding
    let options: ItemsOptions
    var presenter = Users.Presenter()

    /// The queue that writes the output, so that a slow reader delays nothing but the next line.
    private let outlet = DispatchQueue(label: "relux.sample.watch")

    init(console: Console, environment: [String: String], ending: ProcessEnding, options: ItemsOptions) {
        (self.console, self.environment, self.ending, self.options) = (console, environment, ending, options)
    }

    /// Watches until the process is ended, or until what it watches is gone.
    func run() async -> ExitStatus {
        ending.endWhenNobodyReads()
        let workspace = Workspace(options: options, environment: environment)
        do {
            let store = try await Relux.Store(workspace.configuration) { workspace.application() }
            // If the session can't be read, its state reports the error, and the next change of the session triggers a
            // retry.
            await store.dispatch(Session.Command.restore)
            var chronicle = Application.Chronicle()
            for await snapshot in store.values({ try Application.Snapshot($0) }) {
                let changes = chronicle.changes(to: snapshot)
                if changes.isEmpty { continue }
                if try await show(changes, snapshot.items.list, chronicle.profile) { return .failure }
            }
            // Unreachable in practice: the store exists as long as the program.
            return .failure
        } catch {
            console.complain([Texts.unexpected(error)], as: "unexpected")
            return .failure
        }
    }

    /// Shows changes and waits until they have been written.
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
                        console.complain(line.error, as: "watch-ended")
                    } else {
                        line.error.forEach { console.error($0 + "\n") }
                    }
                }
                continuation.resume(returning: lines.contains(where: \.isEnd))
            }
        }
    }

    /// The output for one change.
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
                // Only a final problem is a failure of the command. Its advice is then printed on a line of its own.
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

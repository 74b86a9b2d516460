import Foundation
import Relux
import SampleDomain
import SampleServices

/// Runs the full-screen interface to all features.
struct ScreenRunner: Sendable {
    let console: Console
    let environment: [String: String]
    let ending: ProcessEnding
    let options: ItemsOptions
    let petsOptions: PetsOptions

    /// Runs until the user leaves.
    func run() async -> ExitStatus {
        if let lines = hindrance {
            console.complain(lines, as: "usage")
            return .usage
        }
        guard let screen = FullScreen(ending: ending) else {
            console.complain(Texts.noTerminal, as: "usage")
            return .usage
        }
        // Registered before the screen listens for signals, because a signal may make it enter.
        return await ending.tidyingUp {
            screen.leave(forGood: true)
        } after: {
            await run(on: screen)
        }
    }

    private func run(on screen: FullScreen) async -> ExitStatus {
        guard screen.listen() else {
            console.complain([Texts.noPipe], as: "system")
            return .failure
        }
        let workspace = Workspace(options: options, environment: environment)
        do {
            let store = try await Relux.Store(workspace.configuration) {
                workspace.application(pets: petsService)
            }
            // If the session can't be read, its state contains the error, and the screen shows it.
            _ = try await workspace.open(on: store)
            return try await show(store, on: screen)
        } catch {
            console.complain([Texts.unexpected(error)], as: "unexpected")
            return .failure
        }
    }

    private func show(_ store: Relux.Store, on screen: FullScreen) async throws -> ExitStatus {
        let isOver = Lock(false)
        // The screen is left before anything else is printed, so that the text appears in the shell.
        let (isSaved, signal) = try await ending.tidyingUp { [console] in
            screen.leave(forGood: true)
            // A second signal doesn't wait for the last saves.
            if !isOver.withLock({ $0 }) { console.complain(Texts.perhapsLost, as: "changes-lost") }
        } after: {
            screen.enter()
            let interface = Interface(store: store, screen: screen, environment: environment)
            // The first signal has the same effect as leaving by a key.
            let result = try await ending.interrupting(with: { interface.end() }) { try await interface.run() }
            isOver.withLock { $0 = true }
            return result
        }
        if let former = try? await store.state(of: Items.State.self).formerHistory {
            console.complain(Texts.setAside(former), as: "history-set-aside")
        }
        if !isSaved { console.complain(Texts.lost, as: "changes-lost") }
        if let signal { return ExitStatus(rawValue: 128 + signal) ?? .failure }
        return isSaved ? .success : .failure
    }

    /// Why the full-screen interface can't run here, or nil if it can.
    private var hindrance: [String]? {
        if isatty(STDIN_FILENO) != 1 || isatty(STDOUT_FILENO) != 1 { return Texts.noTerminal }
        if ["", "dumb"].contains(environment["TERM"] ?? "") { return Texts.poorTerminal }
        if options.isVerbose, console.errorIsTerminal { return Texts.logOnScreen }
        return nil
    }

    private var petsService: any PetsService {
        if let address = petsOptions.address { HTTPPetsService(address: address) } else { BundledPetsService() }
    }
}

import Foundation
import Relux
import SampleDomain
import SampleServices

/// Runs the full-screen interface to all features.
struct ScreenRunner: Sendable {
    let invocation: Invocation
    let petsService: any PetsService

    private var console: Console { invocation.console }
    private var ending: ProcessEnding { invocation.ending }

    /// Runs until the user leaves.
    func run() async throws -> ExitStatus {
        guard hindrance == nil, let screen = FullScreen(ending: ending) else {
            console.complain(hindrance ?? Texts.noTerminal, as: "usage")
            return .usage
        }
        let services = Application.Services(folder: invocation.folder, pets: petsService)
        let store = try await Relux.Store(invocation.configuration) { Application.Module(services: services) }
        do {
            try await store.call(Session.Command.restore)
        } catch is StorageError {
            // The state of the session contains the error, and the screen shows it.
        }
        let interface = Interface(store: store, screen: screen, environment: invocation.environment)
        // The first signal has the same effect as leaving by a key.
        let (isSaved, signal) = try await ending.run(interruptedBy: { interface.end() }) { [console] isCutShort in
            // The screen is left before anything else is printed, so that the text appears in the shell.
            screen.leave()
            // A second signal doesn't wait for the last saves.
            if isCutShort { console.complain(Texts.perhapsLost, as: "changes-lost") }
        } _: {
            try await interface.run()
        }
        if let former = try? await store.state(of: Items.State.self).formerHistory {
            console.complain(Texts.setAside(former), as: "history-set-aside")
        }
        if !isSaved {
            let lost = await store.read { states in Texts.lost(states[Items.State.self], states[Settings.State.self]) }
            console.complain(lost, as: "changes-lost")
        }
        if let signal { return ExitStatus(rawValue: 128 + signal) ?? .failure }
        return isSaved ? .success : .failure
    }

    /// Why the full-screen interface can't run here, or nil if it can.
    private var hindrance: [String]? {
        if isatty(STDIN_FILENO) != 1 || isatty(STDOUT_FILENO) != 1 { return Texts.noTerminal }
        if ["", "dumb"].contains(invocation.environment["TERM"] ?? "") { return Texts.poorTerminal }
        if tcgetpgrp(STDIN_FILENO) > 0, tcgetpgrp(STDIN_FILENO) != getpgrp() { return Texts.inBackground }
        if invocation.isVerbose, console.errorIsTerminal { return Texts.logOnScreen }
        return nil
    }
}

import Foundation
import Relux
import SampleDomain
import SampleServices

/// Runs the full-screen interface to all features.
struct ScreenRunner: Sendable {
    let invocation: Invocation
    let pets: any PetsService

    private var console: Console { invocation.console }
    private var ending: ProcessEnding { invocation.ending }

    /// Runs until the user leaves.
    func run() async throws -> ExitStatus {
        guard hindrance == nil, let screen = FullScreen(ending: ending) else {
            console.complain(hindrance ?? Texts.noTerminal, as: "usage")
            return .usage
        }
        let (events, continuation) = AsyncStream.makeStream(of: Interface.Event.self)
        let storage = invocation.storage
        let store = try await invocation.store(observers: [TroubleObserver { continuation.yield($0) }]) {
            Application.Module(storage: storage, pets: pets)
        }
        let interface = try await Interface(
            store, screen, events: (events, continuation), environment: invocation.environment)
        // The first signal has the same effect as leaving by a key.
        let (failure, signal) = await ending.run(interruptedBy: { continuation.yield(.end) }) { [console] isCutShort in
            // The screen is left before anything else is printed, so that the text appears in the shell.
            screen.leave()
            // A second signal doesn't wait for the last saves.
            if isCutShort { console.complain([Texts.perhapsLost], as: "unsaved") }
        } _: {
            await interface.run()
            return await lastSaves(of: store)
        }
        if let failure { console.complain([Texts.lost] + Complaint(of: failure).lines, as: "unsaved") }
        if let signal { return ExitStatus(rawValue: 128 + signal) ?? .failure }
        return failure == nil ? .success : .failure
    }

    /// Why the last changes can't be saved; nil if they are.
    private func lastSaves(of store: Relux.Store) async -> (any Error)? {
        do { try await store.saved() } catch { return error }
        await store.shutdown()
        return nil
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

/// Tells the screen what the store can't load or save.
private struct TroubleObserver: Relux.StoreObserver {
    let tell: @Sendable (Interface.Event) -> Void

    func failureUnreceived(of run: Relux.RunRecord, _ error: any Error) { tell(.unsaved(error)) }

    func refused(_ refusal: Relux.Refusal) {
        if case .childNotRegistered(let error) = refusal.reason { tell(.unloaded(error)) }
    }
}

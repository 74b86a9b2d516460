import Relux
import SampleDomain
import SampleServices

/// Connects what surrounds every screen with the store.
struct RootContainer: Sendable {
    private struct Selection: Sendable, Equatable {
        let standing: Session.State.Standing?
        let hasLeftUnsaved: Bool
        let listName: String
        let theme: UserSettings.Theme?
        let troubles: [Trouble]

        init(_ states: borrowing Relux.StateReader) {
            let session = states[Session.State.self]
            standing = session?.standing
            hasLeftUnsaved = session?.hasLeftUnsaved == true
            listName = states[Settings.State.self]?.settings.listName ?? ""
            theme = states[Settings.Appearance.self]?.theme
            troubles = Trouble.all(in: states)
        }
    }

    let dispatcher: Relux.Dispatcher

    func follow(_ store: Relux.Store, _ show: @Sendable (RootProps) -> Void) async {
        for await selection in store.values(Selection.init) { show(Self.props(selection)) }
    }

    private static func props(_ selection: Selection) -> RootProps {
        RootProps(
            standing: selection.standing ?? .unknown,
            listName: selection.listName,
            theme: selection.theme ?? .pilbara,
            troubles: selection.troubles.map(Texts.explain) + (selection.hasLeftUnsaved ? [[Texts.leftUnsaved]] : []),
            canRetry: selection.troubles.contains(where: \.mayPass),
            isAtRisk: selection.troubles.contains(where: \.isLossAhead)
        )
    }

    /// The actions that are available on every screen.
    var callbacks: RootCallbacks {
        RootCallbacks(retry: .init(sending: Trouble.Command.retry, to: dispatcher))
    }

    /// Waits until the work of all callbacks fired so far has been carried out. Returns whether all of it was saved.
    func leave() async throws -> Bool {
        // A callback as well, so that it is ordered after the callbacks of earlier keys.
        try await withCheckedThrowingContinuation { continuation in
            let leaving = Relux.UI.ViewCallback<Void> { continuation.resume(with: await prepareToLeave()) }
            leaving.fire()
        }
    }

    private nonisolated(nonsending) func prepareToLeave() async -> Result<Bool, any Error> {
        while true {
            do throws(Relux.EffectError) {
                return .success(try await dispatcher.perform(Trouble.Departure.prepare))
            } catch {
                // The profile changed in the meantime, which cancels all work. The departure is repeated for the new
                // profile.
                if case .cancelled = error { continue }
                return .failure(error)
            }
        }
    }
}

import Relux
import SampleDomain

/// Connects what surrounds every screen with the store.
struct RootContainer: Sendable {
    let dispatcher: Relux.Dispatcher

    func follow(_ store: Relux.Store, _ show: @Sendable (RootProps) -> Void) async {
        // There is little to select, so the props are made inside the store.
        for await props in store.values({ states in Self.props(states) }) { show(props) }
    }

    private static func props(_ states: borrowing Relux.StateReader) -> RootProps {
        let session = states[Session.State.self]
        let troubles = Trouble.all(in: states)
        return RootProps(
            standing: session?.standing ?? .unknown,
            listName: states[Settings.State.self]?.settings.listName ?? "",
            theme: states[Settings.Appearance.self]?.theme ?? .pilbara,
            troubles: troubles.map(Texts.explain) + (session?.hasLeftUnsaved == true ? [[Texts.leftUnsaved]] : []),
            canRetry: troubles.contains(where: \.mayPass),
            isAtRisk: troubles.contains(where: \.isLossAhead)
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

import Relux
import SampleDomain
import SampleServices

/// Connects what stands around every screen with the store.
struct FrameContainer: Sendable {
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

    /// Hands on what is shown and whose data it is, now and whenever it changes.
    func follow(_ store: Relux.Store, _ show: @Sendable (FrameProps, Session.State.Standing?) -> Void) async {
        for await selection in store.values(Selection.init) { show(Self.props(selection), selection.standing) }
    }

    private static func props(_ selection: Selection) -> FrameProps {
        var profile: String?
        if case .signedIn(let one)? = selection.standing { profile = one.name.text }
        return FrameProps(
            profile: profile,
            isProfileKnown: selection.standing != nil && selection.standing != .unknown,
            listName: selection.listName,
            theme: selection.theme ?? .pilbara,
            troubles: selection.troubles.map(Texts.explain) + (selection.hasLeftUnsaved ? [[Texts.leftUnsaved]] : []),
            canRetry: selection.troubles.contains(where: \.mayPass),
            isAtRisk: selection.troubles.contains(where: \.isLossAhead)
        )
    }

    /// What can be done everywhere.
    var callbacks: FrameCallbacks {
        FrameCallbacks(retry: .init(sending: Trouble.Command.retry, to: dispatcher))
    }

    /// Has everything carried out and saved for which callbacks were fired before.
    ///
    /// - Returns: Whether nothing is lost.
    /// - Throws: What stands in the way of finding that out.
    func leave() async throws -> Bool {
        // It is fired as they are: so it comes behind them, in the order of the keys.
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
                // The data have changed hands meanwhile, which ends everything: whoever has come leaves as well.
                if case .cancelled = error { continue }
                return .failure(error)
            }
        }
    }
}

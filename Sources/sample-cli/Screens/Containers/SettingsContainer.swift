import Relux
import SampleDomain
import SampleServices

/// Connects the screen of the settings with the store.
struct SettingsContainer: Sendable {
    let dispatcher: Relux.Dispatcher
    let say: @Sendable (String) -> Void

    func follow(_ store: Relux.Store, _ show: @Sendable (SettingsProps) -> Void) async {
        for await table in store.values(Settings.Table.init(of:)) { show(SettingsProps(table: table)) }
    }

    var callbacks: SettingsCallbacks {
        SettingsCallbacks(
            choose: .init { setting in await perform(.choose(setting)) },
            chooseNextTheme: .init { await perform(.chooseNextTheme) },
            signIn: .init { name in await signIn(name) },
            signOut: .init { await perform(.signOut) }
        )
    }

    // `nonisolated(nonsending)` keeps the callback on the executor on which it was fired. Otherwise it could lose its
    // place in the order of callbacks.

    private nonisolated(nonsending) func perform(_ command: Settings.Command) async {
        do throws(Relux.EffectError) {
            try await dispatcher.perform(command)
        } catch {
            explain(error)
        }
    }

    private nonisolated(nonsending) func signIn(_ text: String) async {
        do throws(ProfileNameError) {
            await perform(.signIn(try ProfileName(text)))
        } catch {
            say("\(error.explanation) \(error.advice)")
        }
    }

    private nonisolated(nonsending) func perform(_ command: Session.Command) async {
        do throws(Relux.EffectError) {
            say(Texts.describe(try await dispatcher.perform(command)))
        } catch {
            explain(error)
        }
    }

    private func explain(_ error: Relux.EffectError) {
        switch error {
        case .failed(let refusal as SettingsError): say(Texts.explain(refusal))
        // The state of the session contains the error, so it is shown with the troubles.
        case .failed(is ProfileServiceError): break
        // The profile changed in the meantime.
        case .cancelled, .superseded, .dropped: say(Texts.givenUp)
        default: say(Texts.unexpected(error))
        }
    }
}

extension Settings.Table {
    /// The table for given states, or nil if the settings aren't registered.
    fileprivate init?(of states: borrowing Relux.StateReader) {
        guard let settings = states[Settings.State.self], let appearance = states[Settings.Appearance.self] else {
            return nil
        }
        self.init(of: settings, appearance, profile: states[Session.State.self]?.profile?.name)
    }
}

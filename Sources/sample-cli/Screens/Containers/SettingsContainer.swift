import Relux
import SampleDomain
import SampleServices

/// Connects the screen of the settings with the store.
struct SettingsContainer: Sendable {
    let dispatcher: Relux.Dispatcher

    /// Told what there is to say about a command.
    let say: @Sendable (String) -> Void

    /// Hands on what the screen shows, now and whenever it changes.
    func follow(_ store: Relux.Store, _ show: @Sendable (SettingsProps) -> Void) async {
        for await table in store.values(Settings.Table.init(of:)) { show(SettingsProps(table: table)) }
    }

    /// What the screen can do.
    var callbacks: SettingsCallbacks {
        SettingsCallbacks(
            choose: .init { setting in await perform(.choose(setting)) },
            chooseNextTheme: .init { await perform(.chooseNextTheme) },
            toggleMarketingEmails: .init { await perform(.toggleMarketingEmails) },
            signIn: .init { name in await signIn(name) },
            signOut: .init { await perform(.signOut) }
        )
    }

    // What a callback calls stays where that was fired, or it would lose its place behind those that were fired before.

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
        // It is in the state of the session, and so among the troubles.
        case .failed(is ProfileServiceError): break
        // Somebody has signed in or out in the meantime.
        case .cancelled, .superseded, .dropped: say(Texts.givenUp)
        default: say(Texts.unexpected(error))
        }
    }
}

extension Settings.Table {
    /// The table as the states have it; nil where there are none.
    fileprivate init?(of states: borrowing Relux.StateReader) {
        guard let settings = states[Settings.State.self], let appearance = states[Settings.Appearance.self] else {
            return nil
        }
        self.init(of: settings, appearance, profile: states[Session.State.self]?.profile?.name)
    }
}

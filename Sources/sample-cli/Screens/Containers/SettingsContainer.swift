import Relux
import SampleDomain
import SampleServices

/// Connects the screen of the settings with the store.
struct SettingsContainer: Sendable {
    let dispatcher: Relux.Dispatcher
    let say: @Sendable (String) -> Void

    func follow(_ store: Relux.Store, _ show: @Sendable (SettingsProps) -> Void) async {
        let selections = store.values { states in
            SettingsProps(
                // There is no table until the settings are registered.
                table: try? Settings.Table(in: states),
                standing: states[Session.State.self]?.standing ?? .unknown)
        }
        for await props in selections { show(props) }
    }

    var callbacks: SettingsCallbacks {
        SettingsCallbacks(
            choose: .init { setting in await perform(.choose(setting)) },
            chooseNextTheme: .init { await perform(.chooseNextTheme) },
            signIn: .init { name in await signIn(name) },
            signOut: .init { await perform(Session.Command.signOut) }
        )
    }

    // `nonisolated(nonsending)` keeps the callback on the executor on which it was fired. Otherwise it could lose its
    // place in the order of callbacks.

    private nonisolated(nonsending) func perform(_ command: Settings.Command) async {
        do throws(Relux.EffectError) {
            try await dispatcher.perform(command)
        } catch {
            Texts.outcome(of: error).map(say)
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
            Texts.outcome(of: error).map(say)
        }
    }
}

extension Settings.Table {
    /// The table as it is at one point in the store's order.
    init(in states: borrowing Relux.StateReader) throws(Relux.StoreError) {
        self.init(
            of: try states.state(of: Settings.State.self), try states.state(of: Settings.Appearance.self),
            profile: states[Session.State.self]?.profile?.name)
    }
}

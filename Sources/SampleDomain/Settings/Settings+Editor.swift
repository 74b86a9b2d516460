import Foundation
import Relux
import SampleServices

extension Settings {
    /// The maximum length of a name in characters.
    public static let longestName = 80

    /// Carries out commands, one after the other.
    struct Editor: Relux.Flow {
        func policy(for command: Command) -> Relux.Policy { .serial }

        func run(_ command: Command, in context: Relux.SagaContext) async throws {
            guard let setting = try await setting(of: command, in: context) else { return }
            let changes = try changes(for: setting)
            // One batch, so that a changed setting always has a save under way.
            await context.dispatch {
                State.Action.changed(changes)
                Effect.save
            }
        }

        /// The setting that a command chooses, or nil if it chooses none.
        private func setting(of command: Command, in context: Relux.SagaContext) async throws -> Setting? {
            switch command {
            case .choose(let setting): return setting
            case .chooseNextTheme:
                let settings = try await loadedSettings(in: context)
                let shown = await context.read { states in states[Appearance.self] } ?? Appearance()
                return .theme((settings.theme ?? shown.theme).next)
            case .catchUp: return nil
            }
        }

        /// The settings after they have been read, because a relative command requires the current value.
        private func loadedSettings(in context: Relux.SagaContext) async throws -> UserSettings {
            if try await !context.state(of: State.self).isLoaded { try await context.perform(Effect.load) }
            let state = try await context.state(of: State.self)
            if !state.isLoaded, let failure = state.loading.failure { throw SettingsError.notLoaded(failure) }
            return state.settings
        }

        private func changes(for setting: Setting) throws(SettingsError) -> SettingsChanges {
            switch setting {
            case .displayName(let text): SettingsChanges(displayName: try name(text))
            case .listName(let text): SettingsChanges(listName: try name(text))
            case .theme(let theme): SettingsChanges(theme: theme)
            }
        }

        private func name(_ text: String) throws(SettingsError) -> String {
            let name = text.trimmingCharacters(in: .whitespacesAndNewlines)
            let endings: Set<Unicode.GeneralCategory> = [.control, .lineSeparator, .paragraphSeparator]
            if name.unicodeScalars.contains(where: { endings.contains($0.properties.generalCategory) }) {
                throw .severalLines
            }
            if name.count > longestName { throw .tooLong(limit: longestName) }
            return name
        }
    }
}

extension UserSettings.Theme {
    /// The next theme, with the first one following the last.
    fileprivate var next: UserSettings.Theme {
        let all = Self.allCases
        guard let index = all.firstIndex(of: self) else { return self }
        return all[(index + 1) % all.count]
    }
}

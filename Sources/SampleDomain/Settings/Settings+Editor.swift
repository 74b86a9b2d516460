import Foundation
import Relux
import SampleServices

extension Settings {
    /// How many characters a name has at most.
    public static let longestName = 80

    /// Carries out commands, one after the other.
    struct Editor: Relux.Flow {
        func policy(for command: Command) -> Relux.Policy { .serial }

        func run(_ command: Command, in context: Relux.SagaContext) async throws {
            switch command {
            case .choose(let setting):
                let changes = try changes(for: setting)
                // In one step: a choice that is in the state always has its save on the way.
                await context.dispatch {
                    State.Action.changed(changes)
                    Effect.save
                }
            case .catchUp: break
            }
        }

        private func changes(for setting: Setting) throws(SettingsError) -> SettingsChanges {
            switch setting {
            case .displayName(let text): SettingsChanges(displayName: try name(text))
            case .listName(let text): SettingsChanges(listName: try name(text))
            case .theme(let theme): SettingsChanges(theme: theme)
            case .marketingEmails(let isWanted): SettingsChanges(wantsMarketingEmails: isWanted)
            }
        }

        private func name(_ text: String) throws(SettingsError) -> String {
            let name = text.trimmingCharacters(in: .whitespacesAndNewlines)
            if name.unicodeScalars.contains(where: \.endsLine) { throw .severalLines }
            if name.count > longestName { throw .tooLong(limit: longestName) }
            return name
        }
    }
}

extension Unicode.Scalar {
    /// Whether no text of one line has it.
    fileprivate var endsLine: Bool {
        switch properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator: true
        default: false
        }
    }
}

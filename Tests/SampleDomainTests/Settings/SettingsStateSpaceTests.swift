import Relux
import ReluxTesting
import SampleServices
import Testing

@testable import SampleDomain

/// Settings, their stored version, and what is under way to the service, in every order.
@Suite("Settings, every state of two of them") struct SettingsStateSpaceTests {
    @Test("No choice is lost before it is stored, and in the end what is shown is what is stored")
    func rules() {
        let report = StateSpace.explore(
            from: Situation(),
            actions: \.steps,
            depth: 7,
            invariants: Situation.invariants,
            reduce: { $0.take($1) }
        )

        #expect(report.depth == 7)
    }

    @Test("The reducer is pure", arguments: 0..<4 as Range<UInt64>)
    func purity(seed: UInt64) {
        expectPure(from: Settings.State(), seed: seed) { _, generator in
            let theme = Bool.random(using: &generator) ? UserSettings.Theme.pilbara : .collaroy
            let snapshot = SettingsSnapshot(
                settings: UserSettings(theme: theme), revision: Int.random(in: 0...3, using: &generator))
            return switch Int.random(in: 0..<5, using: &generator) {
            case 0: .loaded(snapshot)
            case 1: .saved(snapshot)
            case 2: .changedElsewhere(snapshot)
            case 3: .saveFailed(StorageError(.diskFull, file: "f"))
            default: .changed(SettingsChanges(displayName: "A", theme: theme))
            }
        }
    }
}

private enum Step: Relux.Action, Hashable {
    case choose(SettingsChanges)
    case send
    case store
    case answer
    case fail
    case changeElsewhere(SettingsChanges)
    case tell
}

private struct Situation: Hashable {
    private(set) var state = Settings.State()
    private var stored = SettingsSnapshot(settings: UserSettings(), revision: 1)
    /// The choices made since the last save started, and earlier ones that aren't stored.
    private var choices = SettingsChanges()
    private var sentChoices = SettingsChanges()
    /// The changes of the save that is under way, and what it has stored.
    private var sent: SettingsChanges?
    private var answer: SettingsSnapshot?

    var steps: [Step] {
        let own: [Step] = [
            .choose(SettingsChanges(theme: .pilbara)), .choose(SettingsChanges(theme: .collaroy)),
            .choose(SettingsChanges(displayName: "A")), .changeElsewhere(SettingsChanges(theme: .pilbara)),
            .changeElsewhere(SettingsChanges(displayName: "B")), .tell,
        ]
        guard sent != nil else { return own + (state.hasUnsavedChanges ? [.send] : []) }
        return own + (answer == nil ? [.store, .fail] : [.answer])
    }

    mutating func take(_ step: Step) {
        switch step {
        case .choose(let changes):
            choices.add(changes)
            state.reduce(.changed(changes))
        case .send:
            state.reduce(.saveStarted)
            sent = state.sending
            sentChoices.add(choices)
            choices = SettingsChanges()
        case .store:
            guard let sent else { return }
            store(sent)
            sentChoices = SettingsChanges()
            answer = stored
        case .answer:
            guard let answer else { return }
            state.reduce(.saved(answer))
            (sent, self.answer) = (nil, nil)
        case .fail:
            state.reduce(.saveFailed(StorageError(.diskFull, file: "f")))
            sent = nil
        case .changeElsewhere(let changes): store(changes)
        case .tell: state.reduce(.changedElsewhere(stored))
        }
    }

    private mutating func store(_ changes: SettingsChanges) {
        let settings = changes.applied(to: stored.settings)
        if settings == stored.settings { return }
        stored = SettingsSnapshot(settings: settings, revision: stored.revision + 1)
    }

    static let invariants: [StateSpace.Invariant<Situation>] = [
        .init("what was chosen and isn't stored is shown, and isn't forgotten") { situation in
            var choices = situation.sentChoices
            choices.add(situation.choices)
            let unsaved = situation.state.unsaved
            return choices.applied(to: situation.state.settings) == situation.state.settings
                && (choices.theme == nil || unsaved.theme == choices.theme)
                && (choices.displayName == nil || unsaved.displayName == choices.displayName)
        },
        .init("who has heard of everything and has saved everything sees what is stored") { situation in
            situation.state.hasUnsavedChanges || situation.state.revision != situation.stored.revision
                || situation.state.settings == situation.stored.settings
        },
        .init("nothing that nobody chose is saved") { situation in
            situation.sent != nil || !situation.choices.isEmpty || !situation.sentChoices.isEmpty
                || !situation.state.hasUnsavedChanges
        },
    ]
}

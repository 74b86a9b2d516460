import Foundation
import Relux
import SampleServices

@testable import SampleDomain

extension ApplicationWorld {
    /// Records which profile entered when, who owns which data, what was promised, and what should never happen.
    final class Ledger: Relux.StoreObserver {
        private struct Contents {
            /// The folder of the data according to the last entry, or nil before the first one.
            var owner: String?
            /// The number of changes of profile. A value that was created between two of them belongs to that period.
            var epoch = 0
            var isLeaving = false
            /// The folder in which a value is stored, or an empty string for a value that waits behind the door for the
            /// next profile.
            var owners: [Mark: String] = [:]
            /// When a value that isn't stored was created.
            var epochs: [Mark: Int] = [:]
            var hasPages = false
            var isThemeKept = true
            var trespasses: [String] = []
            /// The folders of items that were reported as saved.
            var saved: [Item.ID: String] = [:]
            /// The items that a service was asked to delete.
            var deleted: Set<Item.ID> = []
            /// What the store has refused or reported without a reason.
            var troubles: [String] = []
            var occurrences: Set<Occurrence> = []
        }

        private let contents = Lock(Contents())

        var occurrences: Set<Occurrence> { contents.withLock { $0.occurrences } }
        var trespasses: [String] { contents.withLock { $0.trespasses } }
        var isThemeKept: Bool { contents.withLock { $0.isThemeKept } }
        var troubles: [String] { contents.withLock { $0.troubles } }
        var epoch: Int { contents.withLock { $0.epoch } }

        func note(_ occurrence: Occurrence) {
            _ = contents.withLock { $0.occurrences.insert(occurrence) }
        }

        /// Records that a value is stored in a folder.
        func keep(_ mark: Mark, in folder: String) {
            contents.withLock { $0.owners[mark] = folder }
        }

        /// Records that items will be deleted.
        func delete(_ ids: [Item.ID]) {
            contents.withLock { $0.deleted.formUnion(ids) }
        }

        /// The items that must be in a folder, because they were reported as saved and not deleted.
        func promised(to folder: String) -> Set<Item.ID> {
            contents.withLock { contents in
                Set(contents.saved.filter { $0.value == folder }.keys).subtracting(contents.deleted)
            }
        }

        /// Records that a value that isn't stored was created now.
        func make(_ mark: Mark) {
            contents.withLock { $0.epochs[mark] = $0.epoch }
        }

        /// Records a write to a folder, and whether its data belong elsewhere.
        func write(_ marks: [Mark], to folder: String) {
            contents.withLock { contents in
                if contents.owner != folder {
                    contents.trespasses.append("\(folder) is written while \(contents.owner ?? "nobody") is there")
                }
                for mark in marks where contents.owners[mark] != folder {
                    contents.trespasses.append(
                        "\(mark) of \(contents.owners[mark] ?? "nobody") is written to \(folder)")
                }
            }
        }

        /// Whether all of these values may be visible now. Values that arrived with the action being checked aren't
        /// known yet.
        func permits(_ marks: [Mark], to standing: Session.State.Standing) -> Bool {
            let owner: String? =
                switch standing {
                case .unknown: nil
                case .nobody: "common"
                case .signedIn(let profile): profile.folder
                }
            return contents.withLock { contents in
                marks.allSatisfy { mark in
                    (contents.owners[mark].map { $0.isEmpty || $0 == owner } ?? true)
                        && (contents.epochs[mark].map { $0 == contents.epoch } ?? true)
                }
            }
        }

        func actionReduced(_ record: Relux.ActionRecord) {
            contents.withLock { contents in
                switch record.action {
                case Session.State.Action.entered(let profile, let hasLeftUnsaved):
                    let owner = profile?.folder ?? "common"
                    switch (contents.owner, owner) {
                    case ("ada", "bob"), ("bob", "ada"): contents.occurrences.insert(.switched)
                    case (_, "common"): contents.occurrences.insert(.signedOut)
                    default: contents.occurrences.insert(.signedIn)
                    }
                    contents.owner = owner
                    contents.isLeaving = false
                    // What was chosen in between waits behind the door and belongs to the next profile.
                    for (mark, folder) in contents.owners where folder.isEmpty { contents.owners[mark] = owner }
                    if hasLeftUnsaved { contents.occurrences.insert(.leftUnsaved) }
                case Session.State.Action.failed: contents.occurrences.insert(.refusedByService)
                case Items.State.Action.added(let id, _, _, _):
                    contents.owners[id.uuidString] = contents.isLeaving ? "" : contents.owner ?? ""
                case Items.State.Action.draftStarted(let draft): contents.epochs[draft.id.uuidString] = contents.epoch
                case Items.State.Action.changedElsewhere, Settings.State.Action.changedElsewhere:
                    contents.occurrences.insert(.newsArrived)
                case Settings.State.Action.changed(let changes):
                    if let name = changes.displayName {
                        contents.owners[name] = contents.isLeaving ? "" : contents.owner ?? ""
                        if contents.isLeaving { contents.occurrences.insert(.heldBack) }
                    }
                case Pets.Command.open(let id):
                    contents.epochs[id] = contents.epoch
                    contents.hasPages = true
                case PetPage.State.Action.loaded: contents.occurrences.insert(.petShown)
                case Session.State.Action.changedElsewhere: contents.occurrences.insert(.sessionFollowed)
                case Users.State.Action.changed: contents.occurrences.insert(.userSeen)
                case Navigation.Stack.Action.pop: contents.occurrences.insert(.wentBack)
                case Items.State.Action.saved(let changes, _):
                    contents.occurrences.insert(.itemSaved)
                    for change in changes {
                        if case .delete = change { continue }
                        contents.saved[change.id] = contents.owner
                    }
                case Items.State.Action.historySaved: contents.occurrences.insert(.stepSaved)
                case Settings.State.Action.saved: contents.occurrences.insert(.settingSaved)
                default: break
                }
            }
        }

        func statesReset(_ states: [any Relux.State.Type]) {
            contents.withLock { contents in
                contents.epoch += 1
                contents.isLeaving = true
                if contents.hasPages { contents.occurrences.insert(.pageLost) }
                contents.hasPages = false
                if states.contains(where: { $0 == Settings.Appearance.self }) { contents.isThemeKept = false }
            }
        }

        func runEnded(_ run: Relux.RunRecord, _ outcome: Relux.RunOutcome, lateError: (any Error)?) {
            if case .failed(let error) = outcome, !Self.isExpected(error) { trouble("\(run.saga) failed: \(error)") }
            guard case .cancelled = outcome else { return }
            let trigger = run.trigger
            if trigger as? Items.Effect == .save || trigger as? Settings.Effect == .save {
                note(.cancelledSave)
            } else if trigger is Items.Effect || trigger is Settings.Effect || trigger is PetPage.Effect {
                note(.cancelledLoad)
            }
        }

        func refused(_ refusal: Relux.Refusal) {
            // A cancelled run may still try to write. This refusal is the expected result.
            if case .staleWrite = refusal.reason { return note(.staleWrite) }
            trouble(refusal.description)
        }

        /// Whether the error comes from a service or a rule, and was reported to the caller.
        private static func isExpected(_ error: any Error) -> Bool {
            error is StorageError || error is ItemsError || error is UsersError
        }

        private func trouble(_ text: String) {
            contents.withLock { $0.troubles.append(text) }
        }
    }
}

import Foundation
import SampleDomain
import SampleServices

extension Texts {
    static func noTemporaryFolder(_ path: String, code: Int32) -> [String] {
        [
            "The folder \(path.visible) can't be created: \(String(cString: strerror(code))).",
            "Set TMPDIR to a folder that exists and can be written to.",
        ]
    }

    static let demoIntroduction = """
        A tour of the to-do list, on a temporary folder. Every action is printed as it is reduced, numbered in the
        store's total order, and below it the state that follows: * marks what isn't saved yet.
        """
    static let demoAdds = "Four things to do. The first command reads the list; every change is saved after it."
    static let demoMoves = "A move gives an item an order between its new neighbours."
    static let demoCompletes = "What is completed goes below. It can't be renamed until it is reopened."
    static let demoDrafts = "A draft is never saved. A blank one that is committed is dropped."
    static let demoDeletes = "Renaming an item to nothing deletes it."
    static let demoUndoes = "To undo takes back what the last command did, and is saved as one more change."
    static let demoElsewhere = "Another program adds an item to the same file. Nobody's change is lost."
    static let demoDamages = "The file gets damaged. The change stays on screen, unsaved, and the file untouched."
    static let demoMends = "The file is mended, and the save tried again."
    static let demoBuyMilk = "Buy milk"
    static let demoCallHome = "Call home"
    static let demoPayRent = "Pay the rent"
    static let demoWaterPlants = "Water the plants"
    static let demoWaterFlowers = "Water the flowers"
    static let demoElsewhereTitle = "Fetch the parcel"
    static let demoCook = "Cook dinner"
    static let demoDamage = "This is no list of items."
    static let demoEmpty = "(nothing)"
    static let demoReading = "reading"
    static let demoSaving = "saving"
    static let demoUnsaved = "not saved"
    static let demoDiffers = "The state that follows from the actions differs from the store's."

    static func demoRefused(_ why: String) -> String { "Refused: \(why)" }

    static func demoEnd(_ count: UInt64) -> String {
        "Reduced again outside of the store, the \(count.formatted()) actions gave the same state. The folder is gone."
    }

    static func draft(_ title: String) -> String { "draft “\(title.visible)”" }

    static func describe(_ command: Items.Command) -> String {
        switch command {
        case .add(let title, .end): "wanted: add “\(title.visible)”"
        case .add(let title, .top): "wanted: add “\(title.visible)” at the top"
        case .startDraft: "wanted: begin a draft"
        case .commitDraft: "wanted: commit the draft"
        case .complete(let references): "wanted: complete \(items(references.count))"
        case .reopen(let references): "wanted: reopen \(items(references.count))"
        case .rename(_, let title): "wanted: rename an item to \(quoted(title))"
        case .move(_, let position): "wanted: move an item to position \(position.formatted())"
        case .step(_, .up): "wanted: move an item up"
        case .step(_, .down): "wanted: move an item down"
        case .delete(let references): "wanted: delete \(items(references.count))"
        case .clearCompleted: "wanted: delete the completed items"
        case .deleteAll: "wanted: delete all items"
        case .clearAsked(let asked): "wanted: delete those still completed of \(items(asked.count))"
        case .deleteAsked(let asked): "wanted: delete what is left of \(items(asked.count))"
        case .completeSelection: "wanted: complete what is selected"
        case .reopenSelection: "wanted: reopen what is selected"
        case .deleteSelection: "wanted: delete what is selected"
        case .turnSelection: "wanted: complete or reopen what is selected"
        case .undo: "wanted: undo the last step"
        case .redo: "wanted: redo what was undone last"
        case .catchUp: "wanted: have it done"
        }
    }

    static func describe(_ effect: Items.Effect) -> String {
        switch effect {
        case .load: "wanted: read the list"
        case .save: "wanted: save the list"
        }
    }

    static func describe(_ action: Items.State.Action) -> String {
        switch action {
        case .loaded(let snapshot): "read \(items(snapshot.items.count))"
        case .loadFailed(let error): "could not read: \(error.explanation.visible)"
        case .loadCancelled: "gave reading up"
        case .saveStarted: "began to save"
        case .saved(let changes, _): "saved \(items(changes.count))"
        case .saveFailed(let error): "could not save: \(error.explanation.visible)"
        case .saveCancelled: "gave saving up"
        case .changedElsewhere(let snapshot): "changed elsewhere: now \(items(snapshot.items.count))"
        case .elsewhereFailed(let error): "can't see what others do: \(error.explanation.visible)"
        case .draftStarted: "began a draft"
        case .draftEdited(let title): "wrote “\(title.visible)”"
        case .draftCommitted: "committed the draft"
        case .draftDropped: "dropped the draft"
        case .added(_, let title, _, _): "added “\(title.visible)”"
        case .completed(let ids, _): "completed \(items(ids.count))"
        case .reopened(let ids, _): "reopened \(items(ids.count))"
        case .renamed(_, let title, _): "renamed an item to \(quoted(title))"
        case .moved(_, let index, _): "moved an item to position \((index + 1).formatted())"
        case .deleted(let ids): "deleted \(items(ids.count))"
        case .selected: "selected other items"
        case .filtered(let text): "filtered by \(quoted(text))"
        case .importBegan: "began to import"
        case .imported(let additions, _, _, _): "imported \(items(additions.count))"
        case .importSaved: "has them saved"
        case .importEnded: "ended the import"
        case .stepped: "made a step of it, to be undone at once"
        case .undone: "undid a step"
        case .redone: "redid a step"
        case .historyLoaded(let history): "read the history of \(steps(history))"
        case .historySaved(_, let history): "saved the history of \(steps(history))"
        case .historySetAside(let former): "set the history aside as \(former.file.visible)"
        case .historyFailed(let error): "could not keep the history: \(error.explanation.visible)"
        }
    }

    private static func quoted(_ title: String) -> String {
        title.isEmpty ? "nothing" : "“\(title.visible)”"
    }

    private static func steps(_ history: ItemsHistory) -> String {
        let count = history.done.count + history.undone.count
        return count == 1 ? "1 step" : "\(count.formatted()) steps"
    }

    private static func items(_ count: Int) -> String {
        count == 1 ? "1 item" : "\(count.formatted()) items"
    }
}

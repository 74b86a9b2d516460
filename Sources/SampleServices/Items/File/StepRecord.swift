import Foundation

/// A step as a line of a history file: a JSON object.
struct StepRecord: Decodable {
    struct Change: Decodable {
        let before: ItemRecord?
        let after: ItemRecord?
    }

    let id: String
    let undone: Bool?
    let changes: [Change]

    /// What is wrong with a line whose fields have the right types.
    enum Flaw: Error {
        case noChange
        case twoItems
    }

    /// The step that the line describes.
    func made() throws -> ItemsStep {
        guard let id = UUID(uuidString: id) else { throw ItemRecord.Flaw.noID(id) }
        let changes = try changes.map { change in
            let (before, after) = (try change.before?.item(), try change.after?.item())
            guard before != nil || after != nil else { throw Flaw.noChange }
            if let before, let after, before.id != after.id { throw Flaw.twoItems }
            return ItemsStep.Change(before: before, after: after)
        }
        return ItemsStep(id: id, changes: changes)
    }

    /// The line that describes a step.
    static func line(for step: ItemsStep, isUndone: Bool) -> [UInt8] {
        var line = Array(#"{"id":"\#(step.id.uuidString.lowercased())""#.utf8)
        if isUndone { line += #","undone":true"#.utf8 }
        line += #","changes":["#.utf8
        for (index, change) in step.changes.enumerated() {
            line += (index == 0 ? "{" : ",{").utf8
            if let before = change.before {
                line += #""before":"#.utf8
                line += ItemRecord.line(for: before)
            }
            if let after = change.after {
                line += (change.before == nil ? #""after":"# : #","after":"#).utf8
                line += ItemRecord.line(for: after)
            }
            line += "}".utf8
        }
        return line + "]}".utf8
    }

    /// Describes in words why a line couldn't be read.
    static func explain(_ error: any Error) -> String {
        switch error {
        case Flaw.noChange: "a change has neither “before” nor “after”"
        case Flaw.twoItems: "the “before” and “after” of a change are different items"
        case let error: ItemRecord.explain(error, what: "a step")
        }
    }
}

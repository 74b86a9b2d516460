import Foundation
import Relux
import SampleDomain
import SampleServices

/// The commands for the to-do list.
extension CommandTable {
    private static let top = OptionSpec(name: "top", explanation: "Add the item at the top of the list.")
    private static let yes = OptionSpec(name: "yes", letter: "y", explanation: "Don't ask.")
    private static let number = OperandSpec(name: "NUMBER", explanation: "The number of an item, as the list shows it.")
    private static let numbers = OperandSpec(
        name: "NUMBER", isRepeated: true, explanation: "The numbers of items, as the list shows them.")
    private static let title = OperandSpec(
        name: "TITLE", isRepeated: true, explanation: "The title. Several words make one title.")
    private static let position = OperandSpec(
        name: "POSITION", explanation: "The new position among the active items, from 1.")

    static let items = CommandSpec(
        name: "items",
        summary: "Shows and changes the to-do list.",
        options: [data, json],
        subcommands: [
            CommandSpec(name: "list", summary: "Shows what is to do, and below it what is done.") {
                let account = try await AccountRunner($0)
                return try account.show(list: try await account.list())
            },
            change("add", "Added", "Adds an item at the end of the list.", [title], options: [top]) { arguments in
                let item = Item(arguments.text(from: 0))
                return { _ in .added(item, arguments.contains(top) ? .top : .end) }
            },
            change("done", "Done", "Completes items: all of them or, where one can't be, none.", [numbers]) {
                let numbers = try $0.numbers(numbers)
                return { .completed(try $0.ids(numbered: numbers), .now) }
            },
            change("reopen", "Reopened", "Makes completed items active again: all of them, or none.", [numbers]) {
                let numbers = try $0.numbers(numbers)
                return { .reopened(try $0.ids(numbered: numbers)) }
            },
            change("move", "Moved", "Moves an active item to another position.", [number, position]) {
                let (number, position) = (try $0.number(at: 0, number), try $0.number(at: 1, position))
                return { .moved(try $0.ids(numbered: [number])[0], to: position - 1) }
            },
            change("rename", "Renamed", "Gives an active item another title.", [number, title]) {
                let (number, title) = (try $0.number(at: 0, number), $0.text(from: 1))
                return { .renamed(try $0.ids(numbered: [number])[0], title) }
            },
            change("delete", "Deleted", "Deletes items: all of them or, where one can't be found, none.", [numbers]) {
                let numbers = try $0.numbers(numbers)
                return { .deleted(try $0.ids(numbered: numbers)) }
            },
            sweep("clear", "Deletes the completed items, after asking.") { $0.items.filter { $0.completed != nil } },
            sweep("delete-all", "Deletes all items, after asking.") { Array($0.items) },
            step("undo", "Undoes the last change of the list, also one of another program.", .undo, \.canUndo),
            step("redo", "Redoes the change that was undone last.", .redo, \.canRedo),
        ]
    )

    /// A command that changes the list. It decides what to do when it sees the list, after its arguments were checked.
    private static func change(
        _ name: String, _ word: String, _ summary: String, _ operands: [OperandSpec], options: [OptionSpec] = [],
        _ change: @escaping @Sendable (ParsedArguments) throws -> (Items.List) throws -> Items.List.Action
    ) -> CommandSpec {
        CommandSpec(name: name, summary: summary, operands: operands, options: options) { invocation in
            let action = try change(invocation.arguments)
            let account = try await AccountRunner(invocation)
            return try await account.edit(word, try action(try await account.list()))
        }
    }

    /// A command that deletes many items at once, after asking.
    private static func sweep(
        _ name: String, _ summary: String, _ doomed: @escaping @Sendable (Items.List) -> [Item]
    ) -> CommandSpec {
        CommandSpec(name: name, summary: summary, options: [yes], notes: ["One undo brings everything back."]) {
            let isAgreed = $0.arguments.contains(yes)
            if !isAgreed, !$0.console.canAsk { throw UsageError.unasked(yes) }
            let account = try await AccountRunner($0)
            let items = doomed(try await account.list())
            guard !items.isEmpty else { return try account.show(Texts.nothingToDelete, []) }
            let isMeant = if isAgreed { true } else { await $0.console.confirms(Texts.reallyDelete(items.count)) }
            guard isMeant else { return .failure }
            // Another program may have changed the list since the question, which was only about these items.
            let asked = Set(items.map(\.id))
            let left = doomed(try await account.list()).map(\.id).filter(asked.contains)
            guard !left.isEmpty else { return try account.show(Texts.nothingToDelete, []) }
            return try await account.edit("Deleted", .deleted(left))
        }
    }

    private static func step(
        _ name: String, _ summary: String, _ action: Items.State.Action,
        _ isPossible: @escaping @Sendable (Items.State) -> Bool
    ) -> CommandSpec {
        CommandSpec(name: name, summary: summary) {
            let account = try await AccountRunner($0)
            guard isPossible(try await account.scope.state(of: Items.State.self)) else {
                throw Complaint(Texts.noStep(name), as: "refused")
            }
            await account.scope.dispatch(action)
            try await account.store.saved()
            return try account.show(list: try await account.list())
        }
    }
}

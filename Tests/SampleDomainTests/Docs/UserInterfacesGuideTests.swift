import Foundation
import Relux
import ReluxTesting
import SampleDomain
import SampleServices
import Testing

// Two front ends of Docs/UserInterfaces.md. The guide contains the text between each `snippet` and `end` of this file,
// of ItemsProps.swift and of Tests/SwiftUIStub/ItemsScreen.swift, word for word. The last test of this file compares
// them.

// snippet
@MainActor
final class ItemsController {
    private let state: Relux.UI.ViewState<ItemsProps>
    private let callbacks: ItemsCallbacks
    private var selected: Item.ID?

    /// What a table shows, and the selected row in it.
    private(set) var titles: [String] = []
    private(set) var selection: Int?

    /// Where a controller of UIKit or AppKit applies a snapshot to its table.
    var reload: (() -> Void)?

    init(state: Relux.UI.ViewState<ItemsProps>, dispatcher: Relux.Dispatcher) {
        self.state = state
        callbacks = ItemsCallbacks(to: dispatcher)
        state.willChange = { [unowned self] _ in selected = selection.map { state.value.rows[$0].id } }
        state.didChange = { [unowned self] _ in show() }
        show()
        dispatcher.send(Items.Effect.load)
    }

    func select(_ row: Int) { selection = state.value.rows.indices.contains(row) ? row : nil }

    func completeSelected() {
        guard let selection else { return }
        callbacks.complete.fire(state.value.rows[selection].id)
    }

    func undo() {
        if state.value.canUndo { callbacks.undo.fire() }
    }

    private func show() {
        let rows = state.value.rows
        titles = rows.map { row in (row.isDone ? "✓ " : "  ") + row.title + (row.isUnsaved ? " *" : "") }
        selection = rows.firstIndex { $0.id == selected }
        reload?()
    }
}
// end

/// A command line in one function.
private enum CommandLine {
    // snippet
    static func run(_ command: Items.Command, on store: Relux.Store) async throws -> (lines: [String], status: Int32) {
        do throws(Relux.EffectError) {
            _ = try await store.perform(command)
        } catch {
            guard case .failed(let refusal as ItemsError) = error else { throw error }
            return (["Refused: \(refusal)"], 1)
        }
        // Wait until all work that the command triggered has ended: the list is saved, or the saving has failed.
        try await store.idle()
        let state = try await store.state(of: Items.State.self)
        if let failure = state.saving.failure { return (["Not saved: \(failure)"], 1) }
        return (ItemsProps(state).rows.map { ($0.isDone ? "✓ " : "  ") + $0.title }, 0)
    }
    // end
}

@Suite("Docs/UserInterfaces.md", .timeLimit(.minutes(10)))
struct UserInterfacesGuideTests {
    private func store(_ service: InMemoryItemsService) async throws -> Relux.Store {
        try await Relux.Store { Items.Module(service: service, source: .counting()) }
    }

    @Test("The controller shows the list, keeps its selection, and undoes")
    @MainActor
    func controller() async throws {
        let store = try await store(InMemoryItemsService([.sample(1), .sample(2)]))
        let state = try store.viewState(of: Items.State.self) { ItemsProps($0) }
        let controller = ItemsController(state: state, dispatcher: store.dispatcher)
        let (reloads, reloaded) = AsyncStream.makeStream(of: [String].self)
        controller.reload = { reloaded.yield(controller.titles) }
        func wait(for titles: [String]) async {
            if controller.titles == titles { return }
            for await shown in reloads where shown == titles { return }
        }
        await wait(for: ["  Item 1", "  Item 2"])

        controller.select(0)
        controller.completeSelected()
        await wait(for: ["  Item 2", "✓ Item 1"])
        let selection = controller.selection
        controller.undo()
        await wait(for: ["  Item 1", "  Item 2"])

        #expect(selection == 1)
        #expect(controller.selection == 0)
        controller.reload = nil
    }

    @Test("The command line carries out the same commands, and tells refusals")
    func commandLine() async throws {
        let service = InMemoryItemsService([.sample(1), .sample(2)])
        let store = try await store(service)

        let done = try await CommandLine.run(.complete([.id(.sample(1))]), on: store)
        let undone = try await CommandLine.run(.undo, on: store)
        let refused = try await CommandLine.run(.undo, on: store)

        #expect(done == (["  Item 2", "✓ Item 1"], 0))
        #expect(undone == (["  Item 1", "  Item 2"], 0))
        #expect(refused == (["Refused: nothingToUndo"], 1))
        #expect(await service.snapshot.items.map(\.completed) == [nil, nil])
    }

    @Test("Equal lists make equal props and callbacks, so that a view needn't be made again")
    func equality() async throws {
        let (one, other) = (Relux.Store(), Relux.Store())
        let state = Items.State()

        #expect(ItemsProps(state) == ItemsProps(state))
        #expect(ItemsCallbacks(to: one.dispatcher) == ItemsCallbacks(to: one.dispatcher))
        #expect(ItemsCallbacks(to: one.dispatcher) != ItemsCallbacks(to: other.dispatcher))
    }

    @Test("The guide shows what is compiled, word for word")
    func guideIsCompiled() throws {
        let root = "\(#filePath)".components(separatedBy: "/Tests/").dropLast().joined(separator: "/Tests/")
        let files = [
            "Tests/SampleDomainTests/Docs/ItemsProps.swift", "Tests/SwiftUIStub/ItemsScreen.swift",
            "Tests/SampleDomainTests/Docs/UserInterfacesGuideTests.swift",
        ]

        let shown = try parts(of: root + "/Docs/UserInterfaces.md", from: "```swift", to: "```")
        let compiled = try files.flatMap { try parts(of: "\(root)/\($0)", from: "// snippet", to: "// end") }

        #expect(shown.count == 4)
        expectNoDifference(shown, compiled)
    }

    /// What stands between two marks, without the indentation of the first line.
    private func parts(of path: String, from start: String, to end: String) throws -> [String] {
        var parts: [[String]] = []
        var isOpen = false
        for line in try String(contentsOfFile: path, encoding: .utf8).components(separatedBy: "\n") {
            switch (line.trimmingCharacters(in: .whitespaces), isOpen) {
            case (start, false):
                parts.append([])
                isOpen = true
            case (end, true): isOpen = false
            case (_, true): parts[parts.count - 1].append(line)
            default: break
            }
        }
        return parts.map { lines in
            let indentation = lines.first?.prefix { $0 == " " } ?? ""
            return lines.map { $0.hasPrefix(indentation) ? String($0.dropFirst(indentation.count)) : $0 }
                .joined(separator: "\n")
        }
    }
}

import Relux
import ReluxTesting
import TestFixtures
import Testing

// Two front ends of Docs/UserInterfaces.md, whose other code is in MemosFeature.swift and TabsExample.swift, and in
// Tests/SwiftUIStub. Tools/check-docs.swift compares the guide with these files.

@MainActor
final class MemosController {
    private let store: Relux.Store
    private let list: Relux.UI.ViewState<Relux.Entities<Memos.Memo>>
    private let search: Relux.UI.ViewState<String>
    private var observation: Relux.UI.ViewObservation?

    /// Where a controller of UIKit or AppKit applies a snapshot to its table.
    var apply: ((Relux.Entities<Memos.Memo>.Differences) -> Void)?

    init(store: Relux.Store) throws(Relux.StoreError) {
        self.store = store
        list = try store.viewState(of: Memos.State.self, \.memos)
        search = try store.viewState(of: Memos.State.self, \.search)
        observation = list.observe { [unowned self] old, new in apply?(new.differences(from: old)) }
    }

    func cell(at row: Int) -> (title: String, isDone: Bool) { (list.value[row].title, list.value[row].isDone) }

    func select(row: Int) { store.dispatchNow(Memos.Pages.Action.push(.memo(list.value[row].id))) }

    /// `textField(_:shouldChangeCharactersIn:replacementString:)`: the store decides what the field shows.
    func textField(shows text: String, shouldChangeTo new: String) -> (shows: String, accepts: Bool) {
        search.binding(\.self, sending: Memos.State.Action.searched).wrappedValue = new
        return (search.value, search.value == new)
    }
}

/// A front end that reads a line, and then draws all lines.
@MainActor
struct MemosTerminal {
    private let props: Relux.UI.ViewState<MemosProps>
    private let callbacks: MemosCallbacks

    init(store: Relux.Store) throws(Relux.StoreError) {
        props = try store.viewState(of: Memos.State.self) { MemosProps($0) }
        callbacks = MemosCallbacks(to: store.dispatcher)
    }

    /// Handles one line of input. What it has changed is in the lines that are drawn next.
    func handle(_ input: String) {
        switch input.first {
        case "/":
            props.binding(\.search, sending: Memos.State.Action.searched).wrappedValue = String(input.dropFirst())
        case "d": if let id = Int(input.dropFirst()) { callbacks.complete.fire(id) }
        default: break
        }
    }

    var lines: [String] { props.value.rows.map { "\($0.isDone ? "✓" : " ") \($0.id) \($0.title)" } }
}

@Suite("Docs/UserInterfaces.md", .timeLimit(.minutes(10))) @MainActor
struct UserInterfacesGuideTests {
    private let milk = Memos.Memo(id: 1, title: "Milk")
    private let tea = Memos.Memo(id: 2, title: "Tea")

    private let store: Relux.Store
    private let observer = RecordingObserver()
    private let props: Relux.UI.ViewState<MemosProps>
    private let callbacks: MemosCallbacks

    init() throws {
        store = try Relux.Store(
            .init(observers: [observer]), modules: [Memos.Module { [milk, tea] in [milk, tea] }])
        store.doNow(Memos.State.Action.loaded([milk, tea]))
        props = try store.viewState(of: Memos.State.self) { MemosProps($0) }
        callbacks = MemosCallbacks(to: store.dispatcher)
    }

    // MARK: The half of the screen without a toolkit

    @Test("the list, the search field, and the toggle show what the store makes of a set")
    func list() throws {
        let search = props.binding(\.search, sending: Memos.State.Action.searched)
        let hidesDone = props.binding(\.hidesDone, sending: Memos.State.Action.hidDone)

        search.wrappedValue = "M"
        let found = props.value.rows.map(\.title)
        search.wrappedValue = ""
        callbacks.complete.fire(1)
        let completed = props.value.rows.map(\.isDone)
        hidesDone.wrappedValue = true

        #expect(found == ["Milk"])
        #expect(completed == [true, false])
        #expect(props.value.rows.map(\.title) == ["Tea"])
    }

    @Test("the path and the sheet are those of the stack, and a draft commits a title as a whole")
    func navigation() throws {
        let pages = try store.viewState(of: Memos.Pages.self)
        let title = try store.viewState(of: Memos.State.self) { $0.memos[id: 1]?.title ?? "" }

        callbacks.open.fire(1)
        let path = pages.pathBinding(\.self).wrappedValue.map(\.page)
        callbacks.edit.fire(1)
        let sheet = pages.modalBinding(\.self)
        let draft = Relux.UI.Draft(title.value, commit: MemosCallbacks.rename(1, to: store.dispatcher))
        let following = title.observe { _, new in draft.follow(new) }
        draft.value = "Oat milk"
        draft.commit()
        sheet.wrappedValue = nil

        #expect(path == [.memo(1)])
        #expect(title.value == "Oat milk")
        #expect(!draft.isEdited)
        #expect(pages.value.modals.isEmpty)
        withExtendedLifetime(following) {}
    }

    @Test("a failure is an alert, whose late dismissal doesn't remove a newer one")
    func alert() throws {
        func alert() -> Relux.UI.ViewBinding<Memos.Failure?> {
            props.binding(\.failure) { shown, new in
                new == nil ? shown.map { Memos.State.Action.dismissedFailure($0.id) } : nil
            }
        }
        store.doNow(Memos.State.Action.failed("offline"))
        let first = alert()
        store.doNow(Memos.State.Action.failed("offline"))

        first.wrappedValue = nil
        let late = props.value.failure?.id
        alert().wrappedValue = nil

        #expect(late == 2)
        #expect(props.value.failure == nil)
    }

    @Test("the binding of a sheet that is an instance closes that instance, and a late set closes no other")
    func instanceSheet() async throws {
        typealias Detail = PagesExample.Detail
        let store = try Relux.Store(modules: [PagesExample.App()])
        store.doNow(PagesExample.Pages.Action.push(.detail(1)))
        let page = store.scope(of: Detail.Module.self, id: 1)
        let detail = try page.viewState(of: Detail.State.self)
        @Sendable func editor(_ item: PagesExample.Item.ID, in page: Relux.Scope) -> Relux.Scope {
            page.scope(of: PagesExample.Editor.Module.self, id: item)
        }
        func sheet(of page: Relux.Scope) -> Relux.UI.ViewBinding<PagesExample.Item.ID?> {
            detail.binding(\.edited, capturing: page) { page, shown, new in
                new == nil ? shown.map { Relux.Dismissal(of: editor($0, in: page)) } : nil
            }
        }
        page.doNow(Detail.State.Action.editTapped(1))
        let first = sheet(of: page)

        let isOpen = await store.isOpen(editor(1, in: page))
        first.wrappedValue = nil
        let isClosed = await !store.isOpen(editor(1, in: page))
        page.doNow(Detail.State.Action.editTapped(2))
        first.wrappedValue = nil

        #expect(isOpen && isClosed)
        #expect(detail.value.edited == 2)
        #expect(sheet(of: page) != sheet(of: store.scope(of: Detail.Module.self, id: 2)))
    }

    @Test("each tab has its own path and sheets, whose pages are instances of their own")
    func tabs() async throws {
        typealias Tabs = Library.Tabs
        typealias Page = Library.BookPage
        let store = try Relux.Store(modules: [Library.Module()])
        let tabs = try store.viewState(of: Tabs.self)
        func page(_ entry: Tabs.Entry?) -> Relux.Scope {
            store.scope(of: Page.Module.self, id: entry?.id ?? 0)
        }
        for tab in Library.Tab.allCases { store.doNow(Tabs.Action.in(tab, .push(.book(1)))) }
        let books = page(tabs.pathBinding(of: .books).wrappedValue.last)
        let search = page(tabs.pathBinding(of: .search).wrappedValue.last)

        // The page of one tab is read, and opens a sheet.
        let shown = try books.viewState(of: Page.State.self)
        shown.binding(\.isRead) { _, isRead in Page.State.Action.read(isRead) }.wrappedValue = true
        books.doNow(Tabs.Action.inSelected(.present(.note(1))))
        let isRead = try (books.lookNow(at: Page.State.self).isRead, search.lookNow(at: Page.State.self).isRead)
        let sheets = Library.Tab.allCases.map { tabs.modalBinding(of: $0).wrappedValue?.page }
        // The other tab is selected; the container of the first one closes its sheet, and pops.
        tabs.binding(\.selected, sending: Tabs.Action.select).wrappedValue = .search
        tabs.modalBinding(of: .books).wrappedValue = nil
        tabs.pathBinding(of: .books).wrappedValue = []
        // The page that is left closes itself.
        search.doNow(Relux.Dismissal(of: search))

        #expect(isRead == (true, false))
        #expect(sheets == [.note(1), nil])
        #expect(tabs.value.selected == .search)
        #expect(tabs.value.entries.isEmpty)
        let isOpen = await (store.isOpen(books), store.isOpen(search))
        #expect(isOpen == (false, false))
    }

    @Test("drafts that are committed before a callback is fired are reduced before it")
    func drafts() throws {
        let drafts = [milk, tea].map { memo in
            Relux.UI.Draft(memo.title, commit: MemosCallbacks.rename(memo.id, to: store.dispatcher))
        }
        drafts[0].value = "Oat milk"
        drafts[1].value = "Green tea"

        for draft in drafts where draft.isEdited { draft.commit() }
        callbacks.complete.fire(1)

        let actions = observer.records.compactMap { $0.action as? Memos.State.Action }
        #expect(actions.dropFirst() == [.renamed(1, "Oat milk"), .renamed(2, "Green tea"), .completed(1)])
    }

    // MARK: Other front ends

    @Test("the controller applies differences, and its text field shows what the store accepts")
    func controller() throws {
        let controller = try MemosController(store: store)
        var insertions: [[Int]] = []
        controller.apply = { insertions.append($0.insertions) }

        store.doNow(Memos.State.Action.loaded([milk, tea, Memos.Memo(id: 3, title: "Bread")]))
        controller.select(row: 2)
        let field = controller.textField(shows: "", shouldChangeTo: "B")

        #expect(insertions == [[2]])
        #expect(controller.cell(at: 2) == ("Bread", false))
        #expect(try store.lookNow(at: Memos.Pages.self).path == [.memo(3)])
        #expect(field == ("B", true))
    }

    @Test("the terminal uses the same props, callbacks, and bindings")
    func terminal() throws {
        let terminal = try MemosTerminal(store: store)

        terminal.handle("d2")
        let all = terminal.lines
        terminal.handle("/Mi")

        #expect(all == ["  1 Milk", "✓ 2 Tea"])
        #expect(terminal.lines == ["  1 Milk"])
    }

    @Test("the effect of the screen loads the memos, and a failure to load is shown")
    func loading() async throws {
        struct Offline: Error {}
        let store = try Relux.Store(modules: [Memos.Module { throw Offline() }])

        await #expect(throws: Relux.EffectError.self) { try await store.perform(Memos.Load()) }

        #expect(try store.lookNow(at: Memos.State.self).failure?.text == "Offline()")
    }
}

import Relux
import ReluxTesting
import Testing

/// Every action in every small stack, applied to the stack and to a flat list of its pages.
@Suite("Navigation.Stack: every small stack", .timeLimit(.minutes(10)))
struct NavigationStackStateSpaceTests {
    @Test("every action leaves the same pages as in a flat list")
    func agreement() {
        let report = StateSpace.explore(
            from: Browsing(),
            actions: \.actions,
            invariants: Browsing.invariants,
            reduce: { $0.reduce($1) }
        )

        // Up to four pages, each one of two and either pushed or modal.
        #expect(report.states == 1 + 4 + 16 + 64 + 256)
        #expect(report.isComplete)
    }
}

private struct Browsing: Hashable {
    typealias Stack = Relux.Navigation.Stack<Int>

    struct Sheet: Hashable {
        var page: Int
        let isModal: Bool
    }

    private static let most = 4

    private(set) var stack = Stack()
    private(set) var sheets: [Sheet] = []
    /// The highest id so far.
    private var lastID: UInt64 = 0
    private(set) var newIDsAreNew = true
    private(set) var othersStay = true

    /// Without the ids of the entries, of which there is no end, but with all that could be wrong: a wrong stack must
    /// not be taken for a visited one.
    static func == (lhs: Browsing, rhs: Browsing) -> Bool {
        lhs.sheets == rhs.sheets && sheets(of: lhs.stack) == sheets(of: rhs.stack)
            && lhs.stack.entries.map(\.page) == rhs.stack.entries.map(\.page)
            && lhs.newIDsAreNew == rhs.newIDsAreNew && lhs.othersStay == rhs.othersStay
    }

    func hash(into hasher: inout Hasher) { hasher.combine(sheets) }

    static func sheets(of stack: Stack) -> [Sheet] {
        stack.path.map { Sheet(page: $0, isModal: false) }
            + stack.modals.flatMap { modal in
                [Sheet(page: modal.page, isModal: true)] + modal.path.map { Sheet(page: $0, isModal: false) }
            }
    }

    static let invariants: [StateSpace.Invariant<Browsing>] = [
        .init("the pages are those of the flat list") { Browsing.sheets(of: $0.stack) == $0.sheets },
        .init("the entries are the pages from the bottom to the top, each with an id of its own") { browsing in
            let entries = browsing.stack.entries
            return entries.map(\.page) == browsing.sheets.map(\.page) && Set(entries.map(\.id)).count == entries.count
        },
        .init("the ids of new entries ascend from the last one") { $0.newIDsAreNew },
        .init("entries below those that are removed stay") { $0.othersStay },
        .init("the page that is seen is the last one") { $0.stack.top == $0.sheets.last?.page },
        .init("only pages above the bottom and above a modal page can be popped") { browsing in
            browsing.stack.canPop == (browsing.sheets.last?.isModal == false)
        },
        .init("a modal page can be dismissed") { $0.stack.canDismiss == $0.sheets.contains(where: \.isModal) },
        .init("an empty stack has no page") { $0.stack.isEmpty == $0.sheets.isEmpty },
    ]

    /// Every action, including impossible ones, that keeps the stack small.
    var actions: [Stack.Action] {
        let link = Stack(path: [1], modals: [.init(2, path: [1]), .init(1)])
        var actions: [Stack.Action] = [
            .pop, .popToRoot, .dismiss, .dismissAll, .show(link), .setPath([]), .popFrom(0), .dismissEntry(.max),
        ]
        let own = stack.topmostPath
        for position in own.indices {
            actions.append(.setPath(own.enumerated().filter { $0.offset != position }.map(\.element)))
        }
        for page in 1...2 { actions += [.popTo(page), .replace(page)] }
        for count in [Int.min] + (-1...4) + [.max] { actions.append(.popCount(count)) }
        for entry in stack.entries { actions += [.popFrom(entry.id), .dismissEntry(entry.id)] }
        if sheets.count - ownSheets < Self.most { actions.append(.setPath([2])) }
        if sheets.count < Self.most {
            for page in 1...2 { actions += [.push(page), .push(page, ifNotOnTop: true), .present(page)] }
        }
        return actions
    }

    /// The number of pages pushed in the topmost layer.
    private var ownSheets: Int { sheets.reversed().prefix { !$0.isModal }.count }

    mutating func reduce(_ action: Stack.Action) {
        let entries = stack.entries
        stack.reduce(action)
        let newIDs = stack.entries.map(\.id).filter { id in !entries.contains { $0.id == id } }
        newIDsAreNew = newIDs == newIDs.sorted() && newIDs.allSatisfy { $0 > lastID }
        lastID = newIDs.last ?? lastID
        switch action {
        case .pop, .popCount, .popFrom, .popTo, .popToRoot, .dismiss, .dismissEntry, .dismissAll:
            othersStay = stack.entries == Array(entries.prefix(stack.entries.count))
        default: othersStay = true
        }
        switch action {
        case .pushEntry: break
        case .popCount(let count): sheets.removeLast(min(max(count, 0), ownSheets))
        case .popFrom(let id): remove(entries.firstIndex { $0.id == id }, isModal: false)
        case .dismissEntry(let id): remove(entries.firstIndex { $0.id == id }, isModal: true)
        case .push(let page): sheets.append(Sheet(page: page, isModal: false))
        case .pushIfNotOnTop(let page):
            if sheets.last?.page != page { sheets.append(Sheet(page: page, isModal: false)) }
        case .pop: if ownSheets > 0 { sheets.removeLast() }
        case .popTo(let page): popTo(page)
        case .popToRoot: sheets.removeLast(ownSheets)
        case .setPath(let pages):
            sheets.removeLast(ownSheets)
            sheets += pages.map { Sheet(page: $0, isModal: false) }
        case .replace(let page): if !sheets.isEmpty { sheets[sheets.count - 1].page = page }
        case .present(let page):
            if sheets.last(where: \.isModal)?.page != page { sheets.append(Sheet(page: page, isModal: true)) }
        case .dismiss: if let modal = sheets.lastIndex(where: \.isModal) { sheets.removeSubrange(modal...) }
        case .dismissAll: if let modal = sheets.firstIndex(where: \.isModal) { sheets.removeSubrange(modal...) }
        case .show(let stack): sheets = Self.sheets(of: stack)
        }
    }

    private mutating func remove(_ position: Int?, isModal: Bool) {
        if let position, sheets[position].isModal == isModal { sheets.removeSubrange(position...) }
    }

    private mutating func popTo(_ page: Int) {
        let bottom = sheets.lastIndex(where: \.isModal) ?? 0
        guard let target = sheets.lastIndex(where: { $0.page == page }), target >= bottom else { return }
        sheets.removeSubrange((target + 1)...)
    }
}

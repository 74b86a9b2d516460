extension Relux.Navigation {
    /// Tabs, each with a stack of pages of its own, and the one that is selected.
    ///
    /// ```swift
    /// enum Tab: Hashable { case inbox, search }
    /// enum Page: Hashable { case message(Message.ID), settings }
    ///
    /// typealias Tabs = Relux.Navigation.Tabs<Tab, Page>
    ///
    /// var states: [any Relux.State] { [Tabs(selected: .inbox)] }
    /// var children: [Relux.Children] {
    ///     [.each(of: Tabs.self, \.entries) { entry, _ in Reader.Module(id: entry.id, page: entry.page) }]
    /// }
    ///
    /// await store.dispatch(Tabs.Action.inSelected(.push(.message(id))))
    /// await store.dispatch(Tabs.Action.in(.search, .present(.settings)))
    /// ```
    ///
    /// All tabs share one space of ids: the same page in two tabs is two entries, and an instance that follows the
    /// ``entries`` belongs to one of them. As in a ``Stack``, no action is invalid, and an id is never used again.
    ///
    /// Two values are equal if they have the same selected tab and equal stacks. It is `Hashable` if the pages are, and
    /// `Codable` if tabs and pages are.
    public struct Tabs<Tab: Hashable & Sendable, Page: Equatable & Sendable>: Relux.State {
        /// The stack of one tab.
        public typealias Stack = Relux.Navigation.Stack<Page>

        /// One occurrence of a page in a tab.
        public typealias Entry = Stack.Entry

        /// The actions of tabs. An action that isn't possible does nothing.
        public indirect enum Action: Relux.Action {
            /// Selects a tab. If it is selected already, it goes back to its root page: all its pages and sheets go.
            case select(Tab)

            /// Changes the stack of a tab, which need not be selected.
            case `in`(Tab, Stack.Action)

            /// Changes the stack of the selected tab.
            case inSelected(Stack.Action)
        }

        /// The tab that is shown.
        public private(set) var selected: Tab

        /// All pages of all tabs with their ids, in the order in which they were opened.
        ///
        /// The entries are stored, so comparing them before and after an action that did nothing costs nothing.
        public private(set) var entries: [Entry] = []

        /// Those that aren't empty. Their ids are those of ``ids`` while they are changed.
        private var stacks: [Tab: Stack] = [:]

        private var ids = EntryIDs()

        /// Creates tabs.
        ///
        /// - Parameters:
        ///   - selected: The tab that is shown.
        ///   - stacks: The pages that tabs show at first. All other tabs show their root pages.
        public init(selected: Tab, _ stacks: KeyValuePairs<Tab, Stack> = [:]) {
            self.selected = selected
            for (tab, stack) in stacks { reduce(.show(stack), in: tab) }
        }
    }
}

extension Relux.Navigation.Tabs {
    /// The stack of a tab; an empty one if the tab shows its root page.
    ///
    /// - Complexity: O(1).
    public subscript(tab: Tab) -> Stack {
        var stack = stacks[tab] ?? Stack()
        stack.ids = ids
        return stack
    }

    /// The stack of the selected tab.
    public var selectedStack: Stack { self[selected] }

    /// Applies an action.
    ///
    /// - Complexity: That of ``Stack/reduce(_:)``, and O(*n*) in the pages of all tabs if there are other pages
    ///   afterwards.
    public mutating func reduce(_ action: Action) {
        switch action {
        case .select(let tab) where tab == selected: reduce(.show(Stack()), in: tab)
        case .select(let tab): selected = tab
        case .in(let tab, let action): reduce(action, in: tab)
        case .inSelected(let action): reduce(action, in: selected)
        }
    }

    private mutating func reduce(_ action: Stack.Action, in tab: Tab) {
        change(tab) { stack in stack.reduce(action) }
    }

    /// Changes the stack of a tab, and then the entries.
    private mutating func change(_ tab: Tab, _ body: (inout Stack) -> Void) {
        let old = stacks[tab] ?? Stack()
        var stack = old
        swap(&stack.ids, &ids)
        body(&stack)
        swap(&stack.ids, &ids)
        stacks[tab] = stack.isEmpty ? nil : stack
        guard stack.entries != old.entries else { return }
        let kept = Set(stack.entries.map(\.id))
        let known = Set(old.entries.map(\.id))
        if !known.isSubset(of: kept) { entries.removeAll { known.contains($0.id) && !kept.contains($0.id) } }
        entries += stack.entries.filter { !known.contains($0.id) }
    }
}

extension Relux.Navigation.Tabs: CountingState {
    func hasCounted(_ id: AnySendableHashable) -> Bool { ids.hasCounted(id) }
}

extension Relux.Navigation.Tabs: Relux.DismissingState {
    /// Removes an entry and everything above it in its layer. This is how the instance of a page closes itself.
    ///
    /// - Complexity: O(*n*) in the pages of all tabs.
    public mutating func dismissElement(_ id: Entry.ID) {
        guard let tab = stacks.first(where: { $0.value.entries.contains { $0.id == id } })?.key else { return }
        change(tab) { stack in stack.dismissElement(id) }
    }
}

extension Relux.Navigation.Tabs: Relux.ContinuingState {
    /// Gives new ids to the entries that the replaced value doesn't show, as ``Stack/carryOn(from:)`` does.
    ///
    /// - Complexity: O(*n*) in the pages of both.
    public mutating func carryOn(from replaced: Self) { carryOn(from: replaced.ids, showing: replaced.entries) }

    /// Gives new ids to all entries but those whose ids were chosen or have never been used.
    ///
    /// - Complexity: O(*n*) in the pages.
    public mutating func carryOn(fromRemoved removed: Self) { carryOn(from: removed.ids, showing: []) }

    private mutating func carryOn(from earlier: EntryIDs, showing shown: [Entry]) {
        let renewed = ids.carryOn(from: earlier, renewing: entries, except: shown)
        for tab in stacks.keys { stacks[tab]?.replaceEntries { renewed[$0.id] ?? $0 } }
        entries = entries.map { renewed[$0.id] ?? $0 }
    }
}

extension Relux.Navigation.Tabs {
    /// Whether both have the same selected tab, and the same entries in each tab.
    public static func == (lhs: Self, rhs: Self) -> Bool { lhs.selected == rhs.selected && lhs.stacks == rhs.stacks }
}

extension Relux.Navigation.Tabs: Hashable where Page: Hashable {
    /// Hashes the selected tab, and the entries of each tab.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(selected)
        hasher.combine(stacks)
    }
}

extension Relux.Navigation.Tabs: CustomReflectable {
    /// The selected tab, and the stacks of the tabs that have pages.
    public var customMirror: Mirror {
        let stacks = stacksInOrder.map { (label: "\($0.tab)" as String?, value: $0.stack as Any) }
        return Mirror(self, children: [(label: "selected", value: selected)] + stacks, displayStyle: .struct)
    }

    /// The stacks with pages, in the order of their lowest ids: that of a dictionary differs from process to process.
    private var stacksInOrder: [(tab: Tab, stack: Stack)] {
        stacks.map { (tab: $0, stack: $1, id: $1.entries.map(\.id).min() ?? 0) }.sorted { $0.id < $1.id }
            .map { ($0.tab, $0.stack) }
    }
}

extension Relux.Navigation.Tabs: Codable where Tab: Codable, Page: Codable {
    private enum CodingKeys: CodingKey {
        case selected, tabs, usedIDs
    }

    /// One tab with its stack.
    private struct CodedTab: Codable {
        let tab: Tab
        let stack: Stack
    }

    /// Decodes the tabs with the ids of their pages. If these are missing, or don't belong to the pages, all entries
    /// are new.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        self.init(selected: try container.decode(Tab.self, forKey: .selected))
        let tabs = try container.decode([CodedTab].self, forKey: .tabs)
        let coded = try container.decodeIfPresent(EntryIDs.self, forKey: .usedIDs)
        let decoded = tabs.flatMap(\.stack.entries).map(\.id)
        guard let coded, Set(decoded).count == decoded.count, Set(tabs.map(\.tab)).count == tabs.count else {
            for tab in tabs { reduce(.show(tab.stack), in: tab.tab) }
            return
        }
        ids = coded
        ids.use(decoded)
        for tab in tabs where !tab.stack.isEmpty { stacks[tab.tab] = tab.stack }
        entries = tabs.flatMap(\.stack.entries).sorted { $0.id < $1.id }
    }

    /// Encodes the tabs with the ids of their pages.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(selected, forKey: .selected)
        try container.encode(stacksInOrder.map { CodedTab(tab: $0.tab, stack: $0.stack) }, forKey: .tabs)
        try container.encode(ids, forKey: .usedIDs)
    }
}

extension Relux.Navigation.Tabs.Action: Equatable {}

extension Relux.Navigation.Tabs.Action: Hashable where Page: Hashable {}

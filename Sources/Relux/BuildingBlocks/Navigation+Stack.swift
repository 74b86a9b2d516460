extension Relux.Navigation {
    /// A stack of pages: a path, and modal pages above it, each with a path of its own.
    ///
    /// ```swift
    /// enum Page: Hashable { case item(Item.ID), settings, signIn }
    ///
    /// var states: [any Relux.State] { [Relux.Navigation.Stack<Page>()] }
    ///
    /// await store.dispatch(Relux.Navigation.Stack<Page>.Action.push(.item(id)))
    /// ```
    ///
    /// The root page at the very bottom can't be left and isn't part of the stack: an empty stack shows the root page.
    /// Pushing and popping affect only the topmost layer. That is the last modal page with its path, or the root's path
    /// if nothing is presented. A modal page is left only by dismissing it.
    ///
    /// ```text
    ///  path       item(1) ▸ item(2)
    ///  modals[0]  settings ▸ account        presented over item(2)
    ///  modals[1]  signIn                    presented over account; the topmost layer, and the top page
    /// ```
    ///
    /// Two quick taps, or a swipe that is faster than a button, can produce actions that arrive too late. No action is
    /// therefore invalid: an action that isn't possible does nothing, and each action documents when that is the case.
    /// The same page may occur several times. Each occurrence is an ``Entry`` with an id of its own, so that instances
    /// of a module can follow the ``entries``. A scope holds one stack per page type. Several stacks of one page type,
    /// as with tabs, are a ``Tabs``: its stacks share one space of ids. Stacks in a state of your own each begin with
    /// the id 1, so instances that follow two of them need modules of two types.
    ///
    /// Two stacks are equal if they have the same entries, ids included: a page that was popped and pushed again is
    /// another page. Tests compare ``pages``, ``path``, or ``modals``, which have no ids. The ids of pages that are
    /// gone aren't compared, so two equal stacks may give the next page different ids.
    ///
    /// It is `Hashable` and `Codable` if the pages are. The ids are encoded as well, and a decoded stack continues to
    /// count. If they are missing, as in a link that is written by hand, all entries are new.
    public struct Stack<Page: Equatable & Sendable>: Relux.State {
        /// One occurrence of a page in a stack.
        public struct Entry: Identifiable, Equatable, Sendable, OccurringOnce {
            /// Unique in its stack, and never used again: not after a reset or an undo either, of a state that is the
            /// stack or that lets it carry on (``ContinuingState``). Only an id that a caller chooses may be chosen
            /// again after those, unless the restored stack has used it.
            ///
            /// Higher than the id of every earlier entry, unless the caller has chosen it, or it comes from another
            /// store, as in an adopted history. The first entry has the id 1.
            public let id: UInt64

            /// The page.
            public let page: Page
        }

        /// A modal page and the path pushed on top of it.
        public struct Modal: Equatable, Sendable {
            /// The presented page.
            public let page: Page

            /// The pages pushed on top of it, topmost last.
            public let path: [Page]

            /// Creates a modal page.
            ///
            /// - Parameter path: The pages pushed on top of it, topmost last.
            public init(_ page: Page, path: [Page] = []) {
                self.page = page
                self.path = path
            }
        }

        /// All pages of all layers with their ids, from the bottom to the top.
        ///
        /// An entry keeps its id for as long as it remains in the stack. `setPath` keeps the entries whose pages stay,
        /// in their order. `show` keeps those that both stacks begin with; all that follow are new. A page that
        /// replaces another one is a new entry.
        ///
        /// The entries are stored, so comparing them before and after an action that did nothing costs nothing.
        public private(set) var entries: [Entry] = []

        /// The positions of the modal pages in the entries, in ascending order.
        private var modalPositions: [Int] = []

        /// The ids that were used. Those of ``Tabs`` are lent to the stack that is changed.
        var ids = EntryIDs()

        /// Creates a stack of pages, such as the target of a deep link.
        ///
        /// - Parameters:
        ///   - path: The pages pushed on top of the root page, topmost last.
        ///   - modals: The modal pages, topmost last.
        public init(path: [Page] = [], modals: [Modal] = []) {
            for page in path { push(page) }
            for modal in modals {
                push(modal.page, isModal: true)
                for page in modal.path { push(page) }
            }
        }
    }
}

extension Relux.Navigation.Stack {
    /// The pages of all layers, from the bottom to the top, modal pages included.
    ///
    /// - Complexity: O(*n*).
    public var pages: [Page] { entries.map(\.page) }

    /// The pages pushed on top of the root page, topmost last. All modal pages are above them.
    ///
    /// - Complexity: O(*n*).
    public var path: [Page] { pathEntries.map(\.page) }

    /// The modal pages, topmost last.
    ///
    /// - Complexity: O(*n*) in the pages of all layers.
    public var modals: [Modal] {
        modalPositions.map { position in
            Modal(entries[position].page, path: layer(from: position + 1).map(\.page))
        }
    }

    /// The entries of ``path``.
    ///
    /// - Complexity: O(*n*).
    public var pathEntries: [Entry] { Array(layer(from: 0)) }

    /// The entries of the modal pages themselves, topmost last.
    ///
    /// A sheet that shows one of them names it in ``Action/dismissEntry(_:)`` when it is closed.
    ///
    /// - Complexity: O(*m*) in the modal pages.
    public var modalEntries: [Entry] { modalPositions.map { entries[$0] } }

    /// The visible page, or nil for the root page.
    public var top: Page? { entries.last?.page }

    /// The pages pushed in the topmost layer, topmost last. ``Action/pop`` removes the last of them.
    ///
    /// - Complexity: O(*n*) in the pages of that layer.
    public var topmostPath: [Page] { entries[topmostStart...].map(\.page) }

    /// Whether nothing is pushed or presented.
    public var isEmpty: Bool { entries.isEmpty }

    /// Whether a page can be popped. The root page and modal pages can't.
    public var canPop: Bool { topmostStart < entries.count }

    /// Whether a modal page can be dismissed.
    public var canDismiss: Bool { !modalPositions.isEmpty }

    /// The position of the first entry that is pushed in the topmost layer.
    private var topmostStart: Int { modalPositions.last.map { $0 + 1 } ?? 0 }

    /// The entries pushed in a layer.
    ///
    /// - Parameter start: The position of the first of them.
    private func layer(from start: Int) -> ArraySlice<Entry> {
        entries[start..<(modalPositions.first { $0 >= start } ?? entries.count)]
    }
}

extension Relux.Navigation.Stack {
    /// Applies a navigation action.
    ///
    /// - Complexity: O(*k*) in the pages that it adds or removes, on average. `popTo` is O(*n*) in the topmost layer.
    ///   `setPath` is O(*n* · *d*), where *d* is the number of pages that only one of the paths has, apart from what
    ///   both begin and end with. `popFrom`, `dismissEntry` and `show` are O(*n*) in all the pages. The first change
    ///   after a copy of the entries was kept copies them.
    public mutating func reduce(_ action: Action) {
        switch action {
        case .push(let page): push(page)
        case .pushIfNotOnTop(let page): if top != page { push(page) }
        case .pushEntry(let page, let id): if ids.use(id) { entries.append(Entry(id: id, page: page)) }
        case .pop: pop(1)
        case .popTo(let page): pop(to: page)
        case .popToRoot: removeEntries(from: topmostStart)
        case .popCount(let count): pop(count)
        case .popFrom(let id): if let position = position(id, isModal: false) { removeEntries(from: position) }
        case .setPath(let pages): setPath(pages)
        case .replace(let page): replaceTop(with: page)
        case .present(let page): present(page)
        case .dismiss: if let position = modalPositions.last { removeEntries(from: position) }
        case .dismissEntry(let id): if let position = position(id, isModal: true) { removeEntries(from: position) }
        case .dismissAll: if let position = modalPositions.first { removeEntries(from: position) }
        case .show(let stack): show(stack)
        }
    }

    private mutating func push(_ page: Page, isModal: Bool = false) {
        guard let id = ids.next() else { return }
        if isModal { modalPositions.append(entries.count) }
        entries.append(Entry(id: id, page: page))
    }

    private mutating func present(_ page: Page) {
        if let position = modalPositions.last, entries[position].page == page { return }
        push(page, isModal: true)
    }

    private mutating func pop(_ count: Int) {
        if count > 0 { removeEntries(from: max(topmostStart, entries.count - count)) }
    }

    private mutating func pop(to page: Page) {
        // A modal page can be popped to as well.
        let bottom = modalPositions.last ?? 0
        if let position = entries[bottom...].lastIndex(where: { $0.page == page }) { removeEntries(from: position + 1) }
    }

    private mutating func setPath(_ pages: [Page]) {
        let start = topmostStart + zip(entries[topmostStart...], pages).prefix { $0.page == $1 }.count
        let new = pages[(start - topmostStart)...]
        var old = entries[start...]
        let tail = old.suffix(zip(old.reversed(), new.reversed()).prefix { $0.page == $1 }.count)
        old = old.dropLast(tail.count)
        let changed = new.dropLast(tail.count)
        guard !old.isEmpty || !changed.isEmpty else { return }
        // The entries that the shortest way from one path to the other leaves alone.
        var kept = Array(old)
        // From the end, so that the offsets remain what they are.
        for case .remove(let offset, _, _) in changed.difference(from: old.map(\.page)).removals.reversed() {
            kept.remove(at: offset)
        }
        kept.reverse()
        var path: [Entry] = []
        for page in changed {
            if kept.last?.page == page {
                path.append(kept.removeLast())
            } else if let id = ids.next() {
                path.append(Entry(id: id, page: page))
            }
        }
        entries.replaceSubrange(start..<entries.count - tail.count, with: path)
    }

    private mutating func replaceTop(with page: Page) {
        guard !entries.isEmpty, let id = ids.next() else { return }
        entries[entries.count - 1] = Entry(id: id, page: page)
    }

    private mutating func show(_ stack: Self) {
        let (old, new) = (Set(modalPositions), Set(stack.modalPositions))
        let kept = zip(entries, stack.entries).enumerated().prefix { position, pair in
            pair.0.page == pair.1.page && old.contains(position) == new.contains(position)
        }.count
        removeEntries(from: kept)
        for position in stack.entries.indices.dropFirst(kept) {
            push(stack.entries[position].page, isModal: new.contains(position))
        }
    }

    private func position(_ id: Entry.ID, isModal: Bool) -> Int? {
        entries.lastIndex { $0.id == id }.flatMap { modalPositions.contains($0) == isModal ? $0 : nil }
    }

    /// Removes an entry and everything above it. Leaves the storage alone if there is nothing to remove.
    private mutating func removeEntries(from position: Int) {
        guard position < entries.count else { return }
        entries.removeSubrange(position...)
        modalPositions.removeAll { $0 >= position }
    }
}

extension Relux.Navigation.Stack: CountingState {
    func hasCounted(_ id: AnySendableHashable) -> Bool { ids.hasCounted(id) }
}

extension Relux.Navigation.Stack: Relux.DismissingState {
    /// Removes an entry and everything above it in its layer. This is how the instance of a page closes itself.
    ///
    /// The modal pages above the layer stay. Does nothing if the entry no longer exists.
    ///
    /// - Complexity: O(*n*) in all the pages.
    public mutating func dismissElement(_ id: Entry.ID) {
        guard let position = entries.lastIndex(where: { $0.id == id }) else { return }
        let end = modalPositions.first { $0 > position } ?? entries.count
        entries.removeSubrange(position..<end)
        modalPositions = modalPositions.filter { $0 != position }.map { $0 < end ? $0 : $0 - (end - position) }
    }
}

extension Relux.Navigation.Stack: Relux.ContinuingState {
    /// Gives new ids to the entries that the replaced stack doesn't show, so that nothing which refers to an earlier
    /// use of an id finds them.
    ///
    /// Entries that the replaced stack shows as well, and those whose ids were chosen or have never been used there,
    /// keep theirs. A chosen id may also be chosen again, unless the restored stack has used it.
    ///
    /// - Complexity: O(*n*) in the pages of both.
    public mutating func carryOn(from replaced: Self) { carryOn(from: replaced.ids, showing: replaced.entries) }

    /// Gives new ids to all entries but those whose ids were chosen or have never been used.
    ///
    /// - Complexity: O(*n*) in the pages.
    public mutating func carryOn(fromRemoved removed: Self) { carryOn(from: removed.ids, showing: []) }

    private mutating func carryOn(from earlier: EntryIDs, showing shown: [Entry]) {
        let renewed = ids.carryOn(from: earlier, renewing: entries, except: shown)
        replaceEntries { renewed[$0.id] ?? $0 }
    }
}

extension Relux.Navigation.Stack {
    /// Replaces entries by others, of the same pages.
    mutating func replaceEntries(_ new: (Entry) -> Entry) { entries = entries.map(new) }
}

extension Relux.Navigation.Stack {
    /// Whether both have the same entries: the same pages, with the same ids, in the same layers.
    ///
    /// - Complexity: O(1) while they share their entries, otherwise O(*n*).
    public static func == (lhs: Self, rhs: Self) -> Bool {
        lhs.modalPositions == rhs.modalPositions && lhs.entries == rhs.entries
    }
}

extension Relux.Navigation.Stack: Hashable where Page: Hashable {
    /// Hashes the entries.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(modalPositions)
        hasher.combine(entries)
    }
}

extension Relux.Navigation.Stack.Entry: Hashable where Page: Hashable {}

extension Relux.Navigation.Stack: CustomReflectable {
    /// The pages, and the ids of their entries from the bottom to the top.
    public var customMirror: Mirror {
        Mirror(self, children: ["path": path, "modals": modals, "ids": entries.map(\.id)], displayStyle: .struct)
    }
}

extension Relux.Navigation.Stack: Codable where Page: Codable {
    private enum CodingKeys: CodingKey {
        case path, modals, ids, usedIDs
    }

    /// Decodes the pages with their ids. If these are missing, or don't belong to the pages, all entries are new.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            path: try container.decode([Page].self, forKey: .path),
            modals: try container.decode([Modal].self, forKey: .modals)
        )
        guard let decoded = try container.decodeIfPresent([Entry.ID].self, forKey: .ids),
            decoded.count == entries.count, Set(decoded).count == decoded.count
        else { return }
        ids = try container.decodeIfPresent(EntryIDs.self, forKey: .usedIDs) ?? EntryIDs()
        ids.use(decoded)
        entries = zip(decoded, entries).map { Entry(id: $0, page: $1.page) }
    }

    /// Encodes the pages with their ids.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(path, forKey: .path)
        try container.encode(modals, forKey: .modals)
        try container.encode(entries.map(\.id), forKey: .ids)
        try container.encode(ids, forKey: .usedIDs)
    }
}

extension Relux.Navigation.Stack.Modal: Hashable where Page: Hashable {}

extension Relux.Navigation.Stack.Modal: Codable where Page: Codable {}

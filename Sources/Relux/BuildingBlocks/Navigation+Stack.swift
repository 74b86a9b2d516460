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
    /// of a module can follow the ``entries``. A store holds one stack per page type. For several stacks of one page
    /// type, as with tabs, keep them in a state of your own and forward the actions.
    ///
    /// It is `Hashable` and `Codable` if the pages are. The ids of the entries are identities and not content: they are
    /// neither compared nor encoded.
    public struct Stack<Page: Equatable & Sendable>: Relux.State {
        /// One occurrence of a page in a stack.
        public struct Entry: Identifiable, Equatable, Sendable {
            /// Unique in its stack, and never used again. Later entries have higher ids.
            public let id: UInt64

            /// The page.
            public let page: Page
        }

        /// A modal page and the path pushed on top of it.
        public struct Modal: Equatable, Sendable {
            /// The presented page.
            public fileprivate(set) var page: Page

            /// The pages pushed on top of it, topmost last.
            public fileprivate(set) var path: [Page]

            /// Creates a modal page.
            ///
            /// - Parameter path: The pages pushed on top of it, topmost last.
            public init(_ page: Page, path: [Page] = []) {
                self.page = page
                self.path = path
            }
        }

        /// The pages pushed on top of the root page, topmost last. All modal pages are above them.
        public private(set) var path: [Page]

        /// The modal pages, topmost last.
        public private(set) var modals: [Modal]

        /// The ids of all entries, from the bottom to the top.
        private var ids: [UInt64]

        private var lastID: UInt64

        /// Creates a stack of pages, such as the target of a deep link.
        ///
        /// - Parameters:
        ///   - path: The pages pushed on top of the root page, topmost last.
        ///   - modals: The modal pages, topmost last.
        public init(path: [Page] = [], modals: [Modal] = []) {
            self.path = path
            self.modals = modals
            lastID = UInt64(path.count + modals.reduce(0) { $0 + 1 + $1.path.count })
            ids = Array(0..<lastID).map { $0 + 1 }
        }
    }
}

extension Relux.Navigation.Stack {
    /// All pages of all layers with their ids, from the bottom to the top.
    ///
    /// An entry keeps its id for as long as it remains in the stack. `setPath` and `show` keep the entries that both
    /// stacks begin with; all that follow are new. A page that replaces another one is a new entry.
    ///
    /// - Complexity: O(*n*) in all the pages.
    public var entries: [Entry] { zip(ids, pages).map { Entry(id: $0, page: $1) } }

    private var pages: [Page] { path + modals.flatMap { [$0.page] + $0.path } }

    private var pageCount: Int { path.count + modals.reduce(0) { $0 + 1 + $1.path.count } }

    /// The visible page, or nil for the root page.
    public var top: Page? {
        topmostPath.last ?? modals.last?.page
    }

    /// The pages pushed in the topmost layer, topmost last. ``Action/pop`` removes the last of them.
    public var topmostPath: [Page] {
        modals.last?.path ?? path
    }

    /// Whether nothing is pushed or presented.
    public var isEmpty: Bool {
        path.isEmpty && modals.isEmpty
    }

    /// Whether a page can be popped. The root page and modal pages can't.
    public var canPop: Bool {
        !topmostPath.isEmpty
    }

    /// Whether a modal page can be dismissed.
    public var canDismiss: Bool {
        !modals.isEmpty
    }

    /// Applies a navigation action.
    ///
    /// - Complexity: O(1) on average, plus O(*m*) in the number of modal layers. `popTo`, `popToRoot` and `setPath` are
    ///   O(*n*) in a layer of *n* pages; `dismissAll` and `show` are O(*n*) in all the pages they remove.
    public mutating func reduce(_ action: Action) {
        switch action {
        case .push(let page): withTopmostPath { $0.append(page) }
        case .pop: withTopmostPath { _ = $0.popLast() }
        case .popTo(let page): pop(to: page)
        case .popToRoot: withTopmostPath { $0.removeAll() }
        case .setPath(let pages): setPath(pages)
        case .replace(let page): replaceTop(with: page)
        case .present(let page): modals.append(Modal(page))
        case .dismiss: _ = modals.popLast()
        case .dismissAll: modals.removeAll()
        case .show(let stack): show(stack)
        }
        updateIDs()
    }

    /// Drops the ids of entries that were removed from the top, and gives ids to those that were added there.
    private mutating func updateIDs() {
        let count = pageCount
        if ids.count > count { ids.removeLast(ids.count - count) }
        while ids.count < count {
            lastID += 1
            ids.append(lastID)
        }
    }

    private mutating func setPath(_ pages: [Page]) {
        let kept = zip(topmostPath, pages).prefix { $0 == $1 }.count
        ids.removeLast(topmostPath.count - kept)
        withTopmostPath { $0 = pages }
    }

    private mutating func show(_ stack: Self) {
        var kept = zip(path, stack.path).prefix { $0 == $1 }.count
        if kept == path.count, kept == stack.path.count {
            for (old, new) in zip(modals, stack.modals) {
                guard old.page == new.page else { break }
                let common = zip(old.path, new.path).prefix { $0 == $1 }.count
                kept += 1 + common
                guard common == old.path.count, common == new.path.count else { break }
            }
        }
        ids.removeLast(ids.count - kept)
        (path, modals) = (stack.path, stack.modals)
    }

    private mutating func withTopmostPath(_ body: (inout [Page]) -> Void) {
        if modals.isEmpty {
            body(&path)
        } else {
            body(&modals[modals.count - 1].path)
        }
    }

    private mutating func pop(to page: Page) {
        if let position = topmostPath.lastIndex(of: page) {
            withTopmostPath { $0.removeSubrange((position + 1)...) }
        } else if modals.last?.page == page {
            withTopmostPath { $0.removeAll() }
        }
    }

    private mutating func replaceTop(with page: Page) {
        _ = ids.popLast()
        if canPop {
            withTopmostPath { $0[$0.count - 1] = page }
        } else if canDismiss {
            modals[modals.count - 1].page = page
        }
    }
}

extension Relux.Navigation.Stack {
    /// Whether both have the same pages. The ids of the entries are not compared.
    public static func == (lhs: Self, rhs: Self) -> Bool { lhs.path == rhs.path && lhs.modals == rhs.modals }
}

extension Relux.Navigation.Stack: Hashable where Page: Hashable {
    /// Hashes the pages.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(path)
        hasher.combine(modals)
    }
}

extension Relux.Navigation.Stack.Entry: Hashable where Page: Hashable {}

extension Relux.Navigation.Stack: CustomReflectable {
    /// The pages, without the ids of the entries.
    public var customMirror: Mirror { Mirror(self, children: ["path": path, "modals": modals], displayStyle: .struct) }
}

extension Relux.Navigation.Stack: Codable where Page: Codable {
    private enum CodingKeys: CodingKey {
        case path, modals
    }

    /// Decodes the pages. All entries are new.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            path: try container.decode([Page].self, forKey: .path),
            modals: try container.decode([Modal].self, forKey: .modals)
        )
    }

    /// Encodes the pages.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(path, forKey: .path)
        try container.encode(modals, forKey: .modals)
    }
}

extension Relux.Navigation.Stack.Modal: Hashable where Page: Hashable {}

extension Relux.Navigation.Stack.Modal: Codable where Page: Codable {}

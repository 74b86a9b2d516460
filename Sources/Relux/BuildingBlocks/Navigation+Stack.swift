extension Relux.Navigation {
    /// The pages that lie on top of each other: a path, and the modal pages above it, each with a path of its own.
    ///
    /// ```swift
    /// enum Page: Hashable { case item(Item.ID), settings, signIn }
    ///
    /// var states: [any Relux.State] { [Relux.Navigation.Stack<Page>()] }
    ///
    /// await store.dispatch(Relux.Navigation.Stack<Page>.Action.push(.item(id)))
    /// ```
    ///
    /// The page at the very bottom, which can't be left, isn't part of it: an empty stack shows that page. Pushing and
    /// popping concern the topmost layer alone, that is the last modal page and its path, or the path at the bottom
    /// where nothing is presented; a modal page is left only by dismissing it.
    ///
    /// ```text
    ///  path       item(1) ▸ item(2)
    ///  modals[0]  settings ▸ account        presented over item(2)
    ///  modals[1]  signIn                    presented over account; the topmost layer, and the top page
    /// ```
    ///
    /// Two taps in a row, or a swipe that overtakes a button, make actions that come too late. So no action is invalid:
    /// what can't be done does nothing, and each action says when that is. The same page may occur several times. A
    /// store holds one stack of one type of page; for several, as with tabs, keep them in a state of your own and hand
    /// on the actions.
    ///
    /// It is `Hashable` and `Codable` where the pages are.
    public struct Stack<Page: Equatable & Sendable>: Relux.State {
        /// A modal page, and the path that was pushed within it.
        public struct Modal: Equatable, Sendable {
            /// The page that was presented.
            public fileprivate(set) var page: Page

            /// The pages pushed upon it, the topmost last.
            public fileprivate(set) var path: [Page]

            /// A modal page.
            ///
            /// - Parameters:
            ///   - page: The page that is presented.
            ///   - path: The pages pushed upon it, the topmost last.
            public init(_ page: Page, path: [Page] = []) {
                self.page = page
                self.path = path
            }
        }

        /// The pages pushed upon the one at the bottom, the topmost last. What is presented lies above all of them.
        public private(set) var path: [Page]

        /// The modal pages, the topmost last.
        public private(set) var modals: [Modal]

        /// A stack of pages, such as a link from outside leads to.
        ///
        /// - Parameters:
        ///   - path: The pages pushed upon the one at the bottom, the topmost last.
        ///   - modals: The modal pages, the topmost last.
        public init(path: [Page] = [], modals: [Modal] = []) {
            self.path = path
            self.modals = modals
        }
    }
}

extension Relux.Navigation.Stack {
    /// The page that is seen; nil for the one at the bottom.
    public var top: Page? {
        topmostPath.last ?? modals.last?.page
    }

    /// The pages pushed in the topmost layer, the topmost last: what ``Action/pop`` works on.
    public var topmostPath: [Page] {
        modals.last?.path ?? path
    }

    /// Whether nothing is pushed or presented.
    public var isEmpty: Bool {
        path.isEmpty && modals.isEmpty
    }

    /// Whether there is a page to pop: not at the bottom, nor at a modal page.
    public var canPop: Bool {
        !topmostPath.isEmpty
    }

    /// Whether there is a modal page to dismiss.
    public var canDismiss: Bool {
        !modals.isEmpty
    }

    /// Moves through the pages.
    ///
    /// - Parameter action: Where to.
    /// - Complexity: O(1) on average; O(*n*) for `popTo`, `popToRoot` and `setPath` in a layer of *n* pages, and for
    ///   `dismissAll` and `show`.
    public mutating func reduce(_ action: Action) {
        switch action {
        case .push(let page): withTopmostPath { $0.append(page) }
        case .pop: withTopmostPath { _ = $0.popLast() }
        case .popTo(let page): pop(to: page)
        case .popToRoot: withTopmostPath { $0.removeAll() }
        case .setPath(let pages): withTopmostPath { $0 = pages }
        case .replace(let page): replaceTop(with: page)
        case .present(let page): modals.append(Modal(page))
        case .dismiss: _ = modals.popLast()
        case .dismissAll: modals.removeAll()
        case .show(let stack): self = stack
        }
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
        if canPop {
            withTopmostPath { $0[$0.count - 1] = page }
        } else if canDismiss {
            modals[modals.count - 1].page = page
        }
    }
}

extension Relux.Navigation.Stack: Hashable where Page: Hashable {}

extension Relux.Navigation.Stack: Codable where Page: Codable {}

extension Relux.Navigation.Stack.Modal: Hashable where Page: Hashable {}

extension Relux.Navigation.Stack.Modal: Codable where Page: Codable {}

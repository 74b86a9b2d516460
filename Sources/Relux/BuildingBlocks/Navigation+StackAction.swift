extension Relux.Navigation.Stack {
    // indirect: an action is passed on far more often than it is taken apart.
    /// The actions of a stack of pages. An action that isn't possible does nothing.
    public indirect enum Action: Relux.Action {
        /// Pushes a page on top of the topmost layer. Always possible.
        case push(Page)

        /// Pushes a page, unless it is the top page.
        ///
        /// ``push(_:ifNotOnTop:)`` creates this action.
        case pushIfNotOnTop(Page)

        /// Pushes a page with a chosen id. Does nothing if an entry of the stack has had this id.
        ///
        /// ``push(_:id:)`` creates this action.
        case pushEntry(Page, id: Entry.ID)

        /// Removes the top page. Does nothing if nothing has been pushed in the topmost layer: the root page and a
        /// modal page can't be popped.
        case pop

        /// Pops to a page in the topmost layer; if it occurs there several times, to its last occurrence.
        ///
        /// Does nothing if the page isn't in that layer or is already on top.
        case popTo(Page)

        /// Removes every page pushed in the topmost layer, down to the root page or the modal page.
        ///
        /// Does nothing if nothing has been pushed there.
        case popToRoot

        /// Removes this number of pages from the topmost layer, but not the root page or the modal page.
        ///
        /// Does nothing if the number is less than 1, or if nothing has been pushed there.
        case popCount(Int)

        /// Removes a pushed entry and everything above it, modal pages included.
        ///
        /// Does nothing if the entry no longer exists, or if it is a modal page. A container that pops by itself uses
        /// this to report the lowest entry that it no longer shows. An action that arrives late never removes a newer
        /// page.
        case popFrom(Entry.ID)

        /// Replaces the pages pushed in the topmost layer. Always possible.
        ///
        /// Each page that stays keeps its entry, and with it its instance: of the paths `[a, b, c]` and `[a, c]`, both
        /// `a` and `c`. A container that pops by itself uses this to report its path after a swipe.
        case setPath([Page])

        /// Replaces the top page, pushed or modal. Does nothing on the root page, which isn't part of the stack.
        case replace(Page)

        /// Presents a modal page over the top page. Does nothing if the topmost modal page equals it.
        case present(Page)

        /// Removes the topmost modal page and the pages pushed on top of it. Does nothing if nothing is presented.
        case dismiss

        /// Removes a modal page and everything above it.
        ///
        /// Does nothing if the entry no longer exists, or if it isn't a modal page. A sheet that closes by itself uses
        /// this to report the entry that it has shown. An action that arrives late never closes a newer sheet.
        case dismissEntry(Entry.ID)

        /// Removes all modal pages and the pages pushed on top of them. Does nothing if nothing is presented.
        case dismissAll

        /// Replaces the whole stack, for example with the target of a deep link. Always possible.
        case show(Relux.Navigation.Stack<Page>)

        /// Pushes a page with a chosen id, on top of the topmost layer, for example to address the page's instance
        /// later in the same batch.
        ///
        /// Does nothing if an entry of the stack has had this id since the stack was created, reset, or undone, even
        /// one that no longer exists, so never use an id twice. Entries whose ids aren't chosen get 1, 2, 3 …, and
        /// after a chosen id that is higher than all others, the numbers that follow it.
        public static func push(_ page: Page, id: Entry.ID) -> Self { .pushEntry(page, id: id) }

        /// Pushes a page on top of the topmost layer, unless it is the top page, pushed or modal.
        ///
        /// For a link that may be tapped twice before its page is seen.
        ///
        /// - Parameter isNeeded: Whether the page is pushed only if it isn't the top page.
        public static func push(_ page: Page, ifNotOnTop isNeeded: Bool) -> Self {
            isNeeded ? .pushIfNotOnTop(page) : .push(page)
        }
    }
}

extension Relux.Navigation.Stack.Action: Equatable {}

extension Relux.Navigation.Stack.Action: Hashable where Page: Hashable {}

extension Relux.Navigation.Stack {
    // indirect: an action is passed on far more often than it is taken apart.
    /// The actions of a stack of pages. An action that isn't possible does nothing.
    public indirect enum Action: Relux.Action {
        /// Pushes a page on top of the topmost layer. Always possible.
        case push(Page)

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

        /// Replaces the pages pushed in the topmost layer. Always possible.
        ///
        /// A container that pops by itself reports its path this way after a swipe.
        case setPath([Page])

        /// Replaces the top page, pushed or modal. Does nothing on the root page, which isn't part of the stack.
        case replace(Page)

        /// Presents a modal page over the top page. Always possible.
        case present(Page)

        /// Removes the topmost modal page and the pages pushed on top of it. Does nothing if nothing is presented.
        case dismiss

        /// Removes all modal pages and the pages pushed on top of them. Does nothing if nothing is presented.
        case dismissAll

        /// Replaces the whole stack, for example with the target of a deep link. Always possible.
        case show(Relux.Navigation.Stack<Page>)
    }
}

extension Relux.Navigation.Stack.Action: Equatable {}

extension Relux.Navigation.Stack.Action: Hashable where Page: Hashable {}

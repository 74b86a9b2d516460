extension Relux.Navigation.Stack {
    /// What can be done with a stack of pages. What can't be done does nothing.
    public enum Action: Relux.Action {
        /// Lays a page upon the top one, in its layer. Always possible.
        case push(Page)

        /// Takes the top page away. Does nothing at the page at the bottom, and at a modal page that nothing was
        /// pushed upon.
        case pop

        /// Takes away what lies above a page in the topmost layer; where the page occurs several times there, above the
        /// last of them. Does nothing where it doesn't occur, or is the top page already.
        case popTo(Page)

        /// Takes away everything that was pushed in the topmost layer, down to the page at the bottom or the modal
        /// page. Does nothing where nothing was.
        case popToRoot

        /// Puts pages in the place of those pushed in the topmost layer: what a container that pops by itself reports
        /// after a swipe. Always possible.
        case setPath([Page])

        /// Puts a page in the place of the top one, pushed or modal. Does nothing at the page at the bottom, which
        /// isn't part of the stack.
        case replace(Page)

        /// Presents a modal page over the top one. Always possible.
        case present(Page)

        /// Takes away the topmost modal page and what was pushed upon it. Does nothing where nothing is presented.
        case dismiss

        /// Takes away all modal pages and what was pushed upon them. Does nothing where nothing is presented.
        case dismissAll

        /// Goes to where a link leads: this stack takes the place of the present one. Always possible.
        case show(Relux.Navigation.Stack<Page>)
    }
}

extension Relux.Navigation.Stack.Action: Equatable {}

extension Relux.Navigation.Stack.Action: Hashable where Page: Hashable {}

// MARK: - A stack

extension Relux.UI.ViewState {
    /// The binding of a navigation container's path, such as `NavigationStack(path:)`: the entries that are pushed on
    /// top of the root page.
    ///
    /// A container that pops by itself reports the lowest entry that it no longer shows, so a late path never removes a
    /// newer page. Pages are pushed only by actions: a path that isn't the beginning of the shown one is ignored.
    ///
    /// Make it in each `body`, or where it is used. A page that was pushed after the binding was made isn't popped by
    /// it, which is reported as ``Relux/Refusal/Reason/lateBinding``.
    ///
    /// - Parameters:
    ///   - stack: The part of the value that is the stack.
    ///   - dispatcher: Receives the action; nil for the store and the scope that this object follows.
    public func pathBinding<Page: Hashable & Sendable>(
        _ stack: @autoclosure () -> KeyPath<Value, Relux.Navigation.Stack<Page>> & Sendable,
        to dispatcher: Relux.Dispatcher? = nil,
        fileID: StaticString = #fileID, line: UInt = #line, column: UInt = #column
    ) -> Relux.UI.ViewBinding<[Relux.Navigation.Stack<Page>.Entry]> {
        pathBinding(stack(), to: dispatcher, fileID: fileID, line: line, column: column, sending: { $0 })
    }

    /// The binding of the path of a stack in a state of your own, which forwards the actions.
    ///
    /// ```swift
    /// $shop.pathBinding(\.orders, sending: Shop.State.Action.orders)
    /// ```
    ///
    /// - Parameters:
    ///   - stack: The part of the value that is the stack.
    ///   - dispatcher: Receives the action; nil for the store and the scope that this object follows.
    ///   - action: Makes the action from the stack's own. Its captures must never change for this call site.
    public func pathBinding<Page: Hashable & Sendable, A: Relux.Action>(
        _ stack: @autoclosure () -> KeyPath<Value, Relux.Navigation.Stack<Page>> & Sendable,
        to dispatcher: Relux.Dispatcher? = nil,
        fileID: StaticString = #fileID, line: UInt = #line, column: UInt = #column,
        sending action: @escaping @Sendable (Relux.Navigation.Stack<Page>.Action) -> A
    ) -> Relux.UI.ViewBinding<[Relux.Navigation.Stack<Page>.Entry]> {
        bindPath(.init(stack), to: dispatcher, at: .init(fileID: fileID, line: line), column, action)
    }

    /// The binding of a sheet or a cover, such as `.sheet(item:)`: the entry of the modal page in a layer.
    ///
    /// A dismissal names the entry that was shown, so a late one never closes a newer page. Make it in each `body`, or
    /// where it is used: a sheet that was presented after the binding was made isn't closed by it, which is reported as
    /// ``Relux/Refusal/Reason/lateBinding``.
    ///
    /// - Parameters:
    ///   - stack: The part of the value that is the stack.
    ///   - layer: The number of modal pages below the sheet: 0 for the sheet over the root's path.
    ///   - dispatcher: Receives the action; nil for the store and the scope that this object follows.
    public func modalBinding<Page: Hashable & Sendable>(
        _ stack: @autoclosure () -> KeyPath<Value, Relux.Navigation.Stack<Page>> & Sendable, layer: Int = 0,
        to dispatcher: Relux.Dispatcher? = nil,
        fileID: StaticString = #fileID, line: UInt = #line, column: UInt = #column
    ) -> Relux.UI.ViewBinding<Relux.Navigation.Stack<Page>.Entry?> {
        modalBinding(
            stack(), layer: layer, to: dispatcher, fileID: fileID, line: line, column: column, sending: { $0 })
    }

    /// The binding of a sheet of a stack in a state of your own, which forwards the actions.
    ///
    /// - Parameters:
    ///   - stack: The part of the value that is the stack.
    ///   - layer: The number of modal pages below the sheet: 0 for the sheet over the root's path.
    ///   - dispatcher: Receives the action; nil for the store and the scope that this object follows.
    ///   - action: Makes the action from the stack's own. Its captures must never change for this call site.
    public func modalBinding<Page: Hashable & Sendable, A: Relux.Action>(
        _ stack: @autoclosure () -> KeyPath<Value, Relux.Navigation.Stack<Page>> & Sendable, layer: Int = 0,
        to dispatcher: Relux.Dispatcher? = nil,
        fileID: StaticString = #fileID, line: UInt = #line, column: UInt = #column,
        sending action: @escaping @Sendable (Relux.Navigation.Stack<Page>.Action) -> A
    ) -> Relux.UI.ViewBinding<Relux.Navigation.Stack<Page>.Entry?> {
        bindModal(.init(stack), layer, to: dispatcher, at: .init(fileID: fileID, line: line), column, action)
    }

    private func bindPath<Page: Hashable & Sendable, A: Relux.Action>(
        _ stack: Relux.UI.BoundPath<Value, Relux.Navigation.Stack<Page>>, of tab: AnySendableHashable? = nil,
        to dispatcher: Relux.Dispatcher?, at site: Relux.CallSite, _ column: UInt,
        _ action: @escaping @Sendable (Relux.Navigation.Stack<Page>.Action) -> A
    ) -> Relux.UI.ViewBinding<[Relux.Navigation.Stack<Page>.Entry]> {
        makeBinding(stack.appending(\.pathEntries), tab, to: dispatcher, at: site, column) { shown, new -> A? in
            let kept = zip(shown, new).prefix { $0.id == $1.id }.count
            return kept == new.count && kept < shown.count ? action(.popFrom(shown[kept].id)) : nil
        }
    }

    private func bindModal<Page: Hashable & Sendable, A: Relux.Action>(
        _ stack: Relux.UI.BoundPath<Value, Relux.Navigation.Stack<Page>>, _ layer: Int,
        of tab: AnySendableHashable? = nil,
        to dispatcher: Relux.Dispatcher?, at site: Relux.CallSite, _ column: UInt,
        _ action: @escaping @Sendable (Relux.Navigation.Stack<Page>.Action) -> A
    ) -> Relux.UI.ViewBinding<Relux.Navigation.Stack<Page>.Entry?> {
        makeBinding(stack.appending(\.[modal: layer]), tab, to: dispatcher, at: site, column) { shown, new -> A? in
            new == nil ? shown.map { action(.dismissEntry($0.id)) } : nil
        }
    }
}

// MARK: - Tabs

extension Relux.UI.ViewState {
    /// The binding of the path of one tab, as that of a stack.
    ///
    /// - Parameters:
    ///   - tab: The tab, which need not be selected.
    ///   - dispatcher: Receives the action; nil for the store and the scope that this object follows.
    public func pathBinding<Tab, Page: Hashable & Sendable>(
        of tab: Tab, to dispatcher: Relux.Dispatcher? = nil,
        fileID: StaticString = #fileID, line: UInt = #line, column: UInt = #column
    ) -> Relux.UI.ViewBinding<[Relux.Navigation.Stack<Page>.Entry]> where Value == Relux.Navigation.Tabs<Tab, Page> {
        pathBinding(\.self, of: tab, to: dispatcher, fileID: fileID, line: line, column: column)
    }

    /// The binding of the path of one tab, of tabs that are a part of the value.
    ///
    /// - Parameters:
    ///   - tabs: The part of the value that is the tabs.
    ///   - tab: The tab, which need not be selected.
    ///   - dispatcher: Receives the action; nil for the store and the scope that this object follows.
    public func pathBinding<Tab, Page: Hashable & Sendable>(
        _ tabs: @autoclosure () -> KeyPath<Value, Relux.Navigation.Tabs<Tab, Page>> & Sendable, of tab: Tab,
        to dispatcher: Relux.Dispatcher? = nil,
        fileID: StaticString = #fileID, line: UInt = #line, column: UInt = #column
    ) -> Relux.UI.ViewBinding<[Relux.Navigation.Stack<Page>.Entry]> {
        pathBinding(tabs(), of: tab, to: dispatcher, fileID: fileID, line: line, column: column, sending: { $0 })
    }

    /// The binding of the path of one tab, of tabs in a state of your own, which forwards the actions.
    ///
    /// - Parameters:
    ///   - tabs: The part of the value that is the tabs.
    ///   - tab: The tab, which need not be selected.
    ///   - dispatcher: Receives the action; nil for the store and the scope that this object follows.
    ///   - action: Makes the action from that of the tabs. Its captures must never change for this call site.
    public func pathBinding<Tab, Page: Hashable & Sendable, A: Relux.Action>(
        _ tabs: @autoclosure () -> KeyPath<Value, Relux.Navigation.Tabs<Tab, Page>> & Sendable, of tab: Tab,
        to dispatcher: Relux.Dispatcher? = nil,
        fileID: StaticString = #fileID, line: UInt = #line, column: UInt = #column,
        sending action: @escaping @Sendable (Relux.Navigation.Tabs<Tab, Page>.Action) -> A
    ) -> Relux.UI.ViewBinding<[Relux.Navigation.Stack<Page>.Entry]> {
        bindPath(
            Relux.UI.BoundPath(tabs).appending(\.[tab]), of: AnySendableHashable(tab), to: dispatcher,
            at: .init(fileID: fileID, line: line), column
        ) { action(.in(tab, $0)) }
    }

    /// The binding of a sheet of a tab, as that of a stack.
    ///
    /// - Parameters:
    ///   - tab: The tab; nil for the one that is selected now.
    ///   - layer: The number of modal pages below the sheet: 0 for the sheet over the tab's path.
    ///   - dispatcher: Receives the action; nil for the store and the scope that this object follows.
    public func modalBinding<Tab, Page: Hashable & Sendable>(
        of tab: Tab? = nil, layer: Int = 0, to dispatcher: Relux.Dispatcher? = nil,
        fileID: StaticString = #fileID, line: UInt = #line, column: UInt = #column
    ) -> Relux.UI.ViewBinding<Relux.Navigation.Stack<Page>.Entry?> where Value == Relux.Navigation.Tabs<Tab, Page> {
        modalBinding(\.self, of: tab, layer: layer, to: dispatcher, fileID: fileID, line: line, column: column)
    }

    /// The binding of a sheet of a tab, of tabs that are a part of the value.
    ///
    /// - Parameters:
    ///   - tabs: The part of the value that is the tabs.
    ///   - tab: The tab; nil for the one that is selected now.
    ///   - layer: The number of modal pages below the sheet: 0 for the sheet over the tab's path.
    ///   - dispatcher: Receives the action; nil for the store and the scope that this object follows.
    public func modalBinding<Tab, Page: Hashable & Sendable>(
        _ tabs: @autoclosure () -> KeyPath<Value, Relux.Navigation.Tabs<Tab, Page>> & Sendable, of tab: Tab? = nil,
        layer: Int = 0, to dispatcher: Relux.Dispatcher? = nil,
        fileID: StaticString = #fileID, line: UInt = #line, column: UInt = #column
    ) -> Relux.UI.ViewBinding<Relux.Navigation.Stack<Page>.Entry?> {
        modalBinding(
            tabs(), of: tab, layer: layer, to: dispatcher, fileID: fileID, line: line, column: column,
            sending: { $0 })
    }

    /// The binding of a sheet of a tab, of tabs in a state of your own, which forwards the actions.
    ///
    /// - Parameters:
    ///   - tabs: The part of the value that is the tabs.
    ///   - tab: The tab; nil for the one that is selected now.
    ///   - layer: The number of modal pages below the sheet: 0 for the sheet over the tab's path.
    ///   - dispatcher: Receives the action; nil for the store and the scope that this object follows.
    ///   - action: Makes the action from that of the tabs. Its captures must never change for this call site.
    public func modalBinding<Tab, Page: Hashable & Sendable, A: Relux.Action>(
        _ tabs: @autoclosure () -> KeyPath<Value, Relux.Navigation.Tabs<Tab, Page>> & Sendable, of tab: Tab? = nil,
        layer: Int = 0, to dispatcher: Relux.Dispatcher? = nil,
        fileID: StaticString = #fileID, line: UInt = #line, column: UInt = #column,
        sending action: @escaping @Sendable (Relux.Navigation.Tabs<Tab, Page>.Action) -> A
    ) -> Relux.UI.ViewBinding<Relux.Navigation.Stack<Page>.Entry?> {
        let path = Relux.UI.BoundPath(tabs)
        let tab = tab ?? value[keyPath: path.keyPath].selected
        return bindModal(
            path.appending(\.[tab]), layer, of: AnySendableHashable(tab), to: dispatcher,
            at: .init(fileID: fileID, line: line), column
        ) { action(.in(tab, $0)) }
    }
}

extension Relux.Navigation.Stack {
    /// The entry of the modal page with this number of modal pages below it; nil if there is none.
    fileprivate subscript(modal layer: Int) -> Entry? {
        let entries = modalEntries
        return entries.indices.contains(layer) ? entries[layer] : nil
    }
}

// MARK: - Presentation by entry

extension Relux.UI.ViewState {
    /// The binding of a navigation container's path, such as `NavigationStack(path:)`: the entries that are pushed on
    /// top of the root page.
    ///
    /// A container that pops by itself reports the lowest entry that it no longer shows, so a late path never removes a
    /// newer page. Pages are pushed only by actions: a path that isn't the beginning of the shown one is ignored.
    ///
    /// - Parameters:
    ///   - stack: The part of the value that is the stack.
    ///   - dispatcher: Receives the action; nil for the store and the scope that this object follows.
    public func pathBinding<Page: Hashable & Sendable>(
        _ stack: KeyPath<Value, Relux.Navigation.Stack<Page>> & Sendable, to dispatcher: Relux.Dispatcher? = nil,
        fileID: StaticString = #fileID, line: UInt = #line, column: UInt = #column
    ) -> Relux.UI.ViewBinding<[Relux.Navigation.Stack<Page>.Entry]> {
        binding(
            sendable(stack.appending(path: \.pathEntries)), to: dispatcher, fileID: fileID, line: line, column: column
        ) { shown, new -> Relux.Navigation.Stack<Page>.Action? in
            let kept = zip(shown, new).prefix { $0.id == $1.id }.count
            return kept == new.count && kept < shown.count ? .popFrom(shown[kept].id) : nil
        }
    }

    /// The binding of a sheet or a cover, such as `.sheet(item:)`: the entry of the modal page in a layer.
    ///
    /// A dismissal names the entry that was shown, so a late one never closes a newer page.
    ///
    /// - Parameters:
    ///   - stack: The part of the value that is the stack.
    ///   - layer: The number of modal pages below the sheet: 0 for the sheet over the root's path.
    ///   - dispatcher: Receives the action; nil for the store and the scope that this object follows.
    public func modalBinding<Page: Hashable & Sendable>(
        _ stack: KeyPath<Value, Relux.Navigation.Stack<Page>> & Sendable, layer: Int = 0,
        to dispatcher: Relux.Dispatcher? = nil,
        fileID: StaticString = #fileID, line: UInt = #line, column: UInt = #column
    ) -> Relux.UI.ViewBinding<Relux.Navigation.Stack<Page>.Entry?> {
        binding(
            sendable(stack.appending(path: \.[modal: layer])), to: dispatcher, fileID: fileID, line: line,
            column: column
        ) { shown, new -> Relux.Navigation.Stack<Page>.Action? in
            new == nil ? shown.map { .dismissEntry($0.id) } : nil
        }
    }
}

private func sendable<Root, Value>(_ path: KeyPath<Root, Value>) -> KeyPath<Root, Value> & Sendable {
    // unsafeBitCast: what is appended to a sendable key path here captures nothing but a number.
    unsafeBitCast(path, to: (KeyPath<Root, Value> & Sendable).self)
}

extension Relux.Navigation.Stack {
    /// The entry of the modal page with this number of modal pages below it; nil if there is none.
    fileprivate subscript(modal layer: Int) -> Entry? {
        let entries = modalEntries
        return entries.indices.contains(layer) ? entries[layer] : nil
    }
}

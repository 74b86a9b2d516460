extension Relux.UI {
    /// The part of ``Selected`` that needs no toolkit: a value that is selected from the store in the environment.
    ///
    /// While there is no store, no such instance, or no such state, it has another value.
    @MainActor
    final class SelectedValue<Value: Equatable & Sendable> {
        /// Everything that a selection depends on. The view state is made again when one of these changes.
        private struct Key: Equatable {
            let dispatcher: Relux.Dispatcher?
            let id: AnySendableHashable?
            let otherwise: Value
        }

        private var key: Key?
        private(set) var state: ViewState<Value>?

        init() {}

        /// Follows the store and the scope that are now in the environment.
        ///
        /// - Parameters:
        ///   - handle: The store and the scope; nil if there is none.
        ///   - id: The value that the selection captures.
        ///   - otherwise: What to show while there is nothing to select from.
        ///   - query: Makes the selection.
        func follow(
            _ handle: Relux.StoreHandle?, id: AnySendableHashable?, otherwise: Value, at site: Relux.CallSite,
            _ query: @Sendable () -> StateQuery<Value>
        ) {
            let key = Key(dispatcher: handle?.dispatcher, id: id, otherwise: otherwise)
            guard key != self.key else { return }
            self.key = key
            guard let handle else {
                state = ViewState(constant: otherwise)
                return
            }
            var query = query()
            query.otherwise = otherwise
            // This throws only inside a store, which evaluates no views.
            state = (try? ViewHub.viewState(query, handle, at: site)) ?? ViewState(constant: otherwise)
        }
    }
}

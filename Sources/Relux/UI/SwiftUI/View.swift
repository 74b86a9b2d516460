#if canImport(SwiftUI)
    import SwiftUI

    extension Relux.UI {
        /// A SwiftUI view that shows props and calls callbacks.
        ///
        /// Two views are equal when their props and callbacks are equal. With `.equatable()`, SwiftUI then doesn't
        /// evaluate the body again. The view knows nothing about a store: a ``Container`` creates its props and
        /// callbacks.
        public protocol View: SwiftUI.View, Equatable {
            /// The type of what the view shows.
            associatedtype Props: ViewProps
            /// The type of what the view can trigger.
            associatedtype Callbacks: ViewCallbacks

            /// The values that the view shows.
            nonisolated var props: Props { get }
            /// The callbacks of the view.
            nonisolated var callbacks: Callbacks { get }
        }

        /// The only place where a view tree dispatches. It selects props from states and creates callbacks.
        @MainActor
        public protocol Container: SwiftUI.View {
            /// The handle on the store that receives the actions.
            var dispatcher: Relux.Dispatcher { get }
        }
    }

    extension Relux.UI.View {
        /// Whether the props and the callbacks of both views are equal.
        public nonisolated static func == (lhs: Self, rhs: Self) -> Bool {
            lhs.props == rhs.props && lhs.callbacks == rhs.callbacks
        }
    }

    extension Relux.UI.Container {
        /// Dispatches actions, and returns when the work that they triggered has ended or will never start.
        ///
        /// - Parameters:
        ///   - execution: Whether an action and its work end before the next action, or all actions run concurrently.
        ///   - actions: Lists the actions.
        /// - Returns: How the work ended.
        @discardableResult
        public func actions(
            _ execution: Relux.Execution = .serially, fileID: StaticString = #fileID, line: UInt = #line,
            @Relux.ActionsBuilder _ actions: () -> [any Relux.Action]
        ) async -> Relux.ActionResult {
            await dispatcher.actions(execution, fileID: fileID, line: line, actions)
        }
    }
#endif

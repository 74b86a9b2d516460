#if canImport(SwiftUI)
    import SwiftUI

    extension Relux.UI {
        /// A SwiftUI view of props and callbacks: equal when both are, so that it is made again only then.
        ///
        /// It knows nothing of a store; a ``Container`` makes both for it. In a list or a stack, `.equatable()` asks
        /// SwiftUI to compare.
        public protocol View: SwiftUI.View, Equatable {
            /// What the view shows.
            associatedtype Props: ViewProps
            /// What the view can do.
            associatedtype Callbacks: ViewCallbacks

            /// What the view shows.
            nonisolated var props: Props { get }
            /// What the view can do.
            nonisolated var callbacks: Callbacks { get }
        }

        /// The only place where a view tree dispatches: it selects props from states and makes callbacks.
        @MainActor
        public protocol Container: SwiftUI.View {
            /// Where actions go.
            var dispatcher: Relux.Dispatcher { get }
        }
    }

    extension Relux.UI.View {
        /// Whether props and callbacks are equal.
        ///
        /// - Parameters:
        ///   - lhs: A view.
        ///   - rhs: Another one.
        /// - Returns: Whether they show and do the same.
        public nonisolated static func == (lhs: Self, rhs: Self) -> Bool {
            lhs.props == rhs.props && lhs.callbacks == rhs.callbacks
        }
    }

    extension Relux.UI.Container {
        /// Takes actions and returns when what they set off has ended, or will never start.
        ///
        /// - Parameters:
        ///   - execution: One after the other, each with all that it sets off, or side by side.
        ///   - fileID: The file of the call.
        ///   - line: The line of the call.
        ///   - actions: Lists the actions.
        /// - Returns: How they ended.
        @discardableResult
        public func actions(
            _ execution: Relux.Execution = .serially, fileID: StaticString = #fileID, line: UInt = #line,
            @Relux.ActionsBuilder _ actions: () -> [any Relux.Action]
        ) async -> Relux.ActionResult {
            await dispatcher.actions(execution, fileID: fileID, line: line, actions)
        }
    }
#endif

#if canImport(SwiftUI)
    import SwiftUI

    extension Relux.UI {
        /// A selection from the store in the environment, for a container.
        ///
        /// ```swift
        /// @Relux.UI.Selected(\Shop.State.path, otherwise: []) private var path
        ///
        /// @Relux.UI.Selected({ (items: Items.State) in ItemsProps(items) }, otherwise: ItemsProps.empty)
        /// private var props
        /// ```
        ///
        /// Its value is correct in the first `body`, and in the first one after the store, the scope, or the module has
        /// been added, removed, or changed. If one of them is missing, it is `otherwise`. `$props` is the
        /// ``ViewState``, for bindings: `$props.binding(\.title, sending: Items.Action.titleChanged)`.
        ///
        /// The selection must not capture any values, except those that `id` names. It is made again when `id` changes.
        @MainActor
        @propertyWrapper
        public struct Selected<Value: Equatable & Sendable>: DynamicProperty {
            private let query: @Sendable () -> StateQuery<Value>
            private let otherwise: Value
            private let id: AnySendableHashable?
            private let site: Relux.CallSite

            @SwiftUI.Environment(\.reluxStore) private var store
            @SwiftUI.Environment(\.reluxScope) private var scope
            @SwiftUI.State private var selection = SelectedValue<Value>()

            /// Selects a part of a state.
            ///
            /// - Parameters:
            ///   - select: Selects the part. It runs inside the store, so keep it short.
            ///   - otherwise: The value while there is no such state.
            ///   - id: The value that the selection captures. For several values, use an array or a struct.
            public init<S: Relux.State>(
                _ select: @escaping @Sendable (S) -> Value, otherwise: Value,
                id: (any Hashable & Sendable)? = nil, fileID: StaticString = #fileID, line: UInt = #line
            ) {
                let site = Relux.CallSite(fileID: fileID, line: line)
                self.init(otherwise, id, site) { .selection(select, at: site) }
            }

            /// Selects a property of a state.
            ///
            /// - Parameters:
            ///   - path: The property. It must not contain an index: the store reads it after each change.
            ///   - otherwise: The value while there is no such state.
            public init<S: Relux.State>(
                _ path: KeyPath<S, Value> & Sendable, otherwise: Value,
                fileID: StaticString = #fileID, line: UInt = #line
            ) {
                let site = Relux.CallSite(fileID: fileID, line: line)
                self.init(otherwise, nil, site) { .selection({ (state: S) in state[keyPath: path] }, at: site) }
            }

            /// Selects from several states, which are read at one point of the total order.
            ///
            /// - Parameters:
            ///   - select: Selects the value. It runs inside the store, so keep it short.
            ///   - otherwise: The value while there is no store or no such instance.
            ///   - id: The value that the selection captures. For several values, use an array or a struct.
            public init(
                reading select: @escaping @Sendable (borrowing Relux.StateReader) -> Value, otherwise: Value,
                id: (any Hashable & Sendable)? = nil, fileID: StaticString = #fileID, line: UInt = #line
            ) {
                let site = Relux.CallSite(fileID: fileID, line: line)
                self.init(otherwise, id, site) { .selection(select, at: site) }
            }

            private init(
                _ otherwise: Value, _ id: (any Hashable & Sendable)?, _ site: Relux.CallSite,
                _ query: @escaping @Sendable () -> StateQuery<Value>
            ) {
                self.otherwise = otherwise
                self.id = id.map { AnySendableHashable($0) }
                self.site = site
                self.query = query
            }

            /// The selected value, or `otherwise`.
            public var wrappedValue: Value { selection.state?.value ?? otherwise }

            /// The view state, for bindings.
            public var projectedValue: ViewState<Value> { selection.state ?? ViewState(constant: otherwise) }

            /// Follows the store and the scope that are now in the environment. SwiftUI calls it before `body`.
            public nonisolated func update() {
                // SwiftUI updates the properties of views on the main actor.
                MainActor.assumeIsolated {
                    selection.follow(scope?.handle ?? store?.handle, id: id, otherwise: otherwise, at: site, query)
                }
            }
        }
    }
#endif

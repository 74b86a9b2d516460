#if canImport(SwiftUI)
    import SwiftUI

    extension EnvironmentValues {
        /// Where containers below dispatch; goes nowhere unless a store was resolved above.
        public var dispatcher: Relux.Dispatcher {
            get { self[DispatcherKey.self] }
            set { self[DispatcherKey.self] = newValue }
        }
    }

    private struct DispatcherKey: EnvironmentKey {
        static let defaultValue = Relux.Dispatcher.none
    }

    extension SwiftUI.View {
        /// Makes a store once, however often the view appears, and shows a placeholder until it is there.
        ///
        /// The store lives as long as this view does. Views below find its dispatcher in the environment.
        ///
        /// - Parameters:
        ///   - make: Makes the store.
        ///   - placeholder: Shown until then, with the error if making it failed.
        /// - Returns: A view that shows this one once there is a store.
        public func resolvingStore(
            _ make: @escaping @Sendable () async throws -> Relux.Store,
            @ViewBuilder placeholder: @escaping ((any Error)?) -> some SwiftUI.View
        ) -> some SwiftUI.View {
            modifier(StoreResolver(make: make, placeholder: placeholder))
        }
    }

    private struct StoreResolver<Placeholder: SwiftUI.View>: ViewModifier {
        let make: @Sendable () async throws -> Relux.Store
        let placeholder: ((any Error)?) -> Placeholder

        @SwiftUI.State private var store: Relux.Store?
        @SwiftUI.State private var error: (any Error)?
        @SwiftUI.State private var making: Task<Relux.Store, any Error>?

        func body(content: Content) -> some SwiftUI.View {
            Group {
                if let store {
                    content.environment(\.dispatcher, store.dispatcher)
                } else {
                    placeholder(error)
                }
            }
            .task {
                // The task of a view ends when it disappears; the one that makes the store goes on, so that the next
                // appearance awaits the same store.
                let task = making ?? Task { try await make() }
                making = task
                do { store = try await task.value } catch { self.error = error }
            }
        }
    }
#endif

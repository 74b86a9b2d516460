#if canImport(SwiftUI)
    import Observation
    import SwiftUI

    extension SwiftUI.Binding where Value: Hashable & Sendable {
        /// A SwiftUI binding that reads and sets a ``Relux/UI/ViewBinding``.
        ///
        /// It is made from a key path. Unlike a binding made from two closures, SwiftUI can compare it, and a set keeps
        /// its animation.
        @MainActor
        public init(_ binding: Relux.UI.ViewBinding<Value>) {
            self = SwiftUI.Bindable(BindingRoot.shared)[dynamicMember: \.[binding]]
        }
    }

    extension SwiftUI.Binding {
        /// Whether there is a value, for alerts. Setting false removes the value, and setting true does nothing.
        @MainActor
        public func isPresent<Wrapped>() -> SwiftUI.Binding<Bool> where Value == Wrapped? {
            self[dynamicMember: \.isPresentNow]
        }
    }

    extension Optional {
        fileprivate var isPresentNow: Bool {
            get { self != nil }
            set { if !newValue { self = nil } }
        }
    }

    /// The object from which key paths lead to all bindings.
    @MainActor
    private final class BindingRoot: Observable {
        static let shared = BindingRoot()

        subscript<Value>(_ binding: Relux.UI.ViewBinding<Value>) -> Value {
            get { binding.wrappedValue }
            set { binding.wrappedValue = newValue }
        }
    }
#endif

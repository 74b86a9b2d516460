// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
// Apple documents these declarations; a stub has nothing to add.

// The declarations of SwiftUI that Sources/Relux/UI/SwiftUI uses, and no more: with a module of this name those files
// are type-checked where there is no SwiftUI. Nothing here runs. Signatures follow Apple's documentation.

@MainActor @preconcurrency
public protocol View {
    associatedtype Body: View
    @ViewBuilder var body: Body { get }
}

extension Never: View {
    public var body: Never { fatalError("A stub has no views.") }
}

public struct EmptyView: View {
    nonisolated public init() {}
    public var body: Never { fatalError("A stub has no views.") }
}

@resultBuilder
public struct ViewBuilder {
    public static func buildExpression<Content: View>(_ content: Content) -> Content { content }
    public static func buildBlock() -> EmptyView { EmptyView() }
    public static func buildBlock<Content: View>(_ content: Content) -> Content { content }
    public static func buildEither<First: View, Second: View>(first: First) -> _ConditionalContent<First, Second> {
        _ConditionalContent()
    }
    public static func buildEither<First: View, Second: View>(second: Second) -> _ConditionalContent<First, Second> {
        _ConditionalContent()
    }
}

public struct _ConditionalContent<TrueContent, FalseContent>: View {
    nonisolated init() {}
    public var body: Never { fatalError("A stub has no views.") }
}

public struct Group<Content: View>: View {
    public init(@ViewBuilder content: () -> Content) {}
    public var body: Never { fatalError("A stub has no views.") }
}

@MainActor @preconcurrency
public protocol ViewModifier {
    associatedtype Body: View
    typealias Content = _ViewModifier_Content<Self>
    @ViewBuilder func body(content: Content) -> Body
}

public struct _ViewModifier_Content<Modifier>: View {
    public var body: Never { fatalError("A stub has no views.") }
}

public struct ModifiedContent<Content, Modifier>: View {
    public var body: Never { fatalError("A stub has no views.") }
}

extension View {
    nonisolated public func modifier<Modifier>(_ modifier: Modifier) -> ModifiedContent<Self, Modifier> {
        fatalError("A stub has no views.")
    }

    nonisolated public func environment<Value>(
        _ keyPath: WritableKeyPath<EnvironmentValues, Value>, _ value: Value
    ) -> some View {
        EmptyView()
    }

    nonisolated public func task(
        priority: TaskPriority = .userInitiated,
        @_inheritActorContext _ action: sending @escaping @isolated(any) () async -> Void
    ) -> some View {
        EmptyView()
    }
}

public protocol EnvironmentKey {
    associatedtype Value
    static var defaultValue: Value { get }
}

public struct EnvironmentValues {
    public init() {}
    public subscript<Key: EnvironmentKey>(_ key: Key.Type) -> Key.Value {
        get { Key.defaultValue }
        set {}
    }
}

@propertyWrapper
public struct State<Value> {
    public init(wrappedValue: Value) {}
    public var wrappedValue: Value {
        get { fatalError("A stub has no state.") }
        nonmutating set {}
    }
}

extension State where Value: ExpressibleByNilLiteral {
    public init() {}
}

// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
// Apple documents these declarations; a stub has nothing to add.

// The declarations of SwiftUI that Sources/Relux/UI/SwiftUI and the examples beside this file use, and no more: with a
// module of this name those files are type-checked where there is no SwiftUI. Nothing here runs. Signatures follow
// Apple's documentation.

@MainActor @preconcurrency
public protocol View {
    associatedtype Body: View
    @ViewBuilder var body: Body { get }
}

extension Never: View {
    public var body: Never { fatalError("A stub has no views.") }
}

extension Optional: View where Wrapped: View {
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
    public static func buildBlock<each Content: View>(
        _ content: repeat each Content
    ) -> TupleView<(repeat each Content)> {
        TupleView((repeat each content))
    }
    public static func buildIf<Content: View>(_ content: Content?) -> Content? { content }
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

public struct TupleView<Value>: View {
    nonisolated public init(_ value: Value) {}
    public var body: Never { fatalError("A stub has no views.") }
}

public struct VStack<Content: View>: View {
    public init(@ViewBuilder content: () -> Content) {}
    public var body: Never { fatalError("A stub has no views.") }
}

public struct ZStack<Content: View>: View {
    public init(alignment: Alignment = .center, @ViewBuilder content: () -> Content) {}
    public var body: Never { fatalError("A stub has no views.") }
}

public struct Alignment: Sendable {
    public static let center = Alignment()
}

public struct ProgressView<Label: View, CurrentValueLabel: View>: View {
    public var body: Never { fatalError("A stub has no views.") }
}

extension ProgressView where Label == EmptyView, CurrentValueLabel == EmptyView {
    nonisolated public init() {}
}

public struct ForEach<Data: RandomAccessCollection, ID: Hashable, Content: View>: View {
    public var body: Never { fatalError("A stub has no views.") }
}

public struct List<SelectionValue: Hashable, Content: View>: View {
    public var body: Never { fatalError("A stub has no views.") }
}

extension List where SelectionValue == Never {
    public init<Data: RandomAccessCollection, RowContent: View>(
        _ data: Data, @ViewBuilder rowContent: @escaping (Data.Element) -> RowContent
    ) where Content == ForEach<Data, Data.Element.ID, RowContent>, Data.Element: Identifiable {}
}

public struct Text: View {
    nonisolated public init(verbatim content: String) {}
    public var body: Never { fatalError("A stub has no views.") }
}

public struct Button<Label: View>: View {
    public var body: Never { fatalError("A stub has no views.") }
}

extension Button where Label == Text {
    public init<Title: StringProtocol>(_ title: Title, action: @escaping @MainActor () -> Void) {}
}

public struct EquatableView<Content: Equatable & View>: View {
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
    nonisolated public func disabled(_ disabled: Bool) -> some View {
        EmptyView()
    }

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

extension View where Self: Equatable {
    nonisolated public func equatable() -> EquatableView<Self> {
        fatalError("A stub has no views.")
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

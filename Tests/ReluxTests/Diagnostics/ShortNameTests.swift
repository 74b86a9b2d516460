import Testing

@testable import Relux

@Suite("Short names of types")
struct ShortNameTests {
    private enum Page: Hashable, Sendable { case home }

    struct Box<Content> {
        enum Action { case opened }

        struct Lid<Key> {}
    }

    private struct Hidden<Content> {}

    @Test("a type's name includes its enclosing types but no module")
    func plainTypes() {
        #expect(shortName(of: Log.self) == "Log")
        #expect(shortName(of: Log.Action.self) == "Log.Action")
        #expect(shortName(of: Relux.CallSite.self) == "Relux.CallSite")
        #expect(shortName(of: Int.self) == "Int")
    }

    @Test("a generic type's name includes its enclosing types, and neither it nor its arguments have a module")
    func genericTypes() {
        #expect(shortName(of: Relux.Navigation.Stack<Log>.self) == "Relux.Navigation.Stack<Log>")
        #expect(shortName(of: Relux.Navigation.Stack<Log>.Action.self) == "Relux.Navigation.Stack<Log>.Action")
        #expect(
            shortName(of: Box<[String: Log.Action]>.Action.self)
                == "ShortNameTests.Box<Dictionary<String, Log.Action>>.Action")
        #expect(
            shortName(of: Box<Int>.Lid<Box<Log>.Action>.self)
                == "ShortNameTests.Box<Int>.Lid<ShortNameTests.Box<Log>.Action>")
    }

    @Test("private and local types are named without their context")
    func privateTypes() {
        struct Local<Content> {
            enum Action {}
        }

        #expect(shortName(of: Page.self) == "ShortNameTests.Page")
        #expect(shortName(of: Hidden<Page>.self) == "ShortNameTests.Hidden<ShortNameTests.Page>")
        #expect(shortName(of: Local<Page>.Action.self) == "ShortNameTests.Local<ShortNameTests.Page>.Action")
    }

    @Test("a type in an extension of a type from another module is named after both types")
    func extendedTypes() {
        #expect(shortName(of: Relux.Navigation.Added.self) == "Relux.Navigation.Added")
        #expect(shortName(of: Box<Relux.Navigation.Added>.self) == "ShortNameTests.Box<Relux.Navigation.Added>")
    }

    @Test("tuples, functions, and existentials contain no module names")
    func otherTypes() {
        #expect(shortName(of: (Int, Log).self) == "(Int, Log)")
        #expect(shortName(of: ((Log) -> Log.Action).self) == "(Log) -> Log.Action")
        #expect(shortName(of: (any Relux.Action).self) == "Relux.Action")
        #expect(shortName(of: Log?.self) == "Optional<Log>")
        #expect(shortName(of: Void.self) == "()")
        #expect(shortName(of: Any.self) == "Any")
        #expect(shortName(of: AnyObject.self) == "AnyObject")
    }
}

extension Relux.Navigation {
    fileprivate struct Added {}
}

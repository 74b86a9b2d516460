import Testing

@testable import Relux

@Suite("Names of types", .timeLimit(.minutes(10)))
struct TypeNamesTests {
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
                == "TypeNamesTests.Box<Dictionary<String, Log.Action>>.Action")
        #expect(
            shortName(of: Box<Int>.Lid<Box<Log>.Action>.self)
                == "TypeNamesTests.Box<Int>.Lid<TypeNamesTests.Box<Log>.Action>")
    }

    @Test("private and local types are named without their context")
    func privateTypes() {
        struct Local<Content> {
            enum Action {}
        }

        #expect(shortName(of: Page.self) == "TypeNamesTests.Page")
        #expect(shortName(of: Hidden<Page>.self) == "TypeNamesTests.Hidden<TypeNamesTests.Page>")
        #expect(shortName(of: Local<Page>.Action.self) == "TypeNamesTests.Local<TypeNamesTests.Page>.Action")
    }

    @Test("a full name includes modules, but no contexts of private and local types")
    func fullNames() {
        struct Local<Content> {}

        #expect(fullName(of: Log.Action.self) == "ReluxTests.Log.Action")
        // A module whose main type has its name is named once.
        #expect(fullName(of: Relux.CallSite.self) == "Relux.CallSite")
        #expect(
            fullName(of: Relux.ChildAction<Chat.Module, Log.Action>.self).hasPrefix("Relux.ChildAction<ReluxTests."))
        #expect(fullName(of: Relux.Navigation.Stack<Log>.self) == "Relux.Navigation.Stack<ReluxTests.Log>")
        #expect(fullName(of: Hidden<Int>.self) == "ReluxTests.TypeNamesTests.Hidden<Swift.Int>")
        #expect(fullName(of: Local<Log>.self) == "ReluxTests.TypeNamesTests.Local<ReluxTests.Log>")
    }

    @Test("a type in an extension of a type from another module is named after both types")
    func extendedTypes() {
        #expect(shortName(of: Relux.Navigation.Added.self) == "Relux.Navigation.Added")
        #expect(shortName(of: Box<Relux.Navigation.Added>.self) == "TypeNamesTests.Box<Relux.Navigation.Added>")
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

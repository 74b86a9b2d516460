import Testing

@testable import SampleDomain

@Suite struct StackContainsTests {
    @Test func `a page is found anywhere on the stack`() {
        let stack = Navigation.Stack(
            path: [.pet("a"), .pet("b")], modals: [.init(.pet("c"), path: [.pet("d")]), .init(.pet("e"))]
        )

        #expect(["a", "b", "c", "d", "e"].allSatisfy { stack.contains(.pet($0)) })
        #expect(!stack.contains(.pet("f")))
        #expect(!Navigation.Stack().contains(.pet("a")))
    }
}

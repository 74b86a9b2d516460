import SampleServices
import Testing

@testable import SampleDomain

@Suite struct ItemsQueryTests {
    @Test(arguments: [
        ("", "anything"), ("  ", "anything"), ("mil", "Buy milk"), ("MILK buy", "Buy milk"), ("cafe", "Café"),
        ("CAFÉ", "cafe au lait"), ("牛乳", "牛乳を買う"), ("ａ", "abc"), ("ß", "Straße"),
    ])
    func `all words must match, in any order, ignoring case, accents, and width`(text: String, title: String) {
        #expect(Items.Query(text).finds(title))
    }

    @Test(arguments: [("milk bread", "Buy milk"), ("milks", "Buy milk"), ("x", "")])
    func `one missing word is enough for no match`(text: String, title: String) {
        #expect(!Items.Query(text).finds(title))
    }

    @Test func `the filtered list keeps its order, active and completed`() {
        let list = Items.List([
            .sample(1, title: "Milk"), .sample(2, title: "Bread"), .sample(3, title: "Milk again"),
            .sample(4, title: "Old milk", completed: 1), .sample(5, title: "Newer milk", completed: 2),
        ])

        let left = Items.Query("milk").narrowed(list)

        #expect(left.titles == ["Milk", "Milk again", "Newer milk", "Old milk"])
        #expect(Items.Query(" ").narrowed(list) == list)
    }
}

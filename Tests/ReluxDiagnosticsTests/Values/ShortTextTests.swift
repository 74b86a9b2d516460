import Testing

@testable import ReluxDiagnostics

@Suite("Short texts", .timeLimit(.minutes(10)))
struct ShortTextTests {
    private let long = String(repeating: "a", count: 300)

    @Test("short texts stay as they are")
    func short() {
        #expect(ShortText.cut("added(1)") == "added(1)")
        #expect(ShortText.differing("20", "0") == (old: "20", new: "0"))
    }

    @Test("a long text is cut in the middle")
    func cut() {
        let text = ShortText.cut("added(\(long))")

        #expect(text.hasPrefix("added(aaa") && text.hasSuffix("aaa)") && text.contains("a…a"))
        #expect(text.count < 165)
    }

    @Test("of two long texts, the parts that differ are shown with a little of what is around")
    func differing() {
        let (old, new) = ShortText.differing("\(long)1\(long)", "\(long)22\(long)")
        let margin = String(repeating: "a", count: 30)

        #expect(old == "…\(margin)1\(margin)…")
        #expect(new == "…\(margin)22\(margin)…")
    }

    @Test("a part that has been inserted, removed, or is everything is shown", arguments: [0, 1, 200])
    func edges(count: Int) {
        let (old, new) = ShortText.differing(long, long + String(repeating: "b", count: count))

        #expect(old.hasSuffix("a") && !old.contains("b"))
        #expect(new.hasSuffix(count == 0 ? "a" : "b"))
        #expect(max(old.count, new.count) < 165)
    }
}

import Testing

@testable import sample_cli

@Suite struct SuggestionTests {
    private let commands = ["list", "add", "done", "reopen", "move", "rename", "delete"]

    @Test(arguments: [
        ("lsit", "list"), ("LIST", "list"), ("ad", "add"), ("remove", "move"), ("renmae", "rename"), ("dele", "delete"),
        ("re", "rename"), ("lists", "list"), ("m", "move"),
    ])
    func `a typing error or a prefix is understood`(word: String, command: String) {
        #expect(Suggestion.nearest(to: word, among: commands) == command)
    }

    @Test(arguments: ["", "xyz", "frobnicate"])
    func `a word that resembles nothing gets no suggestion`(word: String) {
        #expect(Suggestion.nearest(to: word, among: commands) == nil)
    }

    @Test(arguments: [
        ("", "", 0), ("a", "", 1), ("", "abc", 3), ("abc", "abc", 0), ("ab", "ba", 1), ("kitten", "sitting", 3),
    ])
    func `the distance counts insertions, deletions, replacements, and swaps`(one: String, other: String, count: Int) {
        #expect(Suggestion.distance(from: one, to: other) == count)
        #expect(Suggestion.distance(from: other, to: one) == count)
    }
}

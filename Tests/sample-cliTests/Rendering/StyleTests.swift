import Testing

@testable import sample_cli

@Suite struct StyleTests {
    @Test func `a terminal gets colours, and everything else none`() {
        #expect(Style(isTerminal: true, environment: ["TERM": "xterm"])(.id, "x") == "\u{1B}[33mx\u{1B}[0m")
        #expect(Style(isTerminal: false, environment: ["TERM": "xterm"])(.id, "x") == "x")
    }

    @Test(arguments: [["NO_COLOR": "1"], ["NO_COLOR": "0"], ["TERM": "dumb"]])
    func `NO_COLOR disables colours`(environment: [String: String]) {
        #expect(Style(isTerminal: true, environment: environment) == .plain)
    }

    @Test func `an empty NO_COLOR is ignored`() {
        #expect(Style(isTerminal: true, environment: ["NO_COLOR": ""]).isColourful)
    }
}

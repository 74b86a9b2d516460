import Foundation
import SampleDomain
import SampleServices
import Testing

@testable import sample_cli

@Suite struct StyleTests {
    @Test func `a terminal gets colours, and everything else none`() {
        #expect(Style(isTerminal: true, environment: ["TERM": "xterm"])(.id, "x") == "\u{1B}[33mx\u{1B}[0m")
        #expect(Style(isTerminal: false, environment: ["TERM": "xterm"])(.id, "x") == "x")
    }

    @Test(arguments: [["NO_COLOR": "1"], ["NO_COLOR": "0"], ["TERM": "dumb"]])
    func `NO_COLOR disables colours, unless it is empty`(environment: [String: String]) {
        #expect(Style(isTerminal: true, environment: environment) == .plain)
        #expect(Style(isTerminal: true, environment: ["NO_COLOR": ""]).isColourful)
    }

    // MARK: What people read about lists

    private let presenter = Presenter(
        locale: Locale(identifier: "en_AU"), timeZone: .gmt, calendar: Calendar(identifier: .gregorian))
    private let noon = Date(timeIntervalSince1970: 1_700_000_000)

    @Test func `a list has active and completed items, with numbers of one width`() {
        let items = (1...9).map { Item("Item \($0)") } + [Item("Milk\u{1B}", completed: noon)]

        let lines = Style.plain.lines(of: presenter.listing(of: Items.List(items)))

        #expect(lines.prefix(2) == ["To do (9)", "   1  Item 1"])
        #expect(lines.suffix(2) == ["Done (1)", "  10  Milk\\u{1B}  14 Nov 2023"])
    }

    @Test func `an empty list has no lines, and colours mark numbers and what is done`() {
        let list = Items.List([Item("Milk", completed: noon)])

        #expect(Style.plain.lines(of: presenter.listing(of: Items.List())) == [])
        #expect(
            Style(isColourful: true).lines(of: presenter.listing(of: list)) == [
                "\u{1B}[1mDone (1)\u{1B}[0m", "  \u{1B}[33m1\u{1B}[0m  \u{1B}[2mMilk  14 Nov 2023\u{1B}[0m",
            ])
    }

    @Test func `settings are a table`() {
        let lines = Style.plain.lines(of: Settings.Table(UserSettings(displayName: "A\tda"), .guest))

        #expect(lines.prefix(3) == ["Names", "  Display name  A\\tda", "  List name     (none)"])
        #expect(lines.last == "  Signed in as  (nobody)")
    }
}

import SampleServices
import Testing

@testable import sample_cli

@Suite struct PaletteTests {
    private let plain = Palette(environment: ["NO_COLOR": "1"])

    @Test func `each span has its look`() {
        var line = Line("a", .title)
        line.append("b", isInverse: true)

        #expect(plain.output(of: line, width: 9) == "\u{1B}[0;1ma\u{1B}[0;7mb")
    }

    @Test func `if terminals may disagree about a width, the cursor is positioned again`() {
        #expect(plain.output(of: Line("👩‍👧x"), width: 9) == "\u{1B}[0m👩‍👧\u{1B}[3Gx")
        #expect(plain.output(of: Line("牛x"), width: 9) == "\u{1B}[0m牛x")
    }

    @Test func `colours follow the theme, and disappear if they are disabled`() {
        let colourful = Palette(theme: .pilbara, environment: [:])

        #expect(colourful.sequence(for: .title) == "\u{1B}[0;1;38;5;166m")
        #expect(Palette(theme: .collaroy, environment: [:]).sequence(for: .title) == "\u{1B}[0;1;38;5;31m")
        #expect(Palette(environment: ["NO_COLOR": ""]) == colourful, "an empty one doesn't count")
        for look in [Look.plain, .title, .faint, .accent, .failure, .colour(red: 1, green: 2, blue: 3)] {
            let sequence = plain.sequence(for: look, isInverse: true)
            #expect(!sequence.contains("3") && sequence.hasSuffix("7m"))
        }
    }
}

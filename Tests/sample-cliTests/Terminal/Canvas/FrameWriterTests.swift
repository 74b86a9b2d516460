import ReluxTesting
import SampleServices
import Testing

@testable import sample_cli

@Suite struct FrameWriterTests {
    private let size = TerminalSize(rows: 3, columns: 20)
    private let writer = FrameWriter(palette: Palette(environment: ["NO_COLOR": "1"]))

    private func canvas(_ lines: String...) -> Canvas {
        var canvas = Canvas(size)
        for (row, line) in lines.enumerated() { canvas.write(line, in: Area(size).line(row)) }
        return canvas
    }

    @Test func `the first picture is written completely, onto an empty screen`() {
        #expect(
            writer.update(from: nil, to: canvas("ab", "", "c"))
                == "\u{1B}[0m\u{1B}[2J\u{1B}[0m\u{1B}[1;1Hab\u{1B}[3;1Hc")
    }

    @Test func `an identical picture costs nothing`() {
        #expect(writer.update(from: canvas("ab", "牛"), to: canvas("ab", "牛")) == "")
    }

    @Test func `only differences are written`() {
        #expect(writer.update(from: canvas("same", "abcdef"), to: canvas("same", "abXdef")) == "\u{1B}[0m\u{1B}[2;3HX")
        #expect(writer.update(from: canvas("abc"), to: canvas("a")) == "\u{1B}[0m\u{1B}[1;2H  ")
    }

    @Test func `cells near each other are written together, others are jumped to`() {
        #expect(
            writer.update(from: canvas("abcdefghijklmnop"), to: canvas("XbcXefghijklmnoX"))
                == "\u{1B}[0m\u{1B}[1;1HXbcX\u{1B}[1;16HX")
    }

    @Test func `another size means a new screen`() {
        let small = Canvas(TerminalSize(rows: 1, columns: 1))

        #expect(writer.update(from: canvas("abc"), to: small) == "\u{1B}[0m\u{1B}[2J")
    }

    @Test func `if terminals may disagree about a width, the cursor is positioned again`() {
        #expect(
            writer.update(from: canvas(""), to: canvas("👩‍👧x"))
                == "\u{1B}[0m\u{1B}[1;1H  \u{1B}[1;1H👩‍👧\u{1B}[1;3Hx")
        #expect(writer.update(from: canvas(""), to: canvas("牛x")) == "\u{1B}[0m\u{1B}[1;1H牛x")
    }

    @Test func `a look is set once, and reset`() {
        var new = Canvas(size)
        let rest = new.write("a", in: Area(size), .title)
        new.write("bc", in: rest, .title)

        #expect(writer.update(from: canvas(""), to: new) == "\u{1B}[0;1m\u{1B}[1;1Habc\u{1B}[0m")
    }

    @Test func `colours follow the theme, and disappear if they are disabled`() {
        let colourful = Palette(theme: .pilbara, environment: [:])

        #expect(colourful.sequence(for: .title) == "\u{1B}[0;1;38;5;166m")
        #expect(Palette(theme: .collaroy, environment: [:]).sequence(for: .title) == "\u{1B}[0;1;38;5;31m")
        #expect(Palette(environment: ["NO_COLOR": ""]) == colourful, "an empty one doesn't count")
        for look in [Look.plain, .title, .faint, .accent, .failure, Look(role: .colour(red: 1, green: 2, blue: 3))] {
            let sequence = Palette(environment: ["NO_COLOR": "1"]).sequence(for: look.selected(true))
            #expect(!sequence.contains("3") && sequence.hasSuffix("7m"))
        }
    }

    @Test func `after any changes the terminal shows the last picture`() {
        var generator = SeededGenerator(seed: 1)
        let texts = ["abc", "牛乳を買う", "", "e\u{301}é", "👩‍👧 a 👍🏽", "x", "a long line that is cut"]
        var terminal = TerminalEmulator(rows: size.rows, columns: size.columns)
        var shown: Canvas?
        for _ in 0..<300 {
            var next = Canvas(size)
            for row in 0..<size.rows {
                let text = texts.randomElement(using: &generator) ?? ""
                let area = Area(size).line(row).columns(from: .random(in: 0...6, using: &generator))
                next.write(text, in: area, Bool.random(using: &generator) ? .title : .plain)
            }

            terminal.take(Array(writer.update(from: shown, to: next).utf8))
            shown = next

            #expect(terminal.lines == (0..<size.rows).map(next.text(inRow:)))
        }
    }
}

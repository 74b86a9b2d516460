import ReluxTesting
import Testing

@testable import sample_cli

/// Updates of a screen: only rows that differ are written.
@Suite struct TerminalSequencesTests {
    private let begin = "\u{1B}[?2026h"
    private let end = "\u{1B}[?2026l"

    @Test func `the first picture is written completely, onto an empty screen`() {
        #expect(
            TerminalSequences.update(from: nil, to: ["a", "b"])
                == "\(begin)\u{1B}[0m\u{1B}[2J\u{1B}[1;1H\u{1B}[0m\u{1B}[2Ka\u{1B}[2;1H\u{1B}[0m\u{1B}[2Kb\(end)")
        #expect(TerminalSequences.update(from: ["a"], to: ["a", "b"]).hasPrefix("\(begin)\u{1B}[0m\u{1B}[2J"))
    }

    @Test func `only rows that differ are written, and an identical picture costs nothing`() {
        #expect(
            TerminalSequences.update(from: ["a", "b"], to: ["a", "c"])
                == "\(begin)\u{1B}[2;1H\u{1B}[0m\u{1B}[2Kc\(end)")
        #expect(TerminalSequences.update(from: ["a", "b"], to: ["a", "b"]) == "")
    }

    @Test func `an unknown or impossible size is corrected`() {
        #expect(TerminalSize(rows: 0, columns: 0) == TerminalSize(rows: 24, columns: 80))
        #expect(TerminalSize(rows: 65_535, columns: 65_535) == TerminalSize(rows: 1_000, columns: 1_000))
    }

    @Test func `after any changes the terminal shows the last picture`() {
        var generator = SeededGenerator(seed: 1)
        let palette = Palette(environment: [:])
        let texts = ["abc", "牛乳を買う", "", "e\u{301}é", "👩‍👧 a 👍🏽", "x", "a line that is far too long"]
        var terminal = TerminalEmulator(rows: 3, columns: 20)
        var shown: [String]?
        for _ in 0..<300 {
            let lines = (0..<3).map { _ in
                var line = Line(isSelected: .random(using: &generator))
                for _ in 0..<2 { line.append(texts.randomElement(using: &generator) ?? "", .title) }
                return line
            }
            let picture = lines.map { palette.output(of: $0, width: 20) }

            terminal.take(Array(TerminalSequences.update(from: shown, to: picture).utf8))
            shown = picture

            #expect(terminal.lines == lines.map { $0.seen(width: 20) } && terminal.unknown.isEmpty)
        }
    }
}

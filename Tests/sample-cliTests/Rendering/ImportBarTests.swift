import Testing

@testable import SampleDomain
@testable import sample_cli

@Suite struct ImportBarTests {
    private func line(_ saved: Int, _ fraction: Double?, width: Int = 80) -> String {
        var progress = Items.ImportProgress()
        (progress.saved, progress.fraction) = (saved, fraction)
        let line = ImportBar(progress: progress, width: width).line
        #expect(line.hasPrefix("\r\u{1B}[K"))
        return String(line.dropFirst(4))
    }

    @Test func `it shows how much of the text has been read, and how many items there are`() {
        #expect(line(0, 0) == "[........................................]  0 items  0%")
        #expect(line(25_000, 0.25) == "[##########..............................]  25,000 items  25%")
        #expect(line(100_000, 1) == "[########################################]  100,000 items  100%")
        #expect(line(1, 2) == "[########################################]  1 item  200%")
    }

    @Test func `if the size of the text is unknown, there is no bar`() {
        #expect(line(3_000, nil) == "3,000 items")
    }

    @Test(arguments: 1...100) func `it fits on the line, whatever the width`(width: Int) {
        for fraction in [nil, 0, 0.5, 1] as [Double?] {
            #expect(line(1_234_567, fraction, width: width).count < width)
        }
    }
}

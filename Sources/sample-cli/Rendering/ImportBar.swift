import SampleDomain

/// The progress of an import, as a line that replaces the previous one.
struct ImportBar {
    /// Moves to the start of the line and clears it.
    static let cleared = "\r\u{1B}[K"

    let progress: Items.ImportProgress
    let width: Int

    /// The line, which replaces the current one. If the terminal is too narrow, the bar is omitted.
    var line: String {
        let count = Texts.importing(progress.saved)
        guard let fraction = progress.fraction else { return Self.cleared + count.prefix(max(width - 1, 0)) }
        let percentage = Texts.percentage(fraction)
        // The last column is left empty, because some terminals wrap there.
        let room = min(40, width - count.count - percentage.count - 7)
        let text = "\(count)  \(percentage)"
        guard room >= 5 else { return Self.cleared + text.prefix(max(width - 1, 0)) }
        let full = min(max(Int(fraction * Double(room)), 0), room)
        let bar = String(repeating: "#", count: full) + String(repeating: ".", count: room - full)
        return Self.cleared + "[\(bar)]  \(text)"
    }
}

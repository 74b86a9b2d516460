import SampleDomain

/// Shows how far an import is, in one line that the next one replaces.
struct ImportBar {
    /// Goes back to the beginning of the line, and clears it.
    static let cleared = "\r\u{1B}[K"

    let progress: Items.ImportProgress

    /// How many characters the line may have.
    let width: Int

    /// The line, in place of what stands there. In a terminal that is too narrow for the bar it has none.
    var line: String {
        let count = Texts.importing(progress.saved)
        guard let fraction = progress.fraction else { return Self.cleared + count.prefix(max(width - 1, 0)) }
        let percentage = Texts.percentage(fraction)
        // The last column stays free: some terminals begin a new line there.
        let room = min(40, width - count.count - percentage.count - 7)
        let text = "\(count)  \(percentage)"
        guard room >= 5 else { return Self.cleared + text.prefix(max(width - 1, 0)) }
        let full = min(max(Int(fraction * Double(room)), 0), room)
        let bar = String(repeating: "#", count: full) + String(repeating: ".", count: room - full)
        return Self.cleared + "[\(bar)]  \(text)"
    }
}

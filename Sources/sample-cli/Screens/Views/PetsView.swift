import Relux
import SampleDomain
import SampleServices

/// The contents of the pets screen: the catalogue, or a page on top of it.
struct PetsProps: Relux.UI.ViewProps {
    /// The catalogue, or nil until it has been requested.
    var listing: Pets.Listing?
    var page: Pets.Page?
}

/// The actions of the pets screen.
struct PetsCallbacks: Relux.UI.ViewCallbacks {
    let load: Relux.UI.ViewCallback<Void>
    let open: Relux.UI.ViewCallback<Pet.ID>
    let back: Relux.UI.ViewCallback<Void>

    static let noop = PetsCallbacks(load: .noop, open: .noop, back: .noop)
}

/// The catalogue of pets, and the page of one pet on top of it.
struct PetsView: ScreenView {
    var props: PetsProps {
        didSet {
            cursor.follow(count: rows.count, rows.id(at:))
            if props.page?.id != oldValue.page?.id { firstLine = 0 }
        }
    }
    let callbacks: PetsCallbacks
    private var cursor = ListCursor<Pet.ID>()
    private var page = 1
    /// The first visible line of a pet's page.
    private var firstLine = 0

    init(props: PetsProps = PetsProps(), callbacks: PetsCallbacks) {
        self.props = props
        self.callbacks = callbacks
        cursor.follow(count: rows.count, rows.id(at:))
    }

    var prompt: Prompt? { nil }

    var hints: String { props.page == nil ? Texts.petsHints : Texts.petHints }

    mutating func handle(_ key: Key) -> Bool {
        if props.page != nil { return handleOnPage(key) }
        if cursor.take(key, page: page, count: rows.count, rows.id(at:)) { return true }
        switch key {
        case .enter, .right:
            guard let id = cursor.id, !rows.isEmpty else { return false }
            callbacks.open.fire(id)
        case .control("r"): callbacks.load.fire()
        default: return false
        }
        return true
    }

    private mutating func handleOnPage(_ key: Key) -> Bool {
        switch key {
        case .escape, .left, .backspace: callbacks.back.fire()
        case .up, .character("k"): firstLine = max(0, firstLine - 1)
        case .down, .character("j"): firstLine += 1
        case .pageUp: firstLine = max(0, firstLine - max(1, page - 1))
        case .pageDown: firstLine += max(1, page - 1)
        case .home: firstLine = 0
        default: return false
        }
        return true
    }

    private var rows: [Pets.Listing.Row] { props.listing?.rows ?? [] }
}

// MARK: - Drawing

extension PetsView {
    mutating func draw(on canvas: inout Canvas, in area: Area) {
        page = area.height
        if let page = props.page { draw(page, on: &canvas, in: area) } else { drawListing(on: &canvas, in: area) }
    }

    private mutating func drawListing(on canvas: inout Canvas, in area: Area) {
        let notice = props.listing?.notice.map { lines(of: $0, width: area.width) } ?? []
        // A notice is shown above the list, but never replaces all of it.
        let height = rows.isEmpty ? area.height : min(notice.count, max(0, area.height - 1))
        canvas.write(notice, in: area.rows(from: 0, height))
        let body = area.rows(from: min(notice.count, height))
        let widths = (
            rows.map(\.name.visible.columns).max() ?? 0, rows.map(\.species.visible.columns).max() ?? 0
        )
        cursor.scroll(toSee: cursor.index, height: body.height, of: rows.count)
        for (index, line) in zip(rows.indices.dropFirst(cursor.firstRow), body.lines) {
            draw(row: index, widths, on: &canvas, in: line)
        }
    }

    private func draw(row index: Int, _ widths: (Int, Int), on canvas: inout Canvas, in line: Area) {
        let row = rows[index]
        let isHere = index == cursor.index
        let look = Look.plain.selected(isHere)
        canvas.paint(line, look)
        var rest = canvas.write(isHere ? "> " : "  ", in: line, look)
        rest = canvas.write("■ ", in: rest, (row.colour.flatMap(Look.init(hex:)) ?? .faint).selected(isHere))
        for (text, width) in [(row.name, widths.0), (row.species, widths.1), (row.age, 0)] {
            canvas.write(text, in: rest, look)
            rest = rest.columns(from: width + 2)
        }
    }

    private mutating func draw(_ page: Pets.Page, on canvas: inout Canvas, in area: Area) {
        var lines = [Line(text: page.name, look: .title)]
        let labels = page.fields.map { Texts.label($0.kind) }
        let width = (labels.map(\.columns).max() ?? 0) + 2
        for (label, field) in zip(labels, page.fields) {
            let isBeside = area.width >= width + 20
            let texts = field.text.wrapped(to: isBeside ? area.width - width - 2 : area.width - 2)
            if !isBeside { lines.append(Line(text: "  \(label)", look: .faint)) }
            for (index, text) in texts.enumerated() {
                let margin = isBeside ? (index == 0 ? label : "").padded(to: width) : ""
                lines.append(Line(text: "  \(margin)\(text)"))
            }
        }
        if let notice = page.notice { lines += [Line(text: "")] + self.lines(of: notice, width: area.width) }
        firstLine = max(0, min(firstLine, lines.count - area.height))
        canvas.write(lines.dropFirst(firstLine), in: area)
    }

    private func lines(of notice: Pets.Notice, width: Int) -> [Line] {
        notice.lines.lines(width: width, notice.kind == .failure ? .failure : .faint)
    }
}

extension [Pets.Listing.Row] {
    fileprivate func id(at index: Int) -> Pet.ID { self[index].id }
}

extension Look {
    /// Parses a colour of the form `#C68642`. The result is nil for any other text.
    init?(hex: String) {
        guard hex.count == 7, hex.first == "#", let value = UInt32(hex.dropFirst(), radix: 16) else { return nil }
        let part = { (shift: UInt32) in UInt8(truncatingIfNeeded: value >> shift) }
        self.init(role: .colour(red: part(16), green: part(8), blue: part(0)))
    }
}

import Relux
import SampleDomain
import SampleServices

/// The contents of the pets screen: the catalogue, or a page on top of it.
struct PetsProps: Relux.UI.ViewProps {
    /// The catalogue, or nil until it has been requested.
    var listing: Pets.Listing?
    var page: Pets.Page?
}

/// The callbacks of the pets screen.
struct PetsCallbacks: Relux.UI.ViewCallbacks {
    let load: Relux.UI.ViewCallback<Void>
    let open: Relux.UI.ViewCallback<Pet.ID>
    let back: Relux.UI.ViewCallback<Void>

    init(to dispatcher: Relux.Dispatcher) {
        load = .init(sending: Pets.Effect.load, to: dispatcher)
        open = .init(to: dispatcher, sending: { Pets.Command.open($0) })
        back = .init(sending: Navigation.Stack.Action.pop, to: dispatcher)
    }
}

/// The catalogue of pets, and the page of one pet on top of it.
@MainActor struct PetsView: ScreenView {
    private(set) var props = PetsProps()
    private var callbacks: PetsCallbacks?
    private var cursor = ListCursor<Pet.ID>()
    private var page = 1
    /// The first visible line of a pet's page.
    private var firstLine = 0

    mutating func fill(_ props: PetsProps, _ callbacks: PetsCallbacks) {
        if props.page?.id != self.props.page?.id { firstLine = 0 }
        (self.props, self.callbacks) = (props, callbacks)
        cursor.follow(count: rows.count, rows.id(at:))
    }

    /// Requests the catalogue if that hasn't been done.
    func appear() {
        if props.listing == nil { callbacks?.load.fire() }
    }

    var prompt: Prompt? { nil }

    var hints: String { props.page == nil ? Texts.petsHints : Texts.petHints }

    mutating func handle(_ key: Key) -> Bool {
        if props.page != nil { return handleOnPage(key) }
        if cursor.take(key, page: page, count: rows.count, rows.id(at:)) { return true }
        switch key {
        case .enter, .right:
            guard let id = cursor.id, !rows.isEmpty else { return false }
            callbacks?.open.fire(id)
        case .character("R"): callbacks?.load.fire()
        default: return false
        }
        return true
    }

    private mutating func handleOnPage(_ key: Key) -> Bool {
        switch key {
        case .escape, .left, .backspace: callbacks?.back.fire()
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
    mutating func lines(_ size: TerminalSize) -> [Line] {
        page = size.rows
        if let page = props.page { return lines(of: page, size) }
        // A notice is shown above the list, but never replaces all of it.
        let notice = props.listing?.notice.map { lines(of: $0, width: size.columns) } ?? []
        let top = notice.prefix(rows.isEmpty ? size.rows : size.rows - 1)
        let height = size.rows - top.count
        cursor.scroll(toSee: cursor.index, height: height, of: rows.count)
        let name = rows.map(\.name.visible.columns).max() ?? 0
        let species = rows.map(\.species.visible.columns).max() ?? 0
        return top
            + rows.enumerated().dropFirst(cursor.firstRow).prefix(height).map { index, row in
                let isHere = index == cursor.index
                var line = Line(isHere ? "> " : "  ", isSelected: isHere)
                line.append("■ ", row.colour.flatMap(Look.init(hex:)) ?? .faint)
                line.append(row.name.visible.padded(to: name + 2) + row.species.visible.padded(to: species + 2))
                line.append(row.age)
                return line
            }
    }

    private mutating func lines(of page: Pets.Page, _ size: TerminalSize) -> [Line] {
        var lines = [Line(page.name, .title)]
        let width = (page.fields.map { Texts.label($0.kind).columns }.max() ?? 0) + 2
        for field in page.fields {
            let label = Texts.label(field.kind)
            let isBeside = size.columns >= width + 20
            let texts = field.text.wrapped(to: size.columns - 2 - (isBeside ? width : 0))
            if !isBeside { lines.append(Line("  \(label)", .faint)) }
            for (index, text) in texts.enumerated() {
                let margin = isBeside ? (index == 0 ? label : "").padded(to: width) : ""
                lines.append(Line("  \(margin)\(text)"))
            }
        }
        if let notice = page.notice { lines += [Line()] + self.lines(of: notice, width: size.columns) }
        firstLine = max(0, min(firstLine, lines.count - size.rows))
        return Array(lines.dropFirst(firstLine).prefix(size.rows))
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
        self = .colour(red: part(16), green: part(8), blue: part(0))
    }
}

import SampleDomain

extension RootView {
    /// The lines of the whole screen, one for each row. Asking for them may update the scroll positions.
    mutating func lines(_ size: TerminalSize) -> [Line] {
        let prompt = isAskingToLeave ? .question(Texts.reallyLeave) : screen.prompt
        // On a terminal with few rows, the screen itself and its prompt take precedence.
        let head = size.rows >= 4 ? [tabs(width: size.columns)] : []
        let troubles = size.rows >= 5 ? troubles(width: size.columns, limit: max(1, size.rows / 4)) : []
        let foot = size.rows >= 2 || prompt != nil ? [prompt?.line(width: size.columns) ?? hint] : []
        let height = size.rows - head.count - troubles.count - foot.count
        let body = height > 0 ? body(TerminalSize(rows: height, columns: size.columns)).prefix(height) : []
        let space = Array(repeating: Line(), count: height - body.count)
        return head + body + space + troubles + foot
    }

    private mutating func body(_ size: TerminalSize) -> [Line] {
        if isHelpOpen {
            return Texts.keys.map { key in
                var line = Line(key.keys.padded(to: 24), .accent)
                line.append(key.meaning)
                return line
            }
        }
        switch tab {
        case .items: return items.lines(size)
        case .pets: return pets.lines(size)
        case .users: return users.lines(size)
        case .settings: return settings.lines(size)
        }
    }

    private func tabs(width: Int) -> Line {
        var line = Line()
        for tab in Tab.allCases {
            let isHere = tab == self.tab
            line.append(" \(tab.rawValue + 1) \(Texts.title(tab, props)) ", isHere ? .title : .faint, isInverse: isHere)
        }
        // The profile is shown at the right if the tabs leave enough space.
        let name = Texts.name(of: props.profile)
        let space = width - line.columns - name.columns
        if space > 0 { line.append(String(repeating: " ", count: space) + name, .accent) }
        return line
    }

    private var hint: Line {
        if let remark { return Line(remark, .accent) }
        let hints = [screen.hints, Texts.commonHints].filter { !$0.isEmpty }
        return Line(isHelpOpen ? Texts.helpHints : hints.joined(separator: "  "), .faint)
    }

    private func troubles(width: Int, limit: Int) -> [Line] {
        let unloaded = props.settings == nil ? unloaded : nil
        guard let text = unsaved.map({ "\(Texts.retryHint) \($0)" }) ?? unloaded else { return [] }
        return text.wrapped(to: width, limit: limit).map { Line($0, .failure) }
    }
}

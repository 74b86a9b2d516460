extension RootView {
    /// Updates the view with everything that has happened since the last picture.
    ///
    /// If the profile changed, earlier keys apply to what was displayed before, and nothing that was started with one
    /// profile's data acts on another's without a question.
    mutating func take(_ news: Happenings.News) -> Outcome {
        let early = news.turn ?? 0
        if heed(news.sayings[..<early]) == .ends { return .ends }
        if let props = news.items { items.props = props }
        if let props = news.pets { pets.props = props }
        if let props = news.users { users.props = props }
        if let props = news.settings { settings.props = props }
        if let props = news.frame { self.props = props }
        if news.turn != nil { followProfileChange() }
        return heed(news.sayings[early...])
    }

    private mutating func heed(_ sayings: ArraySlice<Happenings.Saying>) -> Outcome {
        for saying in sayings {
            switch saying {
            case .keys(let keys):
                for key in keys where handle(key) == .ends { return .ends }
            case .remark(let text): say(text)
            }
        }
        return .goesOn
    }
}

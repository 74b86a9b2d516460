extension RootView {
    /// Goes on from what was seen last to all that has happened since.
    ///
    /// Where the data changed hands, the keys from before mean what was seen before, and nothing that was begun with
    /// one's data goes on with another's.
    mutating func take(_ news: Happenings.News) -> Outcome {
        let early = news.turn ?? 0
        if heed(news.sayings[..<early]) == .ends { return .ends }
        if let props = news.items { items.props = props }
        if let props = news.pets { pets.props = props }
        if let props = news.users { users.props = props }
        if let props = news.settings { settings.props = props }
        if let props = news.frame { self.props = props }
        if news.turn != nil { startAnew() }
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

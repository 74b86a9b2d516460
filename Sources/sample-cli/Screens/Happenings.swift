import Relux
import SampleDomain

/// Collects the events of the interface, from anywhere, for a single reader, which takes all of them at once.
///
/// Of the values to show, only the newest is kept: lists are large, and a reader that has fallen behind doesn't need
/// older ones. Keys and remarks are all kept, in the order of their arrival.
final class Happenings: Sendable {
    enum Event: Sendable {
        case terminal(FullScreen.Event)
        case items(ItemsProps)
        case pets(PetsProps)
        case users(UsersProps)
        case settings(SettingsProps)
        case frame(FrameProps, Session.State.Standing?)
        case remark(String)
        case end
    }

    /// An event that is never skipped.
    enum Saying: Sendable, Equatable {
        case keys([Key])
        case remark(String)
    }

    /// Everything that has happened since the reader's last look.
    struct News: Sendable {
        /// The keys and remarks, in the order of their arrival.
        var sayings: [Saying] = []
        /// The number of sayings before the last change of profile, or nil if it hasn't changed.
        var turn: Int?
        var isLast = false
        var items: ItemsProps?
        var pets: PetsProps?
        var users: UsersProps?
        var settings: SettingsProps?
        var frame: FrameProps?
    }

    private struct Contents {
        var news = News()
        var standing: Session.State.Standing?

        mutating func add(_ event: Event) {
            switch event {
            case .terminal(.keys(let keys)): news.sayings.append(.keys(keys))
            case .terminal(.disturbed): break
            case .items(let props): news.items = props
            case .pets(let props): news.pets = props
            case .users(let props): news.users = props
            case .settings(let props): news.settings = props
            case .frame(let props, let newStanding):
                news.frame = props
                if let standing, standing != .unknown, standing != newStanding { news.turn = news.sayings.count }
                standing = newStanding
            case .end: news.isLast = true
            case .remark(let text): news.sayings.append(.remark(text))
            }
        }
    }

    /// Yields an element after one or more events have been added.
    let wakes: AsyncStream<Void>
    private let wake: AsyncStream<Void>.Continuation
    private let contents = Lock(Contents())

    init() {
        (wakes, wake) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    func add(_ event: Event) {
        contents.withLock { $0.add(event) }
        wake.yield()
    }

    func take() -> News {
        contents.withLock { contents in
            let news = contents.news
            contents.news = News()
            return news
        }
    }
}

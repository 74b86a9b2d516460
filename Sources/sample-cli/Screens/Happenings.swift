import Relux
import SampleDomain

/// What has happened to the interface, for one reader who takes all of it at once, however much that is.
///
/// Of what is to be shown only the newest is kept: lists are large, and a reader who is behind needs no others. Keys
/// and remarks are all kept, in the order of their coming.
///
/// - Isolation: Anybody may tell it something, which waits for nobody.
final class Happenings: Sendable {
    /// Something that happens.
    enum Event: Sendable {
        case terminal(FullScreen.Event)
        case items(ItemsProps)
        case pets(PetsProps)
        case users(UsersProps)
        case settings(SettingsProps)
        case frame(FrameProps, Session.State.Standing?)
        case remark(String)
    }

    /// What is passed over in no case.
    enum Saying: Sendable, Equatable {
        case keys([Key])
        case remark(String)
    }

    /// All that has happened since somebody looked.
    struct News: Sendable {
        /// Keys and remarks, in the order of their coming.
        var sayings: [Saying] = []

        /// How many of them came before the data changed hands, the last time; nil where they didn't.
        var turn: Int?

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
            case .remark(let text): news.sayings.append(.remark(text))
            }
        }
    }

    /// Has an element after something has happened; one stands for any number.
    let wakes: AsyncStream<Void>

    private let wake: AsyncStream<Void>.Continuation
    private let contents = Lock(Contents())

    init() {
        (wakes, wake) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    /// Tells what happens.
    func add(_ event: Event) {
        contents.withLock { $0.add(event) }
        wake.yield()
    }

    /// What has happened since this was last asked.
    func take() -> News {
        contents.withLock { contents in
            let news = contents.news
            contents.news = News()
            return news
        }
    }
}

import Conduit
import ConduitServer
import Foundation
import Relux
import ReluxPersistence
import ReluxQueries

/// A terminal front end: one command a line, and the screen after it.
///
///     swift run conduit-cli                        with a server of its own, in memory
///     swift run conduit-cli http://localhost:8080  with another one
@main
struct Program {
    let store: Relux.Store

    static let help = """
        register NAME EMAIL PASSWORD · login EMAIL PASSWORD · logout · bio TEXT
        global · own · tag TAG · liked · more · reload
        open NUMBER · like · follow · author · comment TEXT · back
        write · edit · title TEXT · text TEXT · tags TAG… · publish
        help · quit
        """

    static let noEditor = "There is no editor: write, or open and edit an article."

    static func main() async throws {
        let address = CommandLine.arguments.dropFirst().first
        let listener = address == nil ? try HTTPListener(ConduitServer()) : nil
        let url = address ?? "http://127.0.0.1:\(listener?.port ?? 0)"
        guard let url = URL(string: url), let folder = folder(for: url) else { return print("\(url) is no address") }
        let storage: any Relux.Storage = address == nil ? Relux.MemoryStorage() : Relux.FileStorage(folder: folder)
        let store = try await Relux.Store { Application(HTTPTransport(url), storage: storage) }
        let program = Program(store: store)
        print(Self.help)
        while let line = readLine() {
            if line == "quit" { break }
            await program.execute(line)
            try? await store.idle(within: .seconds(15))
            print(await program.screen.lines.joined(separator: "\n"), terminator: "\n\n")
            await store.dispatch(Notice.Action.read)
        }
        await store.shutdown()
        listener?.stop()
    }

    /// The folder of a server, which no other server has: it contains the session. Nil if this is no server's address.
    static func folder(for url: URL) -> URL? {
        guard let scheme = url.scheme?.lowercased(), ["http", "https"].contains(scheme),
            let host = url.host(percentEncoded: false)?.lowercased(), !host.isEmpty
        else { return nil }
        let name = "\(host)-\(url.port ?? (scheme == "https" ? 443 : 80))"
        let escaped = name.addingPercentEncoding(withAllowedCharacters: .alphanumerics.union(.init(charactersIn: "-.")))
        return escaped.map { FileManager.default.homeDirectoryForCurrentUser.appending(path: ".conduit/\($0)") }
    }

    private var screen: Screen { get async { await store.read { Screen($0) } } }

    private var page: Page? { get async { try? await store.state(of: Pages.self).entries.last?.page } }

    func execute(_ line: String) async {
        let words = line.split(separator: " ").map(String.init)
        let rest = words.dropFirst().joined(separator: " ")
        switch (words.first ?? "", words.count) {
        case ("register", 4):
            await store.dispatch(SignIn(email: words[2], password: words[3], username: words[1])).finished()
        case ("login", 3): await store.dispatch(SignIn(email: words[1], password: words[2])).finished()
        case ("logout", 1): await store.dispatch(SignOut()).finished()
        case ("bio", 2...): await store.dispatch(ChangeSettings(.init(bio: rest))).finished()
        case ("global", 1): await select(.global)
        case ("own", 1): await select(.own)
        case ("tag", 2): await select(.tag(rest))
        case ("liked", 1):
            if let user = try? await store.state(of: Session.self).user { await select(.favorites(of: user.username)) }
        case ("more", 1): await store.dispatch(Relux.FetchMore(Feed.self, feed)).finished()
        case ("reload", 1): await store.dispatch(Relux.Fetch(Feed.self, feed, .anew)).finished()
        case ("open", 2):
            let slugs = await screen.slugs
            guard let number = Int(rest), slugs.indices.contains(number - 1) else { return }
            await store.dispatch(Pages.Action.push(.article(slugs[number - 1]))).finished()
        case ("author", 1):
            guard let article = await article else { return }
            await store.dispatch(Pages.Action.push(.profile(article.author.username))).finished()
        case ("back", 1): await store.dispatch(Pages.Action.pop)
        case ("like", 1):
            guard let article = await article else { return }
            let mutation = Articles.Mutation(isFavorite: !article.favorited)
            await store.dispatch(Relux.Mutate(Articles.self, mutation, of: article.slug)).finished()
        case ("follow", 1): await follow()
        case ("comment", 2...):
            guard let slug = await article?.slug, let profile = try? await store.state(of: Session.self).profile
            else { return }
            await store.dispatch(Relux.Mutate(Comments.self, .add(rest, by: profile), of: slug)).finished()
        case ("write", 1): await store.dispatch(Pages.Action.push(.editor(nil), ifNotOnTop: true))
        case ("edit", 1): if let slug = await article?.slug { await store.dispatch(Edit(slug)).finished() }
        case ("title", 2...): await type { $0.title = rest }
        case ("text", 2...): await type { $0.body = rest }
        case ("tags", 2...): await type { $0.tagList = Array(words.dropFirst()) }
        case ("publish", 1):
            guard let editor = await editor else { return print(Self.noEditor) }
            await editor.dispatch(Publish()).finished()
        default: print(Self.help)
        }
    }

    private var feed: FeedKey {
        get async {
            if case .profile(let name) = await page { return .author(name) }
            return (try? await store.state(of: Home.self).feed) ?? .global
        }
    }

    private func select(_ feed: FeedKey) async { await store.dispatch(Home.Action.select(feed)) }

    private var article: Article? {
        get async {
            guard case .article(let slug) = await page else { return nil }
            return await store.read { $0.query(Articles.self, slug).value }
        }
    }

    private func follow() async {
        let name: String
        switch await page {
        case .article: name = await article?.author.username ?? ""
        case .profile(let profile): name = profile
        default: return
        }
        let follows = await store.read { $0.query(Profiles.self, name).value?.following == true }
        await store.dispatch(Relux.Mutate(Profiles.self, .init(follows: !follows), of: name)).finished()
    }

    private var editor: Relux.Scope? {
        get async {
            guard let entry = try? await store.state(of: Pages.self).entries.last, case .editor = entry.page
            else { return nil }
            return Application.editor(entry.id, in: store)
        }
    }

    private func type(_ change: (inout Draft.Text) -> Void) async {
        guard let editor = await editor, var text = try? await editor.state(of: EditorState.self).draft.text
        else { return print(Self.noEditor) }
        change(&text)
        await editor.dispatch(EditorState.Action.typed(text))
    }
}

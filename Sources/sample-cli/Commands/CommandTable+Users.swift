import Relux
import SampleDomain
import SampleServices

/// The commands for the presence of users.
extension CommandTable {
    static let users = CommandSpec(
        name: "users",
        summary: "Shows who is online.",
        options: [json],
        subcommands: [
            CommandSpec(name: "list", summary: "Shows who is online and who is offline, each by name.") {
                // Nobody comes or goes while the list is made.
                let service = BundledPresence(rhythm: .seconds(86_400))
                let store = try await $0.store { Users.Module(service: service) }
                try await store.call(Users.Load())
                let listing = Presenter().listing(of: try await store.state(of: Users.State.self))
                return try $0.show(listing, $0.console.style.lines(of: listing))
            }
        ]
    )
}

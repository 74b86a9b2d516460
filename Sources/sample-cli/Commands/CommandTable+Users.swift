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
                // The module loads them by itself, too, and perhaps only now.
                let users = try await store.wait(until: Users.State.self) { !$0.roster.isLoading }
                let listing = Presenter().listing(of: users)
                return try $0.show(listing, $0.console.style.lines(of: listing))
            }
        ]
    )
}

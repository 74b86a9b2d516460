import Relux
import ReluxTesting
import Testing

@testable import Cookbook

/// The code of the article "What waiting waits for".
@Suite("What waiting waits for", .timeLimit(.minutes(1)))
struct WhatWaitingWaitsForTests {
    private struct Server: UploadService {
        func upload(_ file: String, progress: @escaping @Sendable (Double) -> Void) async throws -> String {
            "address of \(file)"
        }
    }

    @Test("the four verbs, one after another")
    func verbs() async throws {
        let store = try await Relux.Store {
            Basket.Module()
            Uploads.Module(service: Server())
        }

        // Returns at once. The action is reduced before whatever this task does next with the store.
        store.send(Basket.State.Action.added("tea"))

        // Returns when the action has been reduced. The state is up to date.
        await store.dispatch(Basket.State.Action.added("milk"))

        // Returns when the upload has ended, with its value.
        let address = try await store.perform(Uploads.Upload(file: "list"))

        // Returns when nothing is going on any more.
        try await store.idle()

        #expect(address == "address of list")
        #expect(try await store.state(of: Basket.State.self).articles == ["tea", "milk"])
        #expect(try await store.state(of: Uploads.State.self).progress.isEmpty)
    }

    @Test("a limit of the wait names what is busy")
    func limit() async throws {
        struct Endless: UploadService {
            func upload(_ file: String, progress: @escaping @Sendable (Double) -> Void) async throws -> String {
                try await Task.sleep(for: .seconds(3600))
                return ""
            }
        }
        let store = try await Relux.Store { Uploads.Module(service: Endless()) }
        await store.dispatch(Uploads.Upload(file: "a"))

        let error = await #expect(throws: Relux.NotIdle.self) { try await store.idle(within: .zero) }

        #expect(error?.busy.count == 1)
        #expect(error?.busy.first?.run.saga == Uploads.Uploader.self)
        await store.shutdown()
    }
}

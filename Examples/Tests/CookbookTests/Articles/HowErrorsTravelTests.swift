import Relux
import ReluxTesting
import Testing

@testable import Cookbook

/// The code of the article "How errors travel".
@Suite("How errors travel", .timeLimit(.minutes(1)))
struct HowErrorsTravelTests {
    private struct Server: UploadService {
        func upload(_ file: String, progress: @escaping @Sendable (Double) -> Void) async throws -> String {
            switch file {
            case "": throw UploadRefused()
            case "lost": throw FeedOffline()
            default: "address of \(file)"
            }
        }
    }

    private func performed(_ file: String, _ store: Relux.Store) async -> String {
        do throws(Relux.EffectError) {
            _ = try await store.perform(Uploads.Upload(file: file))
            return "uploaded"
        } catch {
            switch error {
            case .failed(let cause as UploadRefused): return "refused: \(cause)"
            case .failed(let cause): return "failed: \(cause)"
            case .cancelled, .superseded, .dropped: return "not uploaded"
            case .unhandled, .noInstance, .serialCycle, .storeShutDown: return "a programming error: \(error)"
            @unknown default: return "not uploaded: \(error)"
            }
        }
    }

    private func shown(_ file: String, _ store: Relux.Store) async -> String {
        do throws(Relux.EffectError) {
            return try await store.perform(Uploads.Upload(file: file))
        } catch {
            return error.failure.map { "not uploaded: \($0)" } ?? ""
        }
    }

    private func called(_ file: String, _ store: Relux.Store) async throws -> String {
        do {
            return try await store.call(Uploads.Upload(file: file))
        } catch let error as UploadRefused {
            return "refused: \(error)"
        }
    }

    @Test("perform has a typed error, whose cause is that of the service")
    func perform() async throws {
        let store = try await Relux.Store { Uploads.Module(service: Server()) }

        #expect(await performed("a", store) == "uploaded")
        #expect(await performed("", store) == "refused: UploadRefused()")
        #expect(await performed("lost", store) == "failed: FeedOffline()")
        await store.shutdown()
        #expect(await performed("a", store).hasPrefix("a programming error"))
    }

    @Test("what a user should see is the failure")
    func shown() async throws {
        let store = try await Relux.Store { Uploads.Module(service: Server()) }

        #expect(await shown("a", store) == "address of a")
        #expect(await shown("lost", store) == "not uploaded: FeedOffline()")
        let cancelled = Task { await shown("a", store) }
        cancelled.cancel()
        #expect(["", "address of a"].contains(await cancelled.value))
    }

    @Test("call throws the flow's own error")
    func call() async throws {
        let store = try await Relux.Store { Uploads.Module(service: Server()) }

        #expect(try await called("a", store) == "address of a")
        #expect(try await called("", store) == "refused: UploadRefused()")
        await #expect(throws: FeedOffline.self) { try await called("lost", store) }
    }

    @Test("an error appears in failures only if nobody received it")
    func failures() async throws {
        let store = try await Relux.Store { Uploads.Module(service: Server()) }
        var failures = store.failures.makeAsyncIterator()

        _ = await performed("", store)
        let outcome = await store.dispatch(Uploads.Upload(file: "lost")).outcome()

        #expect(outcome.description == "failure: FeedOffline()")
        #expect(await failures.next()?.error is FeedOffline)
    }

    @Test("what actions reports as a failure is also in failures")
    func actions() async throws {
        let store = try await Relux.Store { Uploads.Module(service: Server()) }
        var failures = store.failures.makeAsyncIterator()

        let result = await store.actions { Uploads.Upload(file: "") }

        #expect(result.description == "failure: UploadRefused()")
        #expect(await failures.next()?.error is UploadRefused)
    }
}

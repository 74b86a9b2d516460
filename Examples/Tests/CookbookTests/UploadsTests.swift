import Relux
import ReluxTesting
import Synchronization
import Testing

@testable import Cookbook

@Suite("Uploads", .timeLimit(.minutes(1)))
struct UploadsTests {
    private struct Server: UploadService {
        func upload(_ file: String, progress: @escaping @Sendable (Double) -> Void) async throws -> String {
            if file.isEmpty { throw UploadRefused() }
            progress(0.5)
            return "address of \(file)"
        }
    }

    /// Takes a second for each file.
    private struct SlowServer: UploadService {
        let clock: ManualClock

        func upload(_ file: String, progress: @escaping @Sendable (Double) -> Void) async throws -> String {
            try await clock.sleep(for: .seconds(1))
            return "address of \(file)"
        }
    }

    /// Refuses each file, and reports progress once more as soon as the upload has left the state.
    private final class LateServer: UploadService, Relux.StoreObserver {
        private let report = Mutex<(@Sendable (Double) -> Void)?>(nil)

        func upload(_ file: String, progress: @escaping @Sendable (Double) -> Void) async throws -> String {
            report.withLock { $0 = progress }
            throw UploadRefused()
        }

        func actionReduced(_ record: Relux.ActionRecord, leaving states: borrowing Relux.StateReader) {
            guard case .ended? = record.action as? Uploads.State.Action else { return }
            report.withLock { $0?(0.9) }
        }
    }

    @Test("the caller gets the address, and the progress is a state")
    func upload() async throws {
        let store = try await TestStore { Uploads.Module(service: Server()) }

        let upload = await store.perform(Uploads.Upload(file: "a")) { (uploads: inout Uploads.State) in
            uploads.progress["a"] = 0
        }
        await store.receive(Uploads.State.Action.progressed("a", 0.5)) { (uploads: inout Uploads.State) in
            uploads.progress["a"] = 0.5
        }
        await store.receive(Uploads.State.Action.ended("a")) { (uploads: inout Uploads.State) in
            uploads.progress["a"] = nil
        }

        #expect(try await upload.output() == "address of a")
        await store.finish()
    }

    @Test("a refusal reaches the caller, typed")
    func refusal() async throws {
        let store = try await Relux.Store { Uploads.Module(service: Server()) }

        await #expect(throws: UploadRefused.self) { try await store.call(Uploads.Upload(file: "")) }

        #expect(try await store.state(of: Uploads.State.self).progress.isEmpty)
    }

    @Test("a report that comes after a failure doesn't bring the progress back")
    func lateReport() async throws {
        let server = LateServer()
        let store = try await Relux.Store(.init(observers: [server])) { Uploads.Module(service: server) }

        await #expect(throws: UploadRefused.self) { try await store.call(Uploads.Upload(file: "a")) }
        try await store.idle()

        #expect(try await store.state(of: Uploads.State.self).progress.isEmpty)
    }

    @Test("cancelling the callers cancels their uploads, those that wait included")
    func cancellation() async throws {
        let clock = ManualClock()
        let store = try await Relux.Store(.init(clock: clock)) { Uploads.Module(service: SlowServer(clock: clock)) }
        let uploads = ["a", "b", "c"].map { file in
            Task { try await store.perform(Uploads.Upload(file: file)) }
        }
        // Two are active, and the third waits.
        await clock.sleepers(atLeast: 2)
        try await store.wait(until: Uploads.State.self) { $0.progress.count == 3 }

        for upload in uploads { upload.cancel() }
        for upload in uploads { _ = await upload.result }

        #expect(try await store.state(of: Uploads.State.self).progress.isEmpty)
    }
}

import Relux
import ReluxTesting
import Testing

@testable import Downloads

@Suite("Downloads", .timeLimit(.minutes(1)))
struct DownloadsTests {
    /// Delivers the next of the given pieces on each attempt. Without more of them, an attempt hangs.
    private actor Server: DownloadService {
        private var attempts: [Result<[Int], ConnectionLost>]
        private(set) var starts: [Int] = []

        init(_ attempts: Result<[Int], ConnectionLost>...) { self.attempts = attempts }

        func pieces(of id: String, from start: Int) -> AsyncThrowingStream<Int, any Error> {
            starts.append(start)
            let (pieces, continuation) = AsyncThrowingStream<Int, any Error>.makeStream()
            guard !attempts.isEmpty else { return pieces }
            switch attempts.removeFirst() {
            case .success(let sizes):
                for size in sizes { continuation.yield(size) }
                continuation.finish()
            case .failure(let error):
                continuation.yield(10)
                continuation.finish(throwing: error)
            }
            return pieces
        }
    }

    @Test("progress, an interruption, and the rest of the file")
    func interruption() async throws {
        let server = Server(.failure(ConnectionLost()), .success([20, 30]))
        let store = try await TestStore { Downloads.Module(service: server) }

        await store.dispatch(Downloads.Start(id: "film"))
        await store.receive(Downloads.State.Action.began("film")) { (state: inout Downloads.State) in
            state.downloads[id: "film"] = .init(id: "film")
        }
        await store.receive(Downloads.State.Action.progressed("film", count: 10)) { (state: inout Downloads.State) in
            state.downloads[id: "film"]?.count = 10
        }
        await store.receive(Downloads.State.Action.paused("film", .seconds(1))) { (state: inout Downloads.State) in
            state.downloads[id: "film"]?.phase = .pausing(.seconds(1))
        }
        await store.advance(by: .seconds(1))
        await store.receive(Downloads.State.Action.progressed("film", count: 30)) { (state: inout Downloads.State) in
            state.downloads[id: "film"] = .init(id: "film", count: 30)
        }
        await store.receive(Downloads.State.Action.progressed("film", count: 60)) { (state: inout Downloads.State) in
            state.downloads[id: "film"]?.count = 60
        }
        await store.receive(Downloads.State.Action.ended("film", .finished)) { (state: inout Downloads.State) in
            state.downloads[id: "film"]?.phase = .finished
        }

        await store.finish()
        #expect(await server.starts == [0, 10])
    }

    @Test("after three attempts, the download has failed")
    func failure() async throws {
        let lost = Result<[Int], ConnectionLost>.failure(ConnectionLost())
        let store = try await TestStore(exhaustivity: .off) { Downloads.Module(service: Server(lost, lost, lost)) }

        await store.dispatch(Downloads.Start(id: "film"))
        await store.advance(by: .seconds(3))
        await store.receive(Downloads.State.Action.ended("film", .failed)) { (state: inout Downloads.State) in
            state.downloads[id: "film"]?.phase = .failed
        }

        await store.finish()
    }

    @Test("stopping one download leaves the others alone")
    func stop() async throws {
        let store = try await TestStore { Downloads.Module(service: Server()) }

        for id in ["film", "song"] {
            await store.dispatch(Downloads.Start(id: id))
            await store.receive(Downloads.State.Action.began(id)) { (state: inout Downloads.State) in
                state.downloads[id: id] = .init(id: id)
            }
        }
        await store.dispatch(Downloads.Stop(id: "film"))
        await store.receive(Downloads.State.Action.ended("film", .stopped)) { (state: inout Downloads.State) in
            state.downloads[id: "film"]?.phase = .stopped
        }

        await store.skipRuns()
        await store.finish()
    }
}

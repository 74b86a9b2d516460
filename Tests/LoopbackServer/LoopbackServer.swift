import Foundation
import Relux

/// A real HTTP server on the loopback address, which answers as a test tells it to.
///
/// - Isolation: Each connection has a thread of its own, so that an answer that is held up holds up nothing else.
/// - Ordering: ``requests`` has the requests in the order in which they came.
/// - Lifetime: It stops with its last reference, and drops what it has not answered.
package final class LoopbackServer: Sendable {
    /// What a client has asked for.
    package struct Request: Sendable, Hashable {
        /// What to do: `GET`.
        package let method: String

        /// With what, as it was sent: `/api/pets`.
        package let path: String

        /// Makes a request, to compare one with.
        ///
        /// - Parameters:
        ///   - method: What to do.
        ///   - path: With what.
        package init(method: String, path: String) {
            self.method = method
            self.path = path
        }
    }

    private let listener: Socket
    private let ending: Latch
    private let journal = Journal()

    /// Where it is: `http://127.0.0.1:` and the port.
    package let address: String

    /// Starts a server.
    ///
    /// - Parameter answer: What to answer. It is asked on the thread of the connection, and may be asked for several at
    ///   the same time.
    /// - Throws: Why the system gives no port or no pipe.
    package init(_ answer: @escaping @Sendable (Request) -> Answer) throws {
        listener = try Socket.bound()
        try listener.listen()
        ending = try Latch()
        address = try "http://127.0.0.1:\(listener.port())"
        Thread.detachNewThread { [listener, ending, journal] in
            while listener.isReadable(before: [ending]), let client = listener.accept() {
                // In the order of their coming: a later client that has an answer proves that all earlier ones count.
                journal.noteBeginning()
                Thread.detachNewThread {
                    defer { journal.noteEnd() }
                    Connection(client: client, ending: ending, journal: journal, answer: answer).serve()
                }
            }
        }
    }

    /// Starts a server that gives these answers in their order, whatever is asked for, and the last one ever after.
    ///
    /// - Parameters:
    ///   - first: What it answers first.
    ///   - more: What it answers then.
    /// - Throws: Why the system gives no port or no pipe.
    package convenience init(_ first: Answer, _ more: Answer...) throws {
        let answers = [first] + more
        let next = Lock(0)
        try self.init { _ in
            let index = next.withLock { next in
                defer { next += 1 }
                return next
            }
            return answers[min(index, answers.count - 1)]
        }
    }

    deinit {
        ending.open()
    }

    /// Everything that has been asked for so far.
    package var requests: [Request] { journal.requests }

    /// Waits until so much has been asked for.
    ///
    /// - Parameter count: How much.
    package func requests(atLeast count: Int) async { await journal.wait { $0.requests.count >= count } }

    /// Waits until so many clients have gone before they had their whole answer.
    ///
    /// - Parameter count: How many.
    package func hangUps(atLeast count: Int) async { await journal.wait { $0.hangUps >= count } }

    /// Waits until no more than so many clients are there.
    ///
    /// - Parameter count: How many.
    package func connections(atMost count: Int) async { await journal.wait { $0.connections <= count } }
}

extension LoopbackServer {
    /// An address at which nobody answers for as long as this is kept.
    package final class Vacancy: Sendable {
        private let socket: Socket

        /// Where nobody answers.
        package let address: String

        /// Takes a port, and doesn't listen.
        ///
        /// - Throws: Why the system gives none.
        package init() throws {
            socket = try Socket.bound()
            address = try "http://127.0.0.1:\(socket.port())"
        }
    }
}

import Foundation
import Relux

/// A real HTTP server on the loopback address, with answers controlled by a test.
///
/// - Isolation: Each connection has a thread of its own, so that a delayed answer delays nothing else.
/// - Ordering: ``requests`` are in the order of their arrival.
/// - Lifetime: It stops when its last reference is released, and drops requests that have not been answered.
package final class LoopbackServer: Sendable {
    /// A client's request.
    package struct Request: Sendable, Hashable {
        /// The method, such as `GET`.
        package let method: String

        /// The path as it was sent, such as `/api/pets`.
        package let path: String

        /// Creates a request to compare others with.
        package init(method: String, path: String) {
            self.method = method
            self.path = path
        }
    }

    private let listener: Socket
    private let ending: Latch
    private let journal = Journal()

    /// The address of the server: `http://127.0.0.1:` and the port.
    package let address: String

    /// Starts a server.
    ///
    /// - Parameter answer: Returns the answer to a request. It is called on the thread of the connection, possibly for
    ///   several connections at the same time.
    /// - Throws: If no port or no pipe is available.
    package init(_ answer: @escaping @Sendable (Request) -> Answer) throws {
        listener = try Socket.bound()
        try listener.listen()
        ending = try Latch()
        address = try "http://127.0.0.1:\(listener.port())"
        Thread.detachNewThread { [listener, ending, journal] in
            while listener.isReadable(before: [ending]), let client = listener.accept() {
                // Counted in the order of arrival, so that an answer to a later client proves that all earlier ones
                // have been counted.
                journal.noteBeginning()
                Thread.detachNewThread {
                    defer { journal.noteEnd() }
                    Connection(client: client, ending: ending, journal: journal, answer: answer).serve()
                }
            }
        }
    }

    /// Starts a server that gives these answers in order, whatever is requested, and repeats the last one.
    ///
    /// - Parameters:
    ///   - first: The first answer.
    ///   - more: The following answers.
    /// - Throws: If no port or no pipe is available.
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

    /// All requests so far.
    package var requests: [Request] { journal.requests }

    /// Waits until there have been at least this many requests.
    package func requests(atLeast count: Int) async { await journal.wait { $0.requests.count >= count } }

    /// Waits until at least this many clients have closed the connection before receiving their whole answer.
    package func hangUps(atLeast count: Int) async { await journal.wait { $0.hangUps >= count } }

    /// Waits until at most this many clients are connected.
    package func connections(atMost count: Int) async { await journal.wait { $0.connections <= count } }
}

extension LoopbackServer {
    /// An address at which nothing answers for as long as this exists.
    package final class Vacancy: Sendable {
        private let socket: Socket

        /// The address.
        package let address: String

        /// Reserves a port without listening.
        ///
        /// - Throws: If no port is available.
        package init() throws {
            socket = try Socket.bound()
            address = try "http://127.0.0.1:\(socket.port())"
        }
    }
}

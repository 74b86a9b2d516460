import Foundation
import LoopbackServer
import SampleServices
import Testing

@testable import SampleServices

/// The service with a real server on the loopback address.
@Suite(.timeLimit(.minutes(10))) struct HTTPPetsServiceTests {
    // The timeout is longer than a test may take, because an answer that a test holds waits for the whole test run.
    private func service(_ address: String) throws -> HTTPPetsService {
        HTTPPetsService(address: try #require(PetsAddress(address)), timeout: 3600)
    }

    /// The result of a request to a server that gives the same answer to everything.
    private func failure<Value>(
        of answer: LoopbackServer.Answer,
        _ ask: (HTTPPetsService) async throws -> Value
    ) async throws -> (reason: PetsServiceError.Reason?, place: String?) {
        let server = try LoopbackServer { _ in answer }
        do {
            _ = try await ask(try service(server.address))
        } catch let error as PetsServiceError {
            return (error.reason, error.place.replacing(server.address, with: "server"))
        }
        return (nil, nil)
    }

    @Test func `the catalogue is fetched with one request, in the order of the answer`() async throws {
        let server = try LoopbackServer { _ in .response(body: #"[{"id":"b","name":"B"},{"id":"a","name":"A"}]"#) }

        let pets = try await service(server.address).pets()

        #expect(pets == [Pet.Summary(id: "b", name: "B"), Pet.Summary(id: "a", name: "A")])
        #expect(server.requests == [LoopbackServer.Request(method: "GET", path: "/api/pets")])
    }

    @Test func `a pet is requested by its id, as one component of the path`() async throws {
        let server = try LoopbackServer { _ in .response(body: #"{"id":"a/b ?","name":"A"}"#) }

        let pet = try await service(server.address + "/shelter/").pet(id: "a/b ?")

        #expect(pet.summary.name == "A")
        #expect(server.requests.map(\.path) == ["/shelter/api/pets/a%2Fb%20%3F"])
    }

    @Test(arguments: ["", ".", ".."])
    func `an id that would lead elsewhere isn't requested`(id: String) async throws {
        let server = try LoopbackServer { _ in .response(body: "[]") }

        await #expect(throws: PetsServiceError(.notFound(id), place: server.address)) {
            try await service(server.address).pet(id: id)
        }
        #expect(server.requests.isEmpty)
    }

    @Test(arguments: [404, 410])
    func `a pet that the server doesn't have isn't found`(status: Int) async throws {
        let failure = try await failure(of: .response(status: status, body: "{}")) { try await $0.pet(id: "a") }

        #expect(failure.reason == .notFound("a") && failure.place == "server/api/pets/a")
    }

    @Test func `a server without a catalogue is reported with its status`() async throws {
        let failure = try await failure(of: .response(status: 404)) { try await $0.pets() }

        #expect(failure.reason == .status(404) && failure.place == "server/api/pets")
    }

    @Test(arguments: [304, 400, 403, 429, 500, 503])
    func `any other unsuccessful status is reported`(status: Int) async throws {
        let list = try await failure(of: .response(status: status, body: "[]")) { try await $0.pets() }
        let pet = try await failure(of: .response(status: status, body: "{}")) { try await $0.pet(id: "a") }

        #expect(list.reason == .status(status) && pet.reason == .status(status))
    }

    @Test(
        arguments: [
            ("", "it is no JSON"),
            ("<html>", "it is no JSON"),
            (#"[{"id":"a","name":"A"}"#, "it is no JSON"),
            ("{}", "it is no list"),
            ("null", "it is null"),
            ("[null]", "“[0]” is null"),
            ("[3]", "“[0]” is no object"),
            (#"[{"id":"a"}]"#, "“[0].name” is missing"),
            (#"[{"id":"a","name":null}]"#, "“[0].name” is null"),
            (#"[{"id":"a","name":"A"},{"id":7,"name":"B"}]"#, "“[1].id” is no text"),
            (#"[{"id":"","name":"A"}]"#, "“[0].id” is empty"),
            (#"[{"id":"a","name":"A","birthday":"yesterday"}]"#, "“[0].birthday” is not a day such as 2021-03-09"),
            (#"[{"id":"a","name":"A","colour":"red"}]"#, "“[0].colour” is not a colour such as #c68642"),
            (#"[{"id":"a","name":"A"},{"id":"a","name":"B"}]"#, "the id “a” comes twice"),
        ])
    func `a malformed list is reported with what is wrong`(body: String, what: String) async throws {
        let failure = try await failure(of: .response(body: body)) { try await $0.pets() }

        #expect(failure.reason == .malformed(what))
    }

    @Test(
        arguments: [
            ("[]", "it is no object"),
            ("null", "it is null"),
            (#"{"id":"a"}"#, "“name” is missing"),
            (#"{"id":"a","name":"A","arrived":"today"}"#, "“arrived” is not a date such as 2024-11-02T09:30:00Z"),
            (#"{"id":"b","name":"B"}"#, "it is about “b”, not “a”"),
        ])
    func `a malformed pet is reported with what is wrong`(body: String, what: String) async throws {
        let failure = try await failure(of: .response(body: body)) { try await $0.pet(id: "a") }

        #expect(failure.reason == .malformed(what))
    }

    @Test func `a body of any length doesn't fill the memory`() async throws {
        let blank = String(repeating: " ", count: HTTPExchange.longestBody - 1)

        let longest = try await failure(of: .response(body: "1" + blank)) { try await $0.pets() }
        let longer = try await failure(of: .response(body: "1 " + blank)) { try await $0.pets() }

        #expect(longest.reason == .malformed("it is no list"))
        #expect(longer.reason == .malformed("it is longer than 8 MB"))
    }

    @Test func `an answer that isn't HTTP is malformed`() async throws {
        let failure = try await failure(of: .bytes([0, 1, 0xFF, 0x0A, 0x0D, 0x0A])) { try await $0.pets() }

        #expect(failure.reason == .malformed("it is not HTTP"))
    }

    @Test func `text that isn't valid UTF-8 is malformed`() async throws {
        let head = Array("HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n".utf8)
        let body = Array(#"[{"id":"a","name":""#.utf8) + [0xC3, 0x28] + Array("\"}]".utf8)

        let failure = try await failure(of: .bytes(head + body)) { try await $0.pets() }

        #expect(failure.reason == .malformed("it is no JSON"))
    }

    @Test func `a connection that ends halfway is broken off`() async throws {
        let failure = try await failure(of: .half(body: #"[{"id":"a","name":"A"}]"#)) { try await $0.pets() }

        #expect(failure.reason == .offline(.brokenOff) && failure.place == "server/api/pets")
    }

    @Test func `a connection that ends without an answer is broken off`() async throws {
        let failure = try await failure(of: .silence) { try await $0.pet(id: "a") }

        #expect(failure.reason == .offline(.brokenOff))
    }

    @Test func `an address at which nothing answers is unreachable`() async throws {
        let vacancy = try LoopbackServer.Vacancy()

        await #expect(throws: PetsServiceError(.offline(.unreachable), place: "\(vacancy.address)/api/pets")) {
            try await service(vacancy.address).pets()
        }
    }

    @Test func `a redirect is followed, but not endlessly`() async throws {
        let server = try LoopbackServer { request in
            request.path == "/new"
                ? .response(body: "[]") : .response(status: 302, headers: ["Location": "/new"])
        }

        let pets = try await service(server.address).pets()
        let failure = try await failure(of: .response(status: 302, headers: ["Location": "/api/pets"])) {
            try await $0.pets()
        }

        #expect(pets == [] && server.requests.map(\.path) == ["/api/pets", "/new"])
        #expect(failure.reason == .malformed("it redirects too many times"))
    }

    @Test func `nothing is answered from a cache`() async throws {
        let server = try LoopbackServer { _ in .response(headers: ["Cache-Control": "max-age=3600"], body: "[]") }
        let service = try service(server.address)

        _ = try await service.pets()
        _ = try await service.pets()

        #expect(server.requests.count == 2)
    }

    @Test func `a slow answer delays no other, and arrives in the end`() async throws {
        let latch = try Latch()
        let server = try LoopbackServer { request in
            request.path == "/api/pets"
                ? .held(latch, then: .response(body: "[]")) : .response(body: #"{"id":"a","name":"A"}"#)
        }
        let service = try service(server.address)

        async let pets = service.pets()
        await server.requests(atLeast: 1)
        let pet = try await service.pet(id: "a")
        latch.open()

        #expect(pet.id == "a")
        #expect(try await pets == [])
    }

    @Test func `a server that sends nothing for the timeout doesn't respond`() async throws {
        let latch = try Latch()
        let server = try LoopbackServer { _ in .held(latch, then: .response(body: "[]")) }
        let service = HTTPPetsService(address: try #require(PetsAddress(server.address)), timeout: 1)

        await #expect(throws: PetsServiceError(.offline(.unreachable), place: "\(server.address)/api/pets")) {
            try await service.pets()
        }
        latch.open()
    }

    @Test func `cancelling closes the connection and is reported as cancellation`() async throws {
        let latch = try Latch()
        let server = try LoopbackServer { _ in .held(latch, then: .response(body: "[]")) }
        let service = try service(server.address)
        let asking = Task { try await service.pets() }
        await server.requests(atLeast: 1)

        asking.cancel()
        let result = await asking.result
        await server.hangUps(atLeast: 1)

        #expect(throws: PetsServiceError(.cancelled, place: "\(server.address)/api/pets")) { try result.get() }
    }
}

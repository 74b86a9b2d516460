import Foundation
import Testing

@testable import SampleServices

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite struct PetsServiceErrorTests {
    @Test func `it says where, what, and what to do`() {
        let error = PetsServiceError(.notFound("biscuit"), place: "http://h/api/pets/biscuit")

        let text = error.description

        #expect(
            text == """
                http://h/api/pets/biscuit: There is no pet with the id “biscuit”. Look for its id in the list of pets; it \
                may have found a home.
                """
        )
    }

    @Test(
        arguments: [
            (.seconds(10), "10 seconds"), (.milliseconds(400), "400 milliseconds"),
            (.seconds(90), "1 minute, 30 seconds"),
        ] as [(Duration, String)])
    func `a limit is stated in words`(limit: Duration, words: String) {
        let error = PetsServiceError(.slow(limit: limit), place: "p")

        #expect(error.explanation == "No complete answer came within \(words).")
    }

    @Test func `every reason has an explanation and advice of one sentence each`() {
        let reasons: [PetsServiceError.Reason] = [
            .offline(.noNetwork), .offline(.unknownHost), .offline(.unreachable), .offline(.brokenOff),
            .offline(.numericAddress), .offline(.other(code: 7)), .slow(limit: .seconds(10)), .notFound("a"),
            .status(401), .status(404),
            .status(418), .status(429), .status(500), .malformed("x"), .untrusted, .cancelled,
        ]

        let errors = reasons.map { PetsServiceError($0, place: "p") }

        #expect(Set(errors.map(\.explanation)).count == reasons.count)
        #expect(errors.allSatisfy { $0.explanation.hasSuffix(".") && $0.advice.hasSuffix(".") })
    }

    @Test(
        arguments: [
            (.notConnectedToInternet, .offline(.noNetwork)), (.cannotFindHost, .offline(.unknownHost)),
            (.dnsLookupFailed, .offline(.unknownHost)), (.cannotConnectToHost, .offline(.unreachable)),
            (.badURL, .offline(.numericAddress)), (.timedOut, .offline(.unreachable)),
            (.networkConnectionLost, .offline(.brokenOff)),
            (.serverCertificateUntrusted, .untrusted), (.cancelled, .cancelled),
            (.resourceUnavailable, .offline(.other(code: -1_008))),
        ] as [(URLError.Code, PetsServiceError.Reason)])
    func `system errors are translated into the service's terms`(code: URLError.Code, reason: PetsServiceError.Reason) {
        #expect(PetsServiceError(URLError(code), place: "p") == PetsServiceError(reason, place: "p"))
    }

    @Test func `a cancelled task is not a network failure`() {
        #expect(PetsServiceError(CancellationError(), place: "p").reason == .cancelled)
    }
}

import SampleServices
import Testing

@Suite struct UsersServiceErrorTests {
    @Test func `it says where, what, and what to do`() {
        let error = UsersServiceError(.damaged("“name” is missing"), file: "users/ann.json")

        #expect(
            error.description == """
                users/ann.json: The file is damaged: “name” is missing. Mend or remove the file; everybody else is shown \
                all the same.
                """
        )
    }

    @Test func `every reason has an explanation and advice of one sentence each`() {
        let reasons: [UsersServiceError.Reason] = [
            .damaged("x"), .notAFile, .unknown("Ann"), .noPermission(.write), .diskFull, .locked(waited: .seconds(10)),
            .cancelled, .folderVanished, .system(.watch, code: 24), .system(.folder, code: 24),
        ]

        let errors = reasons.map { UsersServiceError($0, file: "f") }

        #expect(Set(errors.map(\.explanation)).count == reasons.count)
        #expect(errors.allSatisfy { $0.explanation.hasSuffix(".") && $0.advice.hasSuffix(".") })
    }
}

import Foundation
import Testing

@testable import SampleServices

@Suite struct ProfileServiceErrorTests {
    private let reasons: [ProfileServiceError.Reason] = [
        .damaged("x"), .foreignFormat("x"), .foreignVersion(2, supported: 1), .notAFile, .danglingLink,
        .tooLarge, .noPermission(.write),
        .diskFull, .locked(waited: .seconds(10)), .cancelled, .folderVanished, .system(.watch, code: 24),
    ]

    @Test func `it says where, what, and what to do`() {
        let error = ProfileServiceError(.damaged("“theme” is missing"), file: "ada/settings.json")

        #expect(
            error.description == """
                ada/settings.json: The file is damaged: “theme” is missing. The file has been left untouched: mend it in \
                a text editor, or remove it to begin without it.
                """
        )
    }

    @Test func `every reason has an explanation and advice of one sentence each`() {
        let errors = reasons.map { ProfileServiceError($0, file: "f") }

        #expect(errors.allSatisfy { $0.explanation.hasSuffix(".") && $0.advice.hasSuffix(".") })
        #expect(Set(errors.map(\.explanation)).count == errors.count)
    }

    @Test(
        arguments: [
            (.held(waited: .seconds(2)), .locked(waited: .seconds(2))),
            (.cancelled, .cancelled),
            (.system(SystemError(code: EACCES)), .noPermission(.lock)),
        ] as [(FileLock.Failure, ProfileServiceError.Reason)])
    func `a lock that can't be acquired says why`(failure: FileLock.Failure, reason: ProfileServiceError.Reason) {
        #expect(ProfileServiceError(lock: failure, file: "f") == ProfileServiceError(reason, file: "f"))
    }

    @Test(
        arguments: [
            (EACCES, .noPermission(.write)), (EROFS, .noPermission(.write)), (ENOSPC, .diskFull), (EISDIR, .notAFile),
            (EIO, .system(.write, code: EIO)),
        ] as [(Int32, ProfileServiceError.Reason)])
    func `system error numbers have their reasons`(code: Int32, reason: ProfileServiceError.Reason) {
        #expect(
            ProfileServiceError(SystemError(code: code), .write, file: "f") == ProfileServiceError(reason, file: "f"))
    }
}

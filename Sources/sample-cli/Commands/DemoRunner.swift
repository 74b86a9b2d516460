import Foundation

/// A tour on a temporary folder, which is removed afterwards, however the tour ends.
struct DemoRunner: Sendable {
    let console: Console
    let ending: ProcessEnding
    let isVerbose: Bool

    /// Runs the tour.
    func run() async -> ExitStatus {
        let folder = FileManager.default.temporaryDirectory.appending(path: "relux-demo-\(UUID().uuidString)")
        let path = folder.path(percentEncoded: false)
        // Nothing is created around it: a temporary folder that doesn't exist is a mistake of its user.
        guard mkdir(path, 0o700) == 0 else {
            console.complain(Texts.noTemporaryFolder(path, code: errno), as: "no-temporary-folder")
            return .failure
        }
        do {
            return try await ending.tidyingUp {
                Self.remove(folder)
            } after: {
                try await DemoTour(console: console, folder: folder, isVerbose: isVerbose).take()
            }
        } catch {
            console.complain([Texts.unexpected(error)], as: "unexpected")
            return .failure
        }
    }

    /// Removes the folder. If the tour is interrupted, a save in progress may add a file while the folder is being
    /// removed, but no save creates the folder again.
    private static func remove(_ folder: URL) {
        for _ in 1...100 where FileManager.default.fileExists(atPath: folder.path(percentEncoded: false)) {
            try? FileManager.default.removeItem(at: folder)
        }
    }
}

import Foundation
import Testing

@testable import sample_cli

/// The scripts that complete arguments. Those for bash are run by bash, if there is one.
@Suite(.runsPrograms, .timeLimit(.minutes(5))) struct CompletionScriptTests {
    private static let bash = URL(filePath: "/bin/bash")
    private static let hasBash = FileManager.default.isExecutableFile(atPath: "/bin/bash")

    private func script(_ shell: CompletionScript.Shell) -> String {
        CompletionScript(shell: shell, root: CommandTable.root).text
    }

    /// What bash offers for the last word.
    private func candidates(_ words: String...) async throws -> [String] {
        let list = words.map(CompletionScript.quoted).joined(separator: " ")
        let code = """
            \(script(.bash))
            COMP_WORDS=(sample-cli \(list)); COMP_CWORD=\(words.count); _sample_cli
            printf '%s\\n' "${COMPREPLY[@]}"
            """
        let result = try await ChildProcess.run(["-u", "-c", code], executable: Self.bash)
        #expect(result.status == 0 && result.error == "")
        return result.output.split(separator: "\n").map(String.init)
    }

    @Test(.enabled(if: hasBash)) func `bash completes commands, and the commands of groups`() async throws {
        #expect(try await candidates("it") == ["items"])
        #expect(try await candidates("items", "re") == ["reopen", "rename", "redo"])
        #expect(try await candidates("--verbose", "items", "--data", "items", "de") == ["delete", "delete-all"])
        #expect(try await candidates("items", "add", "it") == [])
    }

    @Test(.enabled(if: hasBash)) func `bash completes the options of the command and its groups`() async throws {
        #expect(try await candidates("items", "add", "--t") == ["--top"])
        #expect(try await candidates("items", "list", "--t") == [])
        #expect(
            try await candidates("items", "add", "--") == [
                "--verbose", "--help", "--version", "--data", "--json", "--top",
            ])
        #expect(try await candidates("items", "add", "--", "--t") == [])
    }

    @Test(.enabled(if: hasBash)) func `bash completes words that are allowed, folders, and files`() async throws {
        let folder = try TemporaryFolder()
        try folder.write("", to: "titles.txt")
        try FileManager.default.createDirectory(atPath: folder.path(of: "things"), withIntermediateDirectories: true)
        let both = [folder.path(of: "titles.txt"), folder.path(of: "things")].sorted()

        #expect(try await candidates("completions", "").starts(with: ["bash", "zsh", "fish"]))
        #expect(try await candidates("settings", "set", "th") == ["theme"])
        #expect(try await candidates("items", "list", "--data", folder.path(of: "t")) == [folder.path(of: "things")])
        #expect(try await candidates("items", "--data", "=", folder.path(of: "t")) == [folder.path(of: "things")])
        #expect(try await candidates("items", "import", folder.path(of: "t")).sorted() == both)
        #expect(try await candidates("pets", "list", "--base-url", "") == [])
    }

    @Test(arguments: CompletionScript.Shell.allCases)
    func `every script names every command and every option`(shell: CompletionScript.Shell) {
        let script = CompletionScript(shell: shell, root: CommandTable.root)

        let text = script.text

        for place in script.places where !place.words.isEmpty { #expect(text.contains(place.key)) }
        for option in CommandTable.root.allOptions {
            #expect(text.contains(shell == .fish ? "-l \(option.name) " : "--\(option.name)"))
        }
        #expect(text.hasSuffix("\n") && !text.hasSuffix("\n\n"))
    }
}

import Foundation
import Testing

@testable import sample_cli

/// The scripts that complete arguments. Each is run by its shell, if that is installed.
@Suite(.runsPrograms, .timeLimit(.minutes(10))) struct CompletionScriptTests {
    private static let bash = URL(filePath: "/bin/bash")
    private static let hasBash = FileManager.default.isExecutableFile(atPath: "/bin/bash")
    private static let zsh = installed("zsh")
    private static let fish = installed("fish")

    private static func installed(_ shell: String) -> URL? {
        ["/bin", "/usr/bin", "/usr/local/bin", "/opt/homebrew/bin"]
            .map { "\($0)/\(shell)" }
            .first(where: FileManager.default.isExecutableFile(atPath:))
            .map { URL(filePath: $0) }
    }

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

    /// What zsh offers for the last word, with stubs in place of its completion system.
    private func zshCandidates(_ words: String...) async throws -> [String] {
        let list = words.map(CompletionScript.quoted).joined(separator: " ")
        let code = """
            compdef() { : }
            compset() { words[CURRENT]=${words[CURRENT]#*=} }
            compadd() { print -rl -- ${(M)candidates:#${words[CURRENT]}*} }
            _files() { print -r -- "files $@ ${words[CURRENT]}" }
            \(script(.zsh))
            words=(sample-cli \(list)); CURRENT=\(words.count + 1); _sample_cli
            """
        let result = try await ChildProcess.run(["-f", "-c", code], executable: try #require(Self.zsh))
        #expect(result.error == "")
        return result.output.split(separator: "\n").map(String.init)
    }

    /// What fish offers at the end of a line, without the explanations.
    private func fishCandidates(_ line: String) async throws -> [String] {
        let code = "\(script(.fish))\ncomplete -C \(CompletionScript.quoted(line))"
        let result = try await ChildProcess.run(["--no-config", "-c", code], executable: try #require(Self.fish))
        #expect(result.status == 0 && result.error == "")
        return result.output.split(separator: "\n").compactMap { $0.split(separator: "\t").first.map(String.init) }
    }

    @Test(.enabled(if: zsh != nil)) func `zsh completes what the table says`() async throws {
        #expect(try await zshCandidates("it") == ["items"])
        #expect(try await zshCandidates("items", "re") == ["reopen", "rename", "redo"])
        #expect(try await zshCandidates("--data", "pets", "items", "de") == ["delete", "delete-all"])
        #expect(try await zshCandidates("items", "add", "--t") == ["--top"])
        #expect(try await zshCandidates("items", "add", "--", "--t") == [])
        #expect(try await zshCandidates("settings", "set", "th") == ["theme"])
        #expect(try await zshCandidates("items", "list", "--data", "t") == ["files -/ t"])
        #expect(try await zshCandidates("items", "list", "--data=t") == ["files -/ t"])
        #expect(try await zshCandidates("items", "import", "t") == ["files  t"])
        #expect(try await zshCandidates("pets", "list", "--base-url", "") == [])
    }

    /// The script used to offer the commands of the program only, wherever the cursor was.
    @Test(.enabled(if: fish != nil)) func `fish completes what the table says`() async throws {
        #expect(try await fishCandidates("sample-cli it") == ["items"])
        #expect(try await fishCandidates("sample-cli items re").sorted() == ["redo", "rename", "reopen"])
        #expect(try await fishCandidates("sample-cli --data pets items de") == ["delete", "delete-all"])
        #expect(try await fishCandidates("sample-cli items add --t") == ["--top"])
        #expect(try await fishCandidates("sample-cli items list --t") == [])
        #expect(try await fishCandidates("sample-cli items add -- --t") == [])
        #expect(try await fishCandidates("sample-cli settings set th") == ["theme"])
        #expect(try await fishCandidates("sample-cli pets list --base-url ") == [])
    }

    @Test(.enabled(if: hasBash)) func `bash completes commands, and the commands of groups`() async throws {
        #expect(try await candidates("it") == ["items"])
        #expect(try await candidates("items", "re") == ["reopen", "rename", "redo"])
        #expect(try await candidates("--verbose", "items", "--data", "items", "de") == ["delete", "delete-all"])
        #expect(try await candidates("items", "add", "it") == [])
    }

    @Test(.enabled(if: hasBash)) func `bash completes the options of the command and its groups`() async throws {
        #expect(try await candidates("items", "add", "--to") == ["--top"])
        #expect(try await candidates("items", "list", "--to") == [])
        #expect(
            try await candidates("items", "add", "--") == [
                "--verbose", "--trace", "--help", "--version", "--data", "--json", "--top",
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

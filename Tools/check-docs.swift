// Checks the documentation: links lead somewhere, code is compiled elsewhere, and names exist.
//
//     swiftc Tools/check-docs.swift -o .build/check-docs && .build/check-docs
//
// - A relative link leads to a file, and its fragment to a heading. An image exists, also in its dark version.
// - A block of Swift code is a run of lines of a Swift file in Examples, Tests, or Sources, apart from its indentation.
//   Those files are compiled, and their tests are run. Manifests are the exception.
// - "Getting started" shows everything that it needs.
// - Each law links to the files of its tests, and each of these files belongs to a law. A test compares the names.
// - Each name in backticks is a word of the sources, or one of the foreign names below.
import Foundation

/// Names of the language, of tools, and of other libraries that pages mention.
let foreign: Set<String> = [
    // Swift, its libraries and tools
    "AsyncStream", "Codable", "EmptyView", "Equatable", "Foundation", "Hashable", "Identifiable", "Mutex", "Sendable",
    "Void", "nonisolated", "withoutActuallyEscaping", "docc", "ADDRESS", "valgrind", "strip", "malloc", "linux",
    "macOS", "func",
    // Other libraries
    "takeEvery", "takeLatest", "takeLeading", "actionChannel", "put", "call", "select", "take", "fork", "all", "join",
    "race", "cancelled", "finally", "delay", "retry", "eventChannel", "debounce", "throttle", "spawn", "cancel",
    "takeMaybe", "flush", "StoreSubscriber", "newState", "Thunk", "HybridState", "BusinessState", "UIState", "cleanup",
    "RootSaga", "shared", "ReducerProtocol", "Effect", "cancellable", "cancelInFlight", "ViewStore", "Scope", "forEach",
    "ifLet", "IdentifiedArray", "StackState", "DependencyValues", "withDependencies", "TestClock", "onChange",
    "Cancellable", "payload", "apply", "fatalError", "yield", "connectTemporally", "ProjectingRouter", "ModalRouter",
    "CodableProjectedRouter", "UserDefaults", "Resolver", "IoC", "MockModule",
    "combineReducers", "onTask", "AlertState", "BindingReducer", "isDismissed", "NavigationLink",
    "useQuery", "useSWR", "initiate", "fetchQuery", "mutate", "query", "usePrefetch", "prefetchQuery", "preload",
    "invalidateQueries", "refetchQueries", "refetchOnMountOrArgChange", "staleTime", "dedupingInterval",
    "fetchPolicy", "keepUnusedDataFor", "gcTime", "pollingInterval", "refetchInterval", "refreshInterval",
    "pollInterval", "setupListeners", "updateQueryData", "undo", "onMutate", "optimisticData", "optimisticResponse",
    "useInfiniteQuery", "useSWRInfinite", "fetchMore", "client",
]

let root = FileManager.default.currentDirectoryPath + "/"
var problems: [String] = []

func text(_ path: String) -> String { (try? String(contentsOfFile: root + path, encoding: .utf8)) ?? "" }

func tracked(_ patterns: String...) -> [String] {
    let git = Process()
    git.executableURL = URL(filePath: "/usr/bin/env")
    git.arguments = ["git", "ls-files", "--cached", "--others", "--exclude-standard", "--"] + patterns
    let output = Pipe()
    git.standardOutput = output
    do { try git.run() } catch { fatalError("git can't be run: \(error)") }
    let data = output.fileHandleForReading.readDataToEndOfFile()
    git.waitUntilExit()
    return Set(String(decoding: data, as: UTF8.self).split(separator: "\n").map(String.init))
        .filter { FileManager.default.fileExists(atPath: root + $0) }.sorted()
}

func isOutsideWords(_ character: Character) -> Bool {
    !(character.isLetter || character.isNumber || character == "_")
}

/// The anchor that a heading has where the repository is shown.
func anchor(_ heading: Substring) -> String {
    heading.lowercased().filter { $0.isLetter || $0.isNumber || $0 == " " || $0 == "-" || $0 == "_" }
        .replacingOccurrences(of: " ", with: "-")
}

struct Block {
    let line: Int
    let lines: [String]
}

/// A page without its code blocks, and the blocks of Swift among them.
func parts(_ page: String) -> (prose: [(Int, String)], swift: [Block], anchors: Set<String>) {
    var prose: [(Int, String)] = []
    var blocks: [Block] = []
    var anchors: Set<String> = []
    var fence: (language: String, line: Int, lines: [String])?
    for (index, line) in text(page).components(separatedBy: "\n").enumerated() {
        let trimmed = line.trimmingCharacters(in: .whitespaces)
        if trimmed.hasPrefix("```") {
            if let open = fence {
                if open.language == "swift" { blocks.append(Block(line: open.line, lines: open.lines)) }
                fence = nil
            } else {
                fence = (String(trimmed.dropFirst(3)), index + 1, [])
            }
        } else if fence != nil {
            fence?.lines.append(line)
        } else {
            if line.hasPrefix("#") { anchors.insert(anchor(line.drop { $0 == "#" }.dropFirst())) }
            prose.append((index + 1, line))
        }
    }
    return (prose, blocks, anchors)
}

/// Whether the lines are a run of lines of the file, with the same indentation added to each.
func contains(_ file: [String], _ block: [String]) -> Bool {
    guard let first = block.first, file.count >= block.count else { return false }
    for start in 0...(file.count - block.count) where file[start].hasSuffix(first) {
        let indentation = String(file[start].dropLast(first.count))
        guard indentation.allSatisfy({ $0 == " " }) else { continue }
        let matches = zip(file[start...], block).allSatisfy { found, shown in
            shown.isEmpty ? found.isEmpty : found == indentation + shown
        }
        if matches { return true }
    }
    return false
}

let sources = tracked("*.swift")
let files = sources.map { text($0).components(separatedBy: "\n") }
var words = foreign
let scripts = [".ci/run", "Benchmarks/run"] + tracked("Tools/*", ".swift-format", ".github/*")
for text in tracked() + (sources + scripts).map(text) {
    for word in text.split(whereSeparator: isOutsideWords) { words.insert(String(word)) }
}

let pages = tracked("*.md")
let name = try Regex("`(?:[.@#$]?[A-Za-z_][A-Za-z0-9_.]*(?:\\([A-Za-z_:]*\\))?)`")
let link = try Regex("!?\\[[^\\]]*\\]\\(([^)\\s]+)\\)")
var counts = (links: 0, blocks: 0, names: 0)
for page in pages {
    let (prose, blocks, _) = parts(page)
    let folder = page.split(separator: "/").dropLast().joined(separator: "/")
    for (number, line) in prose {
        for match in line.matches(of: link) {
            guard let range = match.output[1].range else { continue }
            let target = String(line[range])
            if target.contains("://") || target.hasPrefix("mailto:") || target.hasPrefix("doc:") { continue }
            counts.links += 1
            let halves = target.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            let path = URL(filePath: root + folder + "/").appending(path: halves[0]).standardizedFileURL.path
            let file = halves[0].isEmpty ? root + page : path
            if !FileManager.default.fileExists(atPath: file) {
                problems.append("\(page):\(number): there is no \(target)")
            } else if halves.count == 2, !parts(String(file.dropFirst(root.count))).anchors.contains(halves[1]) {
                problems.append("\(page):\(number): \(target) has no such heading")
            } else if target.hasSuffix(".svg"),
                !FileManager.default.fileExists(atPath: file.replacingOccurrences(of: ".svg", with: "~dark.svg"))
            {
                problems.append("\(page):\(number): \(target) has no dark version")
            }
        }
        if page != "CHANGELOG.md" {
            for match in line.matches(of: name) {
                counts.names += 1
                let span = line[match.range].dropFirst().dropLast()
                for word in span.split(whereSeparator: isOutsideWords)
                where !words.contains(String(word)) {
                    problems.append("\(page):\(number): nothing is called \(word) (`\(span)`)")
                }
            }
        }
    }
    for block in blocks {
        counts.blocks += 1
        let isManifest = block.lines.contains {
            $0.contains("import PackageDescription") || $0.hasPrefix("dependencies: [")
        }
        if !isManifest, !files.contains(where: { contains($0, block.lines) }) {
            problems.append("\(page):\(block.line): no file that is compiled contains this code")
        }
    }
}

// "Getting started" shows the whole of the package that it builds, in the order of its files.
let start = "Docs/Relux.docc/Articles/GettingStarted.md"
let typed = parts(start).swift.dropFirst().flatMap(\.lines).filter { !$0.isEmpty }
let built = ["Sources/hello/Quotes.swift", "Sources/hello/Hello.swift", "Tests/helloTests/QuotesTests.swift"]
    .flatMap { text("Examples/" + $0).components(separatedBy: "\n") }.filter { !$0.isEmpty }
if typed != built { problems.append("\(start): its code isn't that of Examples/Sources/hello") }

// The laws and their tests.
let laws = "Docs/Laws.md"
let tests = tracked("Tests/ReluxTests/Laws/Law[0-9]*.swift", "Tests/ReluxTests/Feature/Policies/*.swift")
if tests.isEmpty { problems.append("\(laws): its tests are not where this program looks for them") }
for test in tests where !text(laws).contains("](../\(test))") { problems.append("\(laws): no law links to \(test)") }
for section in text(laws).components(separatedBy: "\n## ").dropFirst()
where !section.contains("](../Tests/") {
    problems.append("\(laws): the law \(section.prefix { $0 != "\n" }) links to no test")
}

for problem in problems { print(problem) }
print("\(pages.count) pages: \(counts.links) links, \(counts.blocks) blocks of code, \(counts.names) names.")
exit(problems.isEmpty ? 0 : 1)

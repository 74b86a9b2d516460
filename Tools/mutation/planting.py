"""Plants all faults into a copy of the package, and builds it as one binary in which a switch chooses one of them."""

import os
import re
import shutil
import signal
import subprocess
from pathlib import Path

from .faults import find_faults
from .swift_source import SwiftSource, TYPES

SWITCH = "plantedFault"
SWITCH_FILE = "Sources/Relux/PlantedFault.swift"
SWITCH_SOURCE = """\
#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif
import Synchronization

private let plantedNumber = getenv("RELUX_FAULT").flatMap { Int(String(cString: $0)) } ?? -1

/// One byte for each fault, in a file that outlives a crash. Atomic, for the thread sanitizer.
nonisolated(unsafe) private let reachedFaults: UnsafeMutablePointer<Atomic<UInt8>>? = {
    guard let path = getenv("RELUX_REACHED"),
        let size = getenv("RELUX_REACHED_SIZE").flatMap({ Int(String(cString: $0)) })
    else { return nil }
    let file = open(path, O_RDWR)
    let memory = mmap(nil, size, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0)
    return memory == MAP_FAILED ? nil : memory?.assumingMemoryBound(to: Atomic<UInt8>.self)
}()

public func plantedFault(_ number: Int) -> Bool {
    if let reachedFaults { reachedFaults[number].store(1, ordering: .relaxed) }
    return number == plantedNumber
}
"""
MANIFEST = """\
// swift-tools-version: 6.2

import PackageDescription

let package = Package(
    name: "Relux",
    platforms: [.iOS(.v18), .macOS(.v15), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
    targets: [
        .target(name: "Relux", exclude: ["Core/README.md"]),
        .target(
            name: "ReluxDiagnostics", dependencies: ["Relux"], resources: [.embedInCode("Timeline/Page")]),
        .target(name: "ReluxPersistence", dependencies: ["Relux"]),
        .target(name: "ReluxQueries", dependencies: ["Relux"]),
        .target(
            name: "ReluxTesting", dependencies: ["Relux", "ReluxDiagnostics", "ReluxPersistence", "ReluxQueries"]),
        .target(name: "TestFixtures", dependencies: ["Relux"], path: "Tests/Fixtures"),
        // An executable, because a test target needs an index of the sources, only to look for XCTest.
        .executableTarget(
            name: "ReluxTests", dependencies: ["Relux", "ReluxTesting", "TestFixtures"], path: "Tests/ReluxTests"),
    ],
    swiftLanguageModes: [.v6]
)
"""
MAIN_FILE = "Tests/ReluxTests/PlantedMain.swift"
MAIN_SOURCE = """\
import Testing

@main
struct PlantedMain {
    // What SwiftPM puts into the main function of a test bundle.
    static func main() async { await Testing.__swiftPMEntryPoint() as Never }
}
"""
COPIED = [
    *(f"Sources/Relux{name}" for name in ("", "Diagnostics", "Persistence", "Queries", "Testing")),
    "Tests/Fixtures", "Tests/ReluxTests", "Docs", "README.md",
]
ERROR = re.compile(r"^(/[^\n:]+\.swift):(\d+):(\d+): error: (.*)$", re.MULTILINE)
# A crash of the compiler names the code that it was working on.
CRASH = re.compile(r"\[(/[^\n:\[\]]+\.swift):(\d+):(\d+) - line:(\d+):\d+\]|at (/[^\n:\[\]]+\.swift):(\d+):(\d+)")


class CannotBuild(Exception):
    pass


class Running:
    """A child process in a group of its own, so that it can be ended with everything that it started."""

    def __init__(self, command, **options):
        self.process = subprocess.Popen(command, start_new_session=True, **options)

    def kill(self):
        try:
            os.killpg(self.process.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass

    def end(self):
        if self.process.returncode is None:
            self.kill()
            self.process.wait()


def output_of(command, folder):
    running = Running(
        command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace")
    try:
        text, _ = running.process.communicate()
        return running.process.returncode, text
    finally:
        running.end()


class PlantedPackage:
    def __init__(self, root, folder, kinds, flags):
        self.root, self.folder, self.flags = Path(root), Path(folder), flags
        self.texts, self.faults = {}, []
        for path in sorted(self.root.glob("Sources/Relux/**/*.swift")):
            relative = str(path.relative_to(self.root))
            self.texts[relative] = path.read_text()
            self.faults += find_faults(relative, self.texts[relative], kinds)
        for number, fault in enumerate(self.faults):
            fault.number = number
        self.dropped = set()

    @property
    def is_sanitized(self):
        return any(flag.startswith("--sanitize") for flag in self.flags)

    @property
    def compiling(self):
        return [fault for fault in self.faults if fault.number not in self.dropped]

    def copy(self):
        for name in COPIED:
            source, target = self.root / name, self.folder / name
            if target.is_dir():
                shutil.rmtree(target)
            target.parent.mkdir(parents=True, exist_ok=True)
            (shutil.copytree if source.is_dir() else shutil.copy2)(source, target)
        (self.folder / "Package.swift").write_text(MANIFEST)
        (self.folder / SWITCH_FILE).write_text(SWITCH_SOURCE)
        (self.folder / MAIN_FILE).write_text(MAIN_SOURCE)

    # MARK: Planting

    def plant(self):
        by_path = {path: [] for path in self.texts}
        for fault in self.compiling:
            by_path[fault.path].append(fault)
        for path, faults in by_path.items():
            planted = planted_text(self.texts[path], faults)
            target = self.folder / path
            if not target.exists() or target.read_text() != planted:
                target.write_text(planted)

    def drop_what_fails(self, report):
        """Compiles the library alone and leaves out the faults at each error, until there is none."""
        command = ["swiftc", "-emit-sil", "-wmo", "-Onone", "-swift-version", "6", "-package-name", "relux",
                   "-module-name", "Relux", "-parse-as-library", "-suppress-warnings", "-enable-testing", "-o",
                   "/dev/null"]
        sources = [str(self.folder / path) for path in self.texts] + [str(self.folder / SWITCH_FILE)]
        for attempt in range(1, 40):
            self.plant()
            status, output = output_of(command + sources, self.folder)
            if status == 0:
                return
            dropped = self._drop(output)
            report(f"compiling, round {attempt}: {dropped} faults don't compile")
            if not dropped:
                raise CannotBuild(output[-4000:])
        raise CannotBuild(output[-4000:])

    def _drop(self, output):
        """Leaves out the faults nearest to each error. Returns how many."""
        places = {(path, int(line), int(column)) for path, line, column, _ in ERROR.findall(output)}
        if not places:
            for first in CRASH.finditer(output):
                path, line, column = first.group(1) or first.group(5), first.group(2) or first.group(6), 1
                places.add((path, int(line), column))
        before = len(self.dropped)
        for path, line, column in places:
            if not path.startswith(str(self.folder)):
                continue
            relative = str(Path(path).relative_to(self.folder))
            self.dropped.update(fault.number for fault in self._nearest(relative, line, column))
        return len(self.dropped) - before

    def _nearest(self, path, line, column):
        text = (self.folder / path).read_text()
        starts = [0] + [match.end() for match in re.finditer("\n", text)]
        # Columns count bytes of UTF-8.
        row = text[starts[line - 1]:].split("\n", 1)[0]
        offset = starts[line - 1] + len(row.encode()[:column - 1].decode(errors="ignore"))
        faults = [fault for fault in self.compiling if fault.path == path]
        around = [fault for fault in faults if any(start <= offset < end for start, end in fault.spans)]
        if around:
            length = min(end - start for fault in around for start, end in fault.spans if start <= offset < end)
            return [fault for fault in around
                    if any(start <= offset < end and end - start == length for start, end in fault.spans)]
        on_line = [fault for fault in faults
                   if any(line in (text.count("\n", 0, start) + 1, text.count("\n", 0, end) + 1)
                          for start, end in fault.spans)]
        if on_line:
            return on_line
        return self._in_block(text, offset, faults)

    @staticmethod
    def _in_block(text, offset, faults):
        """The faults in the innermost block around an error such as a missing return that has any: statements first."""
        source = SwiftSource("", text)
        blocks = [(source.tokens[brace].start, source.tokens[source.tokens[brace].match].end)
                  for brace, head in source.heads.items() if head not in TYPES]
        for first, last in sorted(blocks, key=lambda block: block[1] - block[0]):
            if first <= offset <= last:
                inside = [fault for fault in faults if any(first <= start < last for start, _ in fault.spans)]
                if inside:
                    return [fault for fault in inside if fault.kind == "statement"] or inside
        return faults

    def build(self, report):
        command = ["swift", "build", "--product", "ReluxTests", "--disable-index-store", "-Xswiftc", "-gnone",
                   "-Xswiftc", "-suppress-warnings", *self.flags]
        for _ in range(10):
            status, output = output_of(command, self.folder)
            if status == 0:
                return self.binary()
            dropped = self._drop(output)
            report(f"building: {dropped} more faults don't compile")
            if not dropped:
                break
            self.plant()
        raise CannotBuild(output[-4000:])

    def binary(self):
        _, path = output_of(["swift", "build", "--show-bin-path", *self.flags], self.folder)
        return Path(path.strip().splitlines()[-1]) / "ReluxTests"


def planted_text(text, faults):
    """Puts the faults around their parts of a source, and notes where each is in the result."""
    insertions = []
    for order, fault in enumerate(sorted(faults, key=lambda fault: (fault.start, -fault.end))):
        length = fault.end - fault.start
        switch = f"{SWITCH}({fault.number})"
        # At one place, parts end before others begin. The shorter ones end first, and the longer ones begin first.
        before, after = (text.replace("#", switch) for text in (fault.before, fault.after))
        insertions.append((fault.start, 2 if length else 1, -length, order, before, fault, True))
        if length:
            insertions.append((fault.end, 0, length, -order, after, fault, False))
    out, position, size, starts = [], 0, 0, {}
    for place, _, _, _, insertion, fault, begins in sorted(insertions, key=lambda item: item[:4]):
        out += [text[position:place], insertion]
        if begins:
            starts[fault.number] = size + place - position
        size += place - position + len(insertion)
        position = place
        if not begins or fault.start == fault.end:
            fault.spans = [(starts[fault.number], size)]
    out.append(text[position:])
    return "".join(out)

"""Runs the tests against a planted fault, and says whether they notice it."""

import json
import os
import re
import resource
import subprocess
import threading
import time
from dataclasses import dataclass
from pathlib import Path

from .planting import Running

# A test that records a known issue expects it.
ISSUE = re.compile(r"Test .* recorded an issue")
SUITE = re.compile(r"^(?:@\w+.*\s)?(?:public |final )*(?:struct|class|enum|actor|extension) (\w+)", re.MULTILINE)
# The exit status if no test has the given name (EX_UNAVAILABLE).
NOTHING_TO_TEST = 69
MEMORY_LIMIT = 12 << 30
# A process none of whose threads has been runnable for so long waits for something that never comes: no test sleeps.
STILL_SECONDS = 8
# Suites that take less processor time than this run together.
SHORT_SECONDS = 1.5


@dataclass
class Suite:
    name: str
    folder: str
    """The folder in Tests/ReluxTests."""
    seconds: float
    """The processor time of its tests without a fault."""
    reached: list
    """The numbers of the faults that its tests reach."""


@dataclass
class Verdict:
    outcome: str
    """`killed`, `survived`, or `unreached`."""
    by: str
    """What killed it: the test, a crash, or the end of a wait."""
    seconds: float


class CannotRun(Exception):
    pass


class TestRunner:
    def __init__(self, package, binary, longest):
        self.package, self.binary, self.longest = package, binary, longest
        self.suites = []

    # MARK: The survey

    def survey(self, state, report):
        """Runs each suite without a fault, and records what it reaches and how long it takes."""
        known = self.package.folder / "survey.json"
        remembered = json.loads(known.read_text()) if known.exists() else {}
        if remembered.get("state") == state:
            self.suites = [Suite(**suite) for suite in remembered["suites"]]
            return
        for name, folder in self._suite_names():
            suite = self._surveyed(name, folder, report)
            if suite:
                self.suites.append(suite)
        if not self.suites:
            raise CannotRun("No suite passes without a fault.")
        known.write_text(json.dumps({"state": state, "suites": [vars(suite) for suite in self.suites]}))
        report(f"{len(self.suites)} suites take {sum(suite.seconds for suite in self.suites):.0f} s of processor time")

    def _suite_names(self):
        tests = self.package.folder / "Tests/ReluxTests"
        for file in sorted(tests.glob("**/*.swift")):
            text = file.read_text()
            if "@Test" in text:
                for name in dict.fromkeys(SUITE.findall(text)):
                    yield name, str(file.parent.relative_to(tests))

    def _surveyed(self, name, folder, report):
        path = self.package.folder / "reached"
        path.write_bytes(bytes(len(self.package.faults)))
        environment = {"RELUX_REACHED": str(path), "RELUX_REACHED_SIZE": str(len(self.package.faults))}
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        by, tests = self._run(environment, [name], 900)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        if by:
            report(f"{name} is left out, because it doesn't pass without a fault: {by}")
            return None
        seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        reached = [number for number, byte in enumerate(path.read_bytes()) if byte]
        return Suite(name, folder, round(seconds, 2), reached) if tests else None

    # MARK: Judging

    def judge(self, fault):
        """Runs the suites that reach a fault: first those of the mirrored folder, then short ones, then the others."""
        began = time.monotonic()
        suites = [suite for suite in self.suites if fault.number in suite.reached]
        if not suites:
            return Verdict("unreached", "", 0)
        for stage in self._stages(suites, str(Path(fault.path).parent.relative_to("Sources/Relux"))):
            # Processor time, as a faulty program may do much more, and real time, as the machine may be busy.
            seconds = sum(suite.seconds for suite in stage)
            by, _ = self._run({"RELUX_FAULT": str(fault.number)}, [suite.name for suite in stage], 3 * seconds + 15)
            if by:
                return Verdict("killed", by, round(time.monotonic() - began, 1))
        return Verdict("survived", "", round(time.monotonic() - began, 1))

    def _stages(self, suites, folder):
        if self.longest is not None:
            suites = [suite for suite in suites if suite.seconds <= self.longest] or suites
        short = [suite for suite in suites if suite.seconds <= SHORT_SECONDS]
        mirrored = [suite for suite in short if folder != "." and (suite.folder + "/").startswith(folder + "/")]
        others = [suite for suite in short if suite not in mirrored]
        long = sorted((suite for suite in suites if suite not in short), key=lambda suite: suite.seconds)
        return [stage for stage in [mirrored, others, *([suite] for suite in long)] if stage]

    # MARK: Processes

    def _run(self, environment, suites, seconds):
        """Runs suites until the first issue.

        Returns what went wrong, or None, and the number of tests.
        """
        def limit():
            # The sanitizer reserves more addresses than any machine has memory.
            if not self.package.is_sanitized:
                resource.setrlimit(resource.RLIMIT_AS, (MEMORY_LIMIT, MEMORY_LIMIT))
            resource.setrlimit(resource.RLIMIT_CPU, (int(seconds) + 1, int(seconds) + 2))

        filters = rf"ReluxTests\.({'|'.join(suites)})/"
        running = Running(
            [str(self.binary), "--testing-library", "swift-testing", "--filter", filters], cwd=self.package.folder,
            env={**os.environ, **environment, "SWIFT_BACKTRACE": "enable=no"}, stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT, text=True, errors="replace", preexec_fn=limit)
        watch = _Watch(running, 40 * seconds)
        try:
            tests = 0
            for line in running.process.stdout:
                if ISSUE.search(line):
                    return line.strip()[:200], tests
                if found := re.search(r"Test run with (\d+) test", line):
                    tests = int(found.group(1))
            status = running.process.wait()
            if watch.reason:
                return watch.reason, tests
            if status == NOTHING_TO_TEST:
                return None, 0
            if status:
                return (f"signal {-status}" if status < 0 else f"exit status {status}"), tests
            return None, tests
        finally:
            watch.end()
            running.end()


class _Watch:
    """Ends a process that hangs."""

    def __init__(self, running, seconds):
        self.running, self.seconds, self.reason = running, seconds, None
        self.ended = threading.Event()
        self.thread = threading.Thread(target=self._observe, daemon=True)
        self.thread.start()

    def end(self):
        self.ended.set()
        self.thread.join()

    def _observe(self):
        began = still_since = time.monotonic()
        last = None
        while not self.ended.wait(0.5):
            now, activity = time.monotonic(), _activity(self.running.process.pid)
            if activity is None or activity != last:
                last, still_since = activity, now
            if now - still_since > STILL_SECONDS:
                self.reason = "a hang: nothing runs any more"
            elif now - began > self.seconds:
                self.reason = f"no end within {self.seconds:.0f} s"
            if self.reason:
                return self.running.kill()


def _activity(process):
    """The times at which the threads of a process stopped running; None if one is runnable, or if that is unknown."""
    try:
        times = []
        for thread in sorted(os.listdir(f"/proc/{process}/task")):
            with open(f"/proc/{process}/task/{thread}/stat") as file:
                fields = file.read().rpartition(")")[2].split()
            if fields[0] != "S":
                return None
            times.append((thread, fields[11], fields[12]))
        return times
    except OSError:
        return None

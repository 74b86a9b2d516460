"""The faults that change nothing that a test could observe, each with its reason."""

import sys
from pathlib import Path

FILE = Path(__file__).with_name("accepted.txt")


def read_accepted(faults):
    """Returns the keys of the accepted faults, and complains about entries that name no fault."""
    keys, key = {}, None
    for line in FILE.read_text().splitlines():
        if line.startswith("#") or not line.strip():
            continue
        if line.startswith(" "):
            keys[key] += line.strip() + " "
        else:
            key = line.strip()
            keys[key] = ""
    known = {fault.key for fault in faults}
    kinds = {fault.kind for fault in faults}
    for key, reason in keys.items():
        if not reason:
            raise SystemExit(f"{FILE.name} gives no reason for: {key}")
        if key not in known and key.split(" | ")[1] in kinds:
            print(f"# {FILE.name} names a fault that doesn't exist: {key}", file=sys.stderr)
    return keys

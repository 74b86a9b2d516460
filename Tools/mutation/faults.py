"""Finds the places in a source where a fault can be planted."""

import re
from dataclasses import dataclass, field

from .swift_source import CONDITIONS, SwiftSource, TYPES

KINDS = {
    "condition": "a condition is negated, or a binding fails",
    "connective": "the right side of && counts as true, that of || as false",
    "comparison": "== and != are exchanged; < becomes <=, and so on",
    "boolean": "true and false are exchanged",
    "number": "0 becomes 1, and 1 becomes 0",
    "statement": "a call, an assignment, or a jump is left out",
    "return": "a function returns at its start",
    "result": "a Bool that is returned is negated",
    "ordering": "a memory ordering becomes relaxed",
}
# On x86, loads and stores keep their order whatever is asked for, so only the thread sanitizer sees a weaker ordering.
DEFAULT_KINDS = [kind for kind in KINDS if kind != "ordering"]

COMPARISONS = {"==": "!=", "!=": "==", "===": "!==", "!==": "===", "<": "<=", "<=": "<", ">": ">=", ">=": ">"}
# Statements that begin with these are never left out as a whole.
KEPT = CONDITIONS | TYPES | {
    "for", "switch", "do", "repeat", "defer", "return", "throw", "let", "var", "func", "init", "deinit", "case",
    "default", "else", "catch", "typealias", "import", "subscript", "get", "set", "struct", "nonisolated", "private",
    "precondition", "preconditionFailure", "assert", "assertionFailure", "fatalError", "static", "public", "mutating",
    "override", "associatedtype", "package", "lazy", "weak", "unowned", "final", "indirect", "fileprivate", "in",
}


@dataclass
class Fault:
    """A change of a source: text that is put around a part of it. `#` stands for the switch."""

    path: str
    line: int
    kind: str
    change: str
    """What it does, for people."""
    start: int
    end: int
    before: str
    after: str
    number: int = -1
    """Its number in the binary."""
    occurrence: int = 0
    spans: list = field(default_factory=list)
    """Where it is in the planted source."""

    @property
    def key(self):
        """Identifies the fault, whatever its line and its number in the binary."""
        return f"{self.path} | {self.kind} | {self.change}" + (f" | {self.occurrence}" if self.occurrence else "")


def find_faults(path, text, kinds):
    faults = _Finder(SwiftSource(path, text)).find()
    found, seen, is_conditional = [], {}, conditional_lines(text)
    for fault in sorted(faults, key=lambda fault: (fault.start, -fault.end)):
        fault.occurrence = seen.get(fault.key, 0)
        seen[f"{fault.path} | {fault.kind} | {fault.change}"] = fault.occurrence + 1
        if fault.kind in kinds and not is_conditional[fault.line]:
            found.append(fault)
    return found


def conditional_lines(text):
    """For each line, from 1, whether it is inside an `#if`, as such code may not be compiled at all."""
    depth, lines = 0, [False]
    for line in text.split("\n"):
        depth += line.lstrip().startswith("#if ")
        lines.append(depth > 0)
        depth -= line.lstrip().startswith("#endif")
    return lines


class _Finder:
    def __init__(self, source):
        self.source, self.tokens = source, source.tokens
        self.faults, self.ranges = [], set()
        self.bodies = set()
        """The braces that open the body of a conditional statement."""

    def find(self):
        for index, token in enumerate(self.tokens):
            if token.text in CONDITIONS and self.source.in_code(index) and not self._is_member(index):
                self._conditions(index)
        for index, token in enumerate(self.tokens):
            if token.text == "{" and self.source.heads[index] not in TYPES:
                self._block(index)
            elif token.text in ("true", "false"):
                if self._is_value(index) and (token.start, token.end) not in self.ranges:
                    change = f"`{token.text}` is `{'false' if token.text == 'true' else 'true'}`"
                    self._add("boolean", self._in_line(change, token.start), token.start, token.end, "(", " != #)")
            elif not self.source.in_code(index):
                continue
            elif token.text in ("0", "1") and self._is_value(index):
                change = f"`{token.text}` is `{1 - int(token.text)}`"
                self._add("number", self._in_line(change, token.start), token.start, token.end,
                          f"(# ? {1 - int(token.text)} : ", ")")
            elif token.text in ("&&", "||"):
                self._connective(index)
            elif token.text in COMPARISONS and self.source._is_binary(index):
                self._comparison(index)
            elif token.text == "?" and self.source._is_binary(index):
                self._ternary(index)
            elif token.text == "ordering" and self.tokens[index + 1].text == ":":
                self._ordering(index)
        return self.faults

    # MARK: Expressions

    def _conditions(self, keyword):
        """Negates each clause of `if`, `guard`, and `while`."""
        clause, index, outer = keyword + 1, keyword + 1, self.tokens[keyword].outer
        is_guard = self.tokens[keyword].text == "guard"
        while index < len(self.tokens):
            token = self.tokens[index]
            ends = token.text == "else" if is_guard else token.text == "{" and token.outer == outer
            if ends or token.text == ",":
                self._clause(clause, index - 1)
                clause = index + 1
            if ends:
                self.bodies.add(index + 1 if is_guard else index)
                return
            if token.text in ("(", "[", "{"):
                index = max(token.match, index)
            elif token.text in (")", "]", "}"):
                return
            index += 1

    def _clause(self, first, last):
        if last < first:
            return
        start, end = self.tokens[first].start, self.tokens[last].end
        text = self._text(start, end)
        if self.tokens[first].text in ("let", "var", "case"):
            self._add("condition", f"`{text}` fails", start, end, "", ", !#")
        elif not self.tokens[first].text.startswith("#"):
            self._add("condition", f"`{text}` is negated", start, end, "((", ") != #)")

    def _connective(self, index):
        end = self.source.operand_after(index, self.bodies)
        if end is None:
            return
        start = self.tokens[index + 1].start
        operator = self.tokens[index].text
        before, value = ("(# || (", "true") if operator == "&&" else ("(!# && (", "false")
        change = f"in `{operator} {self._text(start, end)}`, the right side is {value}"
        self._add("connective", change, start, end, before, "))")

    def _comparison(self, index):
        operator = self.tokens[index]
        start, end = self.source.operand_before(index), self.source.operand_after(index, self.bodies)
        if start is None or end is None:
            return
        if operator.text in ("==", "!=", "===", "!==") and (start, end) in self.ranges:
            return
        other = COMPARISONS[operator.text]
        left, right = self.source.mask[start:operator.start], self.source.mask[operator.end:end]
        if '"' in left + right:
            return
        mutated = " ".join(f"{left}{other}{right}".split())
        self._add("comparison", f"`{self._text(start, end)}` is `{mutated}`", start, end, f"(# ? {mutated} : ", ")")

    def _ternary(self, index):
        start = self.source.operand_before(index, also=("&&", "||"))
        end = self.tokens[index - 1].end
        if start is not None:
            self._add("condition", f"`{self._text(start, end)} ?` is negated", start, end, "((", ") != #)")

    def _ordering(self, index):
        """Replaces a whole atomic operation, because an ordering has to be a literal."""
        if self.tokens[index + 2].text == ".relaxed" or (self.tokens[index + 2].text, self.tokens[index + 3].text) == (
                ".", "relaxed"):
            return
        opening = self.tokens[index].outer
        start = self.source.operand_before(opening)
        end = self.tokens[self.tokens[opening].match].end
        if start is None:
            return
        original = self.source.mask[start:end]
        mutated = " ".join(re.sub(r"ordering: \.\w+", "ordering: .relaxed", original).split())
        while self.source.text[start] == "!":
            start, mutated = start + 1, mutated[1:]
        self._add("ordering", f"`{self._text(start, end)}` is relaxed", start, end, f"(# ? {mutated} : ", ")")

    # MARK: Statements

    def _block(self, brace):
        statements = self.source.statements(brace)
        header_end = self.tokens[brace - 1].text if brace else ""
        head = self.source.heads[brace]
        is_function = head == "func" and brace not in self.bodies
        is_value = len(statements) == 1 and self._returns_value(brace, head)
        for first, last in statements:
            if not is_value:
                self._statement(first, last, brace)
            if self.tokens[first].text == "return" and last > first and self._function_returns_bool(brace):
                self._negate_result(first + 1, last)
        if is_function and len(statements) > 1:
            self._early_return(brace, statements)
        if len(statements) == 1 and header_end == "Bool" and head in ("func", "var"):
            first, last = statements[0]
            if self.tokens[first].text not in KEPT:
                self._negate_result(first, last)

    def _statement(self, first, last, brace):
        token = self.tokens[first]
        if token.text in ("continue", "break") or (token.text == "return" and last == first):
            # A guard needs its jump, and in a case of a switch, a `break` on its own does nothing.
            is_guard = self.tokens[brace - 1].text == "else" and self.source.heads[brace] != "if"
            is_needed = is_guard and brace in self.bodies
            if not is_needed and (token.text != "break" or self.tokens[first - 1].text != ":"):
                self._leave_out(first, last)
        elif token.text not in KEPT and not token.text.startswith(("@", "#", ".", '"', "{")):
            body = self.tokens[first:last + 1]
            if any(part.text in ("(", "=", "+=", "-=", "|=", "{") for part in body[1:]) or body[0].text == "(":
                self._leave_out(first, last)

    def _leave_out(self, first, last):
        start, end = self.tokens[first].start, self.tokens[last].end
        self._add("statement", f"`{self._text(start, end)}` is left out", start, end, "if !# { ", " }")

    def _negate_result(self, first, last):
        # In a closure with another result, it would compile, and be a value even without the fault.
        if self.tokens[first].text == "nil":
            return
        start, end = self.tokens[first].start, self.tokens[last].end
        self._add("result", f"`{self._text(start, end)}` is negated", start, end, "((", ") != #)")

    def _early_return(self, brace, statements):
        name, result = self._signature(brace)
        values = {"Bool": ["true", "false"], "": [""]}.get(result, ["nil"] if result.endswith("?") else [])
        for value in values:
            position = self.tokens[statements[0][0]].start
            self._add("return", f"`{name}` returns {value or 'at once'}".rstrip(), position, position,
                      f"if # {{ return {value} }}; ".replace(" }};", " };"), "")

    def _returns_value(self, brace, head):
        if brace in self.bodies or head not in ("func", "var", "get"):
            return False
        return head != "func" or self._signature(brace)[1] not in ("", "Void")

    def _signature(self, brace):
        """The name of the function with the given body, and its result type; empty if it returns nothing."""
        index = brace - 1
        while self.tokens[index].text != "func":
            index -= 1
        header = self.source.mask[self.tokens[index].end:self.tokens[brace].start]
        arrow = re.search(r"->\s*(?!.*->)([^{]*?)\s*(where .*)?$", header, re.DOTALL)
        return self.tokens[index + 1].text, (arrow.group(1) if arrow else "")

    def _function_returns_bool(self, brace):
        """Whether the innermost function around a block returns a Bool."""
        while brace >= 0:
            if self.tokens[brace].text == "{" and self.source.heads[brace] in ("func", "var", "get"):
                if brace not in self.bodies:
                    return self.tokens[brace - 1].text == "Bool"
            brace = self.tokens[brace].outer
        return False

    # MARK: Common

    def _is_member(self, index):
        return self.tokens[index - 1].text.endswith(".") if index else False

    def _is_value(self, index):
        """Whether a literal is an expression, not a pattern, a label, or part of an attribute."""
        line = self.source.line_text(self.tokens[index].start)
        return not self._is_member(index) and not line.startswith(("case ", "@", "#"))

    def _in_line(self, change, offset):
        return f"{change} in `{self.source.line_text(offset)}`"

    def _text(self, start, end):
        text = " ".join(self.source.text[start:end].split())
        return text if len(text) <= 90 else text[:87] + "…"

    def _add(self, kind, change, start, end, before, after):
        if kind in ("condition", "result"):
            if (start, end) in self.ranges:
                return
            self.ranges.add((start, end))
        self.faults.append(
            Fault(self.source.path, self.source.line(start), kind, change, start, end, before, after))

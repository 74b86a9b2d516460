"""Just enough of Swift's structure to find expressions and statements: tokens, brackets, and what each brace opens.

It relies on the repository's formatting: binary operators have spaces around them, and a statement starts on a line of
its own or right after an opening brace.
"""

import bisect
import re
from dataclasses import dataclass

TOKEN = re.compile(r"[A-Za-z_$`][\w$`]*|\d[\w.]*|\.{3}|[-+*/%<>=!&|^~?.]+|[@#]\w+|[(){}\[\],;:\\]|\"+")
OPENING, CLOSING = "([{", ")]}"
# Keywords whose block contains declarations, not statements.
TYPES = {"class", "struct", "enum", "extension", "protocol", "actor"}
# Keywords that a brace may belong to. The last of them before a brace decides.
HEADS = TYPES | {
    "func", "init", "deinit", "subscript", "var", "let", "if", "guard", "else", "while", "for", "switch", "do", "catch",
    "defer", "repeat", "get", "set", "_modify", "_read", "didSet", "willSet", "case", "default", "return",
}
CONDITIONS = {"if", "guard", "while"}
# An expression continues across lines before and after one of these.
BINARY = re.compile(r"^(==|!=|===|!==|<|<=|>|>=|&&|\|\||\?\?|[-+*/%&|^]|&[-+*]|<<|>>|\+=|-=|=|->|\?|\.\.<|\.\.\.)$")


@dataclass
class Token:
    text: str
    start: int
    end: int
    line: int
    first_on_line: bool
    match: int = -1
    """For a bracket, the index of its counterpart."""
    outer: int = -1
    """The index of the innermost opening bracket around the token; -1 at the top."""


def mask(text):
    """The source with comments blanked and the insides of string literals replaced, at the same length."""
    out = list(text)
    position = 0

    def blank(start, end, filler=" "):
        for index in range(start, end):
            if out[index] != "\n":
                out[index] = filler

    while position < len(text):
        if text.startswith("//", position):
            end = text.find("\n", position)
            end = len(text) if end < 0 else end
            blank(position, end)
            position = end
        elif text.startswith("/*", position):
            end = text.index("*/", position) + 2
            blank(position, end)
            position = end
        elif text[position] == '"':
            quote = '"""' if text.startswith('"""', position) else '"'
            end = end_of_string(text, position + len(quote), quote)
            # A literal becomes one token, even across lines.
            for index in range(position, end):
                out[index] = '"'
            position = end
        else:
            position += 1
    return "".join(out)


def end_of_string(text, position, quote):
    while not text.startswith(quote, position):
        if text.startswith("\\(", position):
            depth, position = 1, position + 2
            while depth:
                if text[position] == '"':
                    position = end_of_string(text, position + 1, '"')
                    continue
                depth += {"(": 1, ")": -1}.get(text[position], 0)
                position += 1
        else:
            position += 2 if text[position] == "\\" else 1
    return position + len(quote)


class SwiftSource:
    def __init__(self, path, text):
        self.path, self.text = path, text
        self.mask = mask(text)
        self.line_starts = [0] + [match.end() for match in re.finditer("\n", text)]
        self.tokens = self._tokens()
        self.heads = self._heads()
        """For each opening brace, the keyword of the declaration or statement that it belongs to, if there is one."""

    def line(self, offset):
        return bisect.bisect_right(self.line_starts, offset)

    def line_text(self, offset):
        line = self.line(offset)
        end = self.line_starts[line] if line < len(self.line_starts) else len(self.text)
        return self.text[self.line_starts[line - 1]:end].strip()

    def _tokens(self):
        tokens, open_brackets, last_line = [], [], 0
        for found in TOKEN.finditer(self.mask):
            line = self.line(found.start())
            token = Token(found.group(), found.start(), found.end(), line, line != last_line)
            last_line = self.line(found.end() - 1)
            if token.text in CLOSING and open_brackets:
                token.match = open_brackets.pop()
                tokens[token.match].match = len(tokens)
            token.outer = open_brackets[-1] if open_brackets else -1
            if token.text in OPENING:
                open_brackets.append(len(tokens))
            tokens.append(token)
        return tokens

    def _heads(self):
        heads = {}
        for index, token in enumerate(self.tokens):
            if token.text == "{":
                heads[index] = self._head(index)
        return heads

    def _head(self, brace):
        """The nearest keyword before a brace, in the same block. A closure may get the keyword of its statement."""
        index, outer = brace - 1, self.tokens[brace].outer
        while index > outer:
            token = self.tokens[index]
            if token.text in ("}", ";"):
                return None
            if token.text in CLOSING:
                index = token.match - 1
                continue
            is_member = self.tokens[index - 1].text.endswith(".")
            is_modifier = token.text == "class" and self.tokens[index + 1].text in ("func", "var", "subscript")
            if token.text in HEADS and not is_member and not is_modifier:
                return token.text
            index -= 1
        return None

    def _is_binary(self, index):
        """Whether a token is a binary operator, judged by the spaces around it."""
        if index < 0 or index >= len(self.tokens):
            return False
        token = self.tokens[index]
        if not BINARY.match(token.text):
            return False
        return self.mask[token.start - 1] in " \n" and self.mask[token.end:token.end + 1] in (" ", "\n", "")

    def _starts_statement(self, index):
        """Whether a token that is the first of its line begins a statement, rather than continuing the line before."""
        token = self.tokens[index]
        if token.text.startswith((".", "?.")) or self._is_binary(index) or token.text in ("else", "catch", "where"):
            return False
        if token.text in CLOSING or token.text in ("{", ":", ","):
            return False
        if index == 0:
            return True
        before = self.tokens[index - 1]
        if before.text == ":":
            return self._is_label(index - 1)
        return before.text not in (",", "(", "[") and not self._is_binary(index - 1)

    def _is_label(self, index):
        """Whether a colon ends `case …:` or `default:`."""
        outer = self.tokens[index].outer
        while index > outer and self.tokens[index].text not in ("{", "}"):
            if self.tokens[index].text in ("case", "default"):
                return True
            index -= 1
        return False

    def in_code(self, index):
        """Whether a token is inside the body of a function, an accessor, or a closure."""
        outer = self.tokens[index].outer
        while outer >= 0:
            if self.tokens[outer].text == "{":
                head = self.heads[outer]
                return head not in TYPES
            outer = self.tokens[outer].outer
        return False

    # MARK: Extents

    LOW = {"&&", "||", "=", "+=", "-=", "*=", "|=", "&=", "->", "return", "if", "guard", "while", "in", "else", "try",
           "await", "throw", "case", "where", "switch", "try?", "for", "do", "defer", "let", "var"}

    def operand_before(self, operator, also=()):
        """The start of the operand before an operator of the precedence of comparisons, or of the given ones lower."""
        index, outer = operator - 1, self.tokens[operator].outer
        start = None
        while index > outer:
            token = self.tokens[index]
            if token.text in CLOSING:
                if token.text == "}" and self.tokens[index + 1].first_on_line:
                    break
                start = token.match
                index = token.match
                if self.tokens[index].first_on_line and self._starts_statement(index):
                    break
                index -= 1
                continue
            if self._stops(index, also):
                break
            start = index
            if token.first_on_line and self._starts_statement(index):
                break
            index -= 1
        return None if start is None else self.tokens[start].start

    def operand_after(self, operator, bodies, also=()):
        """The end of the operand after an operator."""
        index, outer = operator + 1, self.tokens[operator].outer
        end = None
        while index < len(self.tokens):
            token = self.tokens[index]
            if token.text in CLOSING or (token.text == "{" and index in bodies) or self._stops(index, also):
                break
            if end is not None and token.first_on_line and self._starts_statement(index):
                break
            if token.text in OPENING:
                if token.match < 0:
                    return None
                index = token.match
            end = self.tokens[index].end
            index += 1
        return end

    def _stops(self, index, also):
        token = self.tokens[index]
        if token.text in also:
            return False
        if token.text in self.LOW or token.text in (",", ";", ":"):
            return True
        return token.text == "?" and self._is_binary(index)

    # MARK: Statements

    def statements(self, brace):
        """The statements directly in a block, as pairs of their first and last tokens."""
        first = self._body_start(brace)
        end = self.tokens[brace].match
        starts, index = [], first
        while index < end:
            token, before = self.tokens[index], self.tokens[index - 1].text
            is_after_label = before == ":" and self._is_label(index - 1)
            if index == first or before == ";" or is_after_label or (
                    token.first_on_line and self._starts_statement(index)):
                starts.append(index)
            index = max(token.match, index) + 1 if token.text in OPENING else index + 1
        return [(start, following - 1) for start, following in zip(starts, starts[1:] + [end])]

    def _body_start(self, brace):
        """The first token after a brace, or after `… in` if it opens a closure with parameters."""
        index = brace + 1
        while self.tokens[index].line == self.tokens[brace].line and index < self.tokens[brace].match:
            if self.tokens[index].text == "in" and self.tokens[brace + 1].text != "for":
                return index + 1
            if self.tokens[index].text == "{":
                break
            index += 1
        return brace + 1

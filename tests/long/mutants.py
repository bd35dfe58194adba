"""Mutants of C text: one place of a file changed by a stated operator. tests/long/mutate.py draws a sample, builds and judges it.

A mutant is an expression or a statement with one change. So that all of them are built at once, the changed text stands beside
the original one, and a number that is read when a program starts chooses:

    a + b    becomes    (OMR_MUTANT(7) ? (a - b) : (a + b))
    x = y;   becomes    (OMR_MUTANT(8) ? (void)0 : (void)(x = y));

What cannot be chosen at run time (enumerators, initialisers of constants, sizes of arrays) is built for itself."""

import re

OPERATORS = {
    "arithmetic": "+ for -, - for +, * for /, / for *",
    "sign": "a minus sign left out; fma_real(a, b, c) becomes fma_real(-a, b, c)",
    "step": "++ for --, += for -=, *= for /=",
    "bound": "< for <=, <= for <, > for >=, >= for > (lt, le, gt, ge too)",
    "equality": "== for !=, != for ==; eq(a, b) becomes its opposite",
    "logic": "&& for ||, || for && (mask_and, mask_or too)",
    "number": "0 for 1, 1 for 0, other integers plus 1, other numbers doubled",
    "extreme": "min for max, max for min",
    "circle": "sine for cosine, cosine for sine, in functions and names",
    "select": "the two values of select_real exchanged",
    "condition": "the condition of if, while and ?: negated",
    "result": "a returned number or truth negated",
    "deletion": "a statement left out",
}

TOKEN = re.compile(r"""
  (?P<comment>/\*.*?\*/|//[^\n]*) | (?P<string>"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*')
 |(?P<literal>\bR\(\s*-?[0-9.][0-9a-zA-Z.]*(?:(?<=[eE])[+-][0-9]+)?\s*\))
 |(?P<number>(?:0[xX][0-9a-fA-F.]+(?:[pP][+-]?[0-9]+)?|(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?)[uUlLfF]*)
 |(?P<word>[A-Za-z_]\w*) | (?P<sign>->|\+\+|--|<<=|>>=|<<|>>|<=|>=|==|!=|&&|\|\||[-+*/%&|^]=|\#\#|\.\.\.|[^\s\w])
""", re.S | re.X)
DIRECTIVE = re.compile(r"^[ \t]*#[ \t]*(\w*)(?:\\\n|/\*.*?\*/|[^\n])*", re.S | re.M)

SWAPS = {"+": ("arithmetic", "-"), "-": ("arithmetic", "+"), "*": ("arithmetic", "/"), "/": ("arithmetic", "*"),
         "++": ("step", "--"), "--": ("step", "++"), "+=": ("step", "-="), "-=": ("step", "+="), "*=": ("step", "/="),
         "/=": ("step", "*="), "<": ("bound", "<="), "<=": ("bound", "<"), ">": ("bound", ">="), ">=": ("bound", ">"),
         "==": ("equality", "!="), "!=": ("equality", "=="), "&&": ("logic", "||"), "||": ("logic", "&&")}
CALLS = {"lt": ("bound", "le"), "le": ("bound", "lt"), "gt": ("bound", "ge"), "ge": ("bound", "gt"),
         "mask_and": ("logic", "mask_or"), "mask_or": ("logic", "mask_and"), "min_real": ("extreme", "max_real"),
         "max_real": ("extreme", "min_real"), "fmin": ("extreme", "fmax"), "fmax": ("extreme", "fmin"),
         "sin": ("circle", "cos"), "cos": ("circle", "sin")}
CIRCLE = [("sine", "cosine"), ("cosine", "sine"), ("SIN", "COS"), ("COS", "SIN"), ("sin", "cos"), ("cos", "sin")]
CONTROL = {"if", "for", "while", "switch", "EACH_LANE"}
ASSIGN = {"=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<=", ">>="}
LEFT = ASSIGN | {",", ";", "?", ":", "return", "else", "do", "UNROLL", "UNROLL_ALL", "UNROLL_DEVICE"}
RIGHT = {",", ";", "?", ":"}
NEVER = {"case", "goto", "break", "continue", "return", "if", "for", "while", "switch", "do", "else", "default", "typedef",
         "struct", "enum", "static", "const", "extern", "UNROLL", "UNROLL_ALL", "EACH_LANE", "UNROLL_DEVICE"}
PAIRS = {"(": ")", "[": "]", "{": "}"}
NUMBERS = r"(?:FN|FN_CALL|FN_COLD|static|inline|bool|double|real|sreal|float|mask|int)"


class Token:
    def __init__(self, kind, text, start, end):
        self.kind, self.text, self.start, self.end = kind, text, start, end


def directives(text):
    """Places of the preprocessor's lines: (word, start, end)."""
    blind = re.sub(r"/\*.*?\*/", lambda m: re.sub(r"[^\n]", " ", m[0]), text, flags=re.S)
    return [(m[1], m.start(), m.end()) for m in DIRECTIVE.finditer(blind)]


def sections(text):
    """Stretches of text in which expressions may be looked for: between directives, and the bodies of macros."""
    last = 0
    for word, start, end in directives(text):
        yield last, start
        body = re.match(r"\s*#\s*define\s+\w+(\([^)]*\))?", text[start:end]) if word == "define" else None
        if body and "X(" not in body[0] and "(X" not in body[0]:
            yield start + body.end(), end
        last = end
    yield last, len(text)


def tokens(text, start, end):
    found = []
    for m in TOKEN.finditer(text, start, end):
        if m.lastgroup != "comment" and m[0] != "\\":
            found.append(Token(m.lastgroup, m[0], m.start(), m.end()))
    return found


def partners(toks):
    """Index of the other bracket of each bracket; -1 where it is outside."""
    other, open_ = [-1] * len(toks), []
    for i, t in enumerate(toks):
        if t.text in PAIRS and t.kind == "sign":
            open_.append(i)
        elif t.text in ")]}" and t.kind == "sign" and open_:
            j = open_.pop()
            other[i], other[j] = j, i
    return other


class Section:
    """One stretch of text with its tokens."""

    def __init__(self, text, start, end):
        self.text = text
        self.toks = tokens(text, start, end)
        self.other = partners(self.toks)

    def word(self, i):
        return self.toks[i].text if 0 <= i < len(self.toks) else ""

    def after_control(self, i):
        """Whether token i closes the parentheses of an if, a loop or the like."""
        return self.word(i) == ")" and self.other[i] >= 0 and self.word(self.other[i] - 1) in CONTROL

    def left(self, i, assignments):
        """First token of the expression around token i; its assignment is in it where that is changed itself."""
        while i > 0:
            before = self.word(i - 1)
            if before in ")]}" and self.toks[i - 1].kind == "sign":
                if before == "}" or self.after_control(i - 1) or self.other[i - 1] < 0:
                    return i
                i = self.other[i - 1]
            elif before in PAIRS or (before in LEFT and not (assignments and before in ASSIGN)):
                return i
            else:
                i -= 1
        return i

    def right(self, i):
        while i + 1 < len(self.toks):
            after = self.word(i + 1)
            if after in PAIRS and self.toks[i + 1].kind == "sign":
                if after == "{" or self.other[i + 1] < 0:
                    return i
                i = self.other[i + 1]
            elif after in RIGHT or (after in ")]}" and self.toks[i + 1].kind == "sign"):
                return i
            else:
                i += 1
        return i

    def arguments(self, i):
        """The (start, end) places of the arguments of the call whose name is token i."""
        close, begin, j, out = self.other[i + 1], i + 2, i + 2, []
        while 0 <= j <= close:
            if self.word(j) in PAIRS and self.toks[j].kind == "sign":
                j = self.other[j]
                if j < 0:
                    return []
            elif j == close or self.word(j) == ",":
                if j > begin:
                    out.append((self.toks[begin].start, self.toks[j - 1].end))
                begin = j + 1
            j += 1
        return out


def doubled(number):
    """A number changed: 0 and 1 exchanged, integers plus 1, others doubled."""
    m = re.fullmatch(r"(.*?)([uUlLfF]*)", number) if not number.lower().startswith("0x") else None
    if not m:
        return None
    body, suffix = m[1], m[2]
    if re.fullmatch(r"[0-9]+", body):
        return (str(1 - int(body)) if int(body) < 2 else str(int(body) + 1)) + suffix
    value = float(body)
    return repr(1.0 - value if value in (0.0, 1.0) else 2 * value) + suffix


def edits(s, i):
    """What the operators make of token i: (operator, [(start, end, new text)], assignment changed)."""
    t, before, after = s.toks[i], s.toks[i - 1] if i else None, s.word(i + 1)
    operand = before is not None and (before.kind in ("number", "literal", "string") or before.text in (")", "]") or
                                      (before.kind == "word" and before.text not in NEVER))
    if t.kind == "sign" and t.text in SWAPS:
        cast = before is not None and before.text == ")" and s.other[i - 1] >= 0 and re.fullmatch(
            r"\((?:\w+ )*(?:\w+_t|double|float|int|real|sreal|size_t|mask|void|unsigned|char|const)\s*\**\)",
            s.text[s.toks[s.other[i - 1]].start:before.end])
        if t.text in "+-*" and (not operand or cast or s.after_control(i - 1)):
            if t.text == "-":
                yield "sign", [(t.start, t.end, "")], False
        elif t.text == "*" and before.kind == "word" and (after in (",", ")") or before.text in (
                "char", "double", "real", "void", "int", "sreal", "FILE") or s.word(i + 2) in ("=", ";", ",", "[")
                and s.word(i - 2) in (";", "{", "}", "const", "(")):
            return  # a pointer
        else:
            operator, other = SWAPS[t.text]
            yield operator, [(t.start, t.end, other)], t.text in ASSIGN
    elif t.kind == "number":
        new = doubled(t.text)
        if new:
            yield "number", [(t.start, t.end, new)], False
    elif t.kind == "literal":
        inside = t.text[2:-1].strip()
        new = doubled(inside.lstrip("-"))
        yield "number", [(t.start, t.end, "R(" + ("-" if inside[0] == "-" else "") + new + ")")], False
    elif t.kind == "word" and t.text not in NEVER:
        if after == "(" and t.text in CALLS:
            operator, other = CALLS[t.text]
            yield operator, [(t.start, t.end, other)], False
        elif not (before and before.text in (".", "->") or after in ("=", "[", "(")) or re.fullmatch(r"[A-Z_0-9]+", t.text):
            for old, other in CIRCLE:
                if re.search(r"(?:^|_)%s(?:_|$|ine)" % old, t.text):
                    yield "circle", [(t.start, t.end, t.text.replace(old, other, 1))], False
                    break
        if after == "(" and t.text in ("select_real", "fma_real", "eq", "sincos_real"):
            a = s.arguments(i)
            if t.text == "select_real" and len(a) == 3:
                yield "select", [a[1] + (s.text[slice(*a[2])],), a[2] + (s.text[slice(*a[1])],)], False
            elif t.text == "sincos_real" and len(a) == 3:
                yield "circle", [a[1] + (s.text[slice(*a[2])],), a[2] + (s.text[slice(*a[1])],)], False
            elif t.text == "fma_real" and len(a) == 3:
                yield "sign", [a[0] + ("-(" + s.text[slice(*a[0])] + ")",)], False
            elif t.text == "eq" and len(a) == 2:
                close = s.toks[s.other[i + 1]]
                yield "equality", [(t.start, t.start, "mask_not("), (close.end, close.end, ")")], False


def returns_number(text, place):
    """Whether the function around a place returns a number or a truth."""
    heads = list(re.finditer(r"^(\w[^;{}()=#]*?)\b(\w+)\([^;{}]*\)\s*\{", text[:place], re.M))
    if not heads:
        return None
    kind = heads[-1][1].split()
    if not kind or "*" in heads[-1][1] or any(not re.fullmatch(NUMBERS, k) for k in kind):
        return None
    return "truth" if kind[-1] in ("bool", "mask", "int") else "number"


class Mutant:
    def __init__(self, path, text, operator, span, changes, choice=None):
        self.path, self.operator, self.span, self.changes, self.choice = path, operator, span, changes, choice
        self.line = text.count("\n", 0, changes[0][0]) + 1

    def changed(self, text, start, end):
        """The text between two places with the change."""
        for a, b, new in sorted(self.changes, reverse=True):
            text = text[:a] + new + text[b:]
            end += len(new) - (b - a)
        return text[start:end]

    def describe(self, text):
        def plain(part):
            return re.sub(r"\s+", " ", re.sub(r"/\*.*?\*/", "", part)).strip()
        start, end = self.span
        low, high = min(c[0] for c in self.changes), max(c[1] for c in self.changes)
        start, end = max(start, low - 60), min(end, high + 60)
        return plain(text[start:end]), plain(self.changed(text, start, end))


def statement(s, i):
    """Index of the semicolon of the expression statement that begins at token i, or None."""
    before = s.toks[i - 1] if i else None
    if before is None or not (before.text in (";", "{", "}", "else") or s.after_control(i - 1)):
        return None
    t = s.toks[i]
    if t.kind not in ("word", "sign") or t.text in NEVER or t.text not in ("*", "++", "--") and t.kind == "sign":
        return None
    if t.kind == "word" and (s.toks[i + 1].kind == "word" or s.word(i + 1) == "*" and s.toks[i + 2].kind == "word"):
        return None  # a declaration
    j = s.right(i)
    while s.word(j + 1) == ",":
        j = s.right(j + 1)
    return j + 1 if s.word(j + 1) == ";" else None


def mutants_of(path, text):
    """Every mutant of a file, in the order of the text."""
    found = []
    spans = list(sections(text))
    for start, end in spans:
        s = Section(text, start, end)
        for i, t in enumerate(s.toks):
            for operator, changes, whole in edits(s, i):
                if s.word(s.left(i, True)) == "case":
                    continue
                a, b = s.left(i, whole), s.right(i)
                found.append(Mutant(path, text, operator, (s.toks[a].start, s.toks[b].end), changes))
            if t.text in ("if", "while") and s.word(i + 1) == "(" and s.other[i + 1] > 0:
                a, b = s.toks[i + 2].start, s.toks[s.other[i + 1] - 1].end
                found.append(condition(path, text, a, b))
            elif t.text == "?":
                a = s.toks[s.left(i, False)].start if s.left(i, False) < i else t.start
                if a < t.start:
                    found.append(condition(path, text, a, s.toks[i - 1].end))
            elif t.text == "return" and s.word(i + 1) != ";" and returns_number(text, t.start):
                j = i + 1
                while j < len(s.toks) and s.word(j) != ";":
                    j = s.other[j] + 1 if s.word(j) in PAIRS and s.other[j] > j else j + 1
                a, b = s.toks[i + 1].start, s.toks[j - 1].end
                truth = returns_number(text, t.start) == "truth"
                if re.fullmatch(r"R\(-?0\.0\)|0", text[a:b]):
                    continue
                new = "!(" if truth else "-("
                choice = None if truth else "(OMR_MUTANT(%d) ? -1 : 1) * (%s)"
                found.append(Mutant(path, text, "result", (a, b), [(a, a, new), (b, b, ")")], choice))
            close = statement(s, i)
            if close is not None:
                a, b = t.start, s.toks[close - 1].end
                found.append(Mutant(path, text, "deletion", (a, b), [(a, b, "(void)0")], "(OMR_MUTANT(%d) ? (void)0 : (void)(%s))"))
    return found


def condition(path, text, a, b):
    return Mutant(path, text, "condition", (a, b), [(a, a, "!("), (b, b, ")")], "((%s) ? !OMR_MUTANT(%d) : OMR_MUTANT(%d))")


def with_all(text, mutants):
    """The text of a file in which a number chooses among its mutants: [(number, mutant)]."""
    by_span = {}
    for number, m in mutants:
        by_span.setdefault(m.span, []).append((number, m))
    ordered = sorted(by_span, key=lambda s: (s[0], -s[1]))

    def render(start, end, inner):
        out, at = [], start
        while inner:
            span = inner[0]
            nested = [s for s in inner[1:] if s[0] < span[1]]
            out.append(text[at:span[0]])
            out.append(wrap(span, render(span[0], span[1], nested)))
            at = span[1]
            inner = inner[1 + len(nested):]
        out.append(text[at:end])
        return "".join(out)

    def wrap(span, original):
        for number, m in by_span[span]:
            if m.operator == "condition":
                original = m.choice % (original, number, number)
            elif m.choice:
                original = m.choice % (number, original)
            else:
                original = "(OMR_MUTANT(%d) ? (%s) : (%s))" % (number, m.changed(text, *span), original)
        return original

    return render(0, len(text), ordered)


def crossing(a, b):
    """Whether two spans overlap and none is inside the other."""
    return a[0] < b[0] < a[1] < b[1] or b[0] < a[0] < b[1] < a[1]

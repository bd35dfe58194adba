"""Is there room to read?   style.py [TREE] [--check] [--list WORD|comments|blank|functions [ROOM]] [--pages]

A table by room of host/, kernels/ and analysis/: functions by size; in functions of C of 20 lines and more, the share with a comment
inside and the share of blank lines; counted words per 1 000 words of comments (letters and ', lower case; in Python comments and
docstrings). "C" is host and kernels together, "Python" is analysis. --check holds both to the budgets below: C to all of them, Python to
the budgets of words.

--list WORD: file:line of each occurrence; comments: functions of 20 lines and more without one inside; blank: those with less than their
share of blank lines; functions: by size. ROOM is a row of the table or the beginning of a path.

--pages looks at the pages (.md) instead, by folder: words in all, outside of tables, and of sentences (no table, no code), as wc -w has
them; the longest paragraph and line; counted words per 1 000 of sentences. With --check it holds the pages to PAGE_BUDGETS, and --list
takes long-paragraphs, long-lines or long-pages besides a counted word. CHANGELOG.md is counted apart. A line counts as long without
URLs and targets of links, outside of tables, comments and what a command prints.
"""
import ast
import collections
import io
import pathlib
import re
import sys
import tokenize

LONG = 20  # lines of a function that wants comments and blank lines
SIZES = 20, 50, 70, 100

# The budgets of C, held by --check, and their origin: the value at commit 58beb17c. comments and blank: at least so many per cent; words:
# at most so many per 1 000, of each but `what` half of the origin.
Budget = collections.namedtuple("Budget", "budget origin")
BUDGETS = {
    "comments": Budget(80.0, 23.50),
    "blank": Budget(8.0, 0.13),
    "what": Budget(3.0, 11.14),
    "those of": Budget(0.60, 1.20),
    "that of": Budget(0.39, 0.77),
    "told": Budget(0.19, 0.39),
    "asked": Budget(0.34, 0.68),
    "alone": Budget(0.81, 1.63),
    "beside": Budget(0.20, 0.40),
}
AT_LEAST = "comments", "blank"
WORDS = [word for word in BUDGETS if word not in AT_LEAST]

# Python has the same budgets of words; the origin is the value at commit 65b08b95.
PYTHON_ORIGINS = {"what": 13.01, "those of": 1.78, "that of": 0.89, "told": 0.73, "asked": 0.86, "alone": 1.31, "beside": 1.05}
ROW_BUDGETS = {"C": BUDGETS, "Python": {word: Budget(BUDGETS[word].budget, origin) for word, origin in PYTHON_ORIGINS.items()}}

# The budgets of pages, which fall and never rise: today, and the goal.
PageBudget = collections.namedtuple("PageBudget", "budget goal")
PAGE_BUDGETS = {
    "words outside tables": PageBudget(55500, 55000),
    "long-paragraphs": PageBudget(0, 0),
    "long-lines": PageBudget(0, 0),
    "long-pages": PageBudget(0, 0),
    "what": PageBudget(3.0, 3.0),
}
PARAGRAPH, COLUMNS = 120, 100  # words, columns
LENGTHS = {"README.md": ("lines", 120), "docs/explanation/": ("words", 2500)}  # of a page; words outside of tables

TOKEN = re.compile(r'"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'|(/\*.*?\*/|//[^\n]*)', re.DOTALL)
WORD = re.compile(r"[A-Za-z']+")
NOT_A_FUNCTION = re.compile(r"^(?:typedef|struct|union|enum|extern\s+\"C\")\b[^()]*\{|=[^=]*\{$")

Function = collections.namedtuple("Function", "path line name lines blank comments")


class Counts:
    def __init__(self):
        self.functions, self.words, self.hits = [], 0, []

    def add(self, other):
        self.functions += other.functions
        self.words += other.words
        self.hits += other.hits


def count_words(counts, path, line, text):
    """A comment's words; a word of two parts is found within one comment only."""
    words = [(match.group().lower(), line + text.count("\n", 0, match.start())) for match in WORD.finditer(text)]
    counts.words += len(words)
    for i, (word, at) in enumerate(words):
        pair = f"{word} {words[i + 1][0]}" if i + 1 < len(words) else ""
        counts.hits += [(hit, path, at) for hit in (word, pair) if hit in WORDS]


def functions_of_c(path, text, commented):
    lines = text.split("\n")
    i = 0
    while i < len(lines):
        start = i
        i += 1
        if not re.match(r"[A-Za-z_]", lines[start]):
            continue
        while i < len(lines) and not lines[i - 1].endswith(("{", ";", "}")) and lines[i][:1].isspace():
            i += 1
        head = " ".join(line.strip() for line in lines[start:i])
        if not head.endswith("{") or "(" not in head or NOT_A_FUNCTION.search(head):
            continue
        body = i
        while i < len(lines) and not lines[i].startswith("}"):
            i += 1
        name = re.search(r"(\w+)\s*\(", head).group(1)
        blank = sum(not line.strip() for line in lines[body:i])
        yield Function(path, start + 1, name, i - start + 1, blank, sum(line in commented for line in range(body + 1, i + 1)))


def read_c(path, text):
    counts = Counts()
    commented = set()
    for match in TOKEN.finditer(text):
        if match.group(1):
            line = 1 + text.count("\n", 0, match.start())
            commented.add(line)
            count_words(counts, path, line, match.group(1))
    counts.functions = list(functions_of_c(path, text, commented))
    return counts


def read_python(path, text):
    counts = Counts()
    lines = text.split("\n")
    commented = set()
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type == tokenize.COMMENT:
            commented.add(token.start[0])
            count_words(counts, path, token.start[0], token.string)
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)):
            first = node.body[0] if node.body else None
            if isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant) and isinstance(first.value.value, str):
                count_words(counts, path, first.lineno, "\n".join(lines[first.lineno - 1 : first.end_lineno]))
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            body = lines[node.lineno - 1 : node.end_lineno]
            blank = sum(not line.strip() for line in body)
            comments = sum(line in commented for line in range(node.lineno, node.end_lineno + 1))
            comments += ast.get_docstring(node, clean=False) is not None
            counts.functions.append(Function(path, node.lineno, node.name, len(body), blank, comments))
    return counts


class PageCounts(Counts):
    """Of pages: `words` are those of sentences, as count_words has them."""

    def __init__(self):
        super().__init__()
        self.pages, self.all, self.outside, self.plain, self.paragraphs, self.long_lines, self.long_pages = 0, 0, 0, 0, [], [], []

    def add(self, other):
        super().add(other)
        for name in ("pages", "all", "outside", "plain", "paragraphs", "long_lines", "long_pages"):
            setattr(self, name, getattr(self, name) + getattr(other, name))


def kinds_of_lines(text):
    """(number, line, kind) of a page: code, table, heading, comment, blank, item (of a list) or text."""
    fence = None
    before = ""
    for number, line in enumerate(text.split("\n"), 1):
        mark = re.match(r"\s*(```+|~~~+)", line)
        if mark and (fence is None or line.strip() == fence):
            fence = mark[1] if fence is None else None
            kind = "code"
        elif fence or (line.startswith("    ") and before in ("", "code", "blank", "comment")):
            kind = "code"
        elif not line.strip():
            kind = "blank"
        else:
            kinds = {"table": r"\|", "heading": r"#+ ", "comment": r"<!--", "item": r"\s*(?:[-*]|\d+\.) "}
            kind = next((kind for kind, start in kinds.items() if re.match(start, line)), "text")
        before = before if kind == "blank" and before == "code" else kind
        yield number, line, kind


def is_long(line, kind, printed):
    written = re.sub(r"\]\([^)]*\)", "]", line)
    return len(written) > COLUMNS and kind not in ("table", "comment") and not printed and "://" not in line and len(line.split()) > 1


def read_page(path, text):
    counts, sentences, paragraph, block = PageCounts(), [], None, ""
    counts.pages = 1
    for number, line, kind in kinds_of_lines(text):
        words = len(line.split())
        counts.all += words
        counts.outside += 0 if kind == "table" else words
        in_sentences = kind in ("heading", "item", "text")
        counts.plain += words if in_sentences else 0
        sentences.append(re.sub(r"`[^`]*`", "", line) if in_sentences else "")
        if kind == "text" and paragraph:
            paragraph[0] += words
        elif kind in ("item", "text"):
            paragraph = [words, path, number]
            counts.paragraphs.append(paragraph)
        else:
            paragraph = None
        block = (block or line.strip()) if kind == "code" and not line.startswith("```") else ""  # its first line
        if is_long(line, kind, printed=block.startswith("$ ") and "$ " not in line):
            counts.long_lines.append((len(line), path, number))
    count_words(counts, path, 1, re.sub(r"`[^`]*`", "", "\n".join(sentences)))
    size = {"lines": text.count("\n"), "words": counts.outside}
    for start, (unit, most) in LENGTHS.items():
        if path.startswith(start) and "/appendix/" not in path and size[unit] > most:
            counts.long_pages.append((size[unit], path, 1))
    return counts


def room_of(path):
    return "/".join(path.split("/")[: 2 if path.startswith("host/") else 1])


def read_tree(root, pages):
    rooms = collections.defaultdict(PageCounts if pages else Counts)
    readers = {".md": read_page} if pages else {".c": read_c, ".h": read_c, ".py": read_python}
    tops = ("",) if pages else ("host", "kernels", "analysis")
    for path in sorted(found for top in tops for found in (root / top).rglob("*") if found.suffix in readers and found.is_file()):
        name = path.relative_to(root).as_posix()
        folders = name.split("/")
        if folders[0].startswith("build") or any(part.startswith(".") or part == "node_modules" for part in folders):
            continue
        counts = readers[path.suffix](name, path.read_text(encoding="utf-8"))
        if name == "CHANGELOG.md":
            rooms[name].add(counts)
            continue
        rooms[(name.rpartition("/")[0] or "the top") if pages else room_of(name)].add(counts)
        rooms["in all" if pages else "Python" if path.suffix == ".py" else "C"].add(counts)
    return rooms


def long_functions(counts):
    return [function for function in counts.functions if function.lines >= LONG]


def measure(counts):
    """Values of the budgets, by name; functions' shares in per cent, words per 1 000."""
    functions = long_functions(counts)
    lines = max(1, sum(function.lines for function in functions))
    found = collections.Counter(word for word, _, _ in counts.hits)
    values = {
        "comments": 100 * sum(function.comments > 0 for function in functions) / max(1, len(functions)),
        "blank": 100 * sum(function.blank for function in functions) / lines,
    }
    return values | {word: 1000 * found[word] / max(1, counts.words) for word in WORDS}


def long_of_pages(counts, kind):
    """(size, path, line) of what is too long, the longest first."""
    found = {"long-lines": counts.long_lines, "long-pages": counts.long_pages,
             "long-paragraphs": [place for place in counts.paragraphs if place[0] > PARAGRAPH]}
    return sorted(map(tuple, found[kind]), reverse=True)


def print_pages(rooms):
    width = max(map(len, rooms))
    columns = "pages", "in all", "no table", "sentences", "paragraph", "line"
    print(" ".join([" " * width, *(f"{column:>9}" for column in columns), *(f"{word:>8}" for word in WORDS)]))
    for name in sorted(rooms, key=lambda name: (name in ("in all", "CHANGELOG.md"), name)):
        counts, values = rooms[name], measure(rooms[name])
        paragraph = max((words for words, _, _ in counts.paragraphs), default=0)
        line = max((length for length, _, _ in counts.long_lines), default=f"<= {COLUMNS}")
        row = counts.pages, counts.all, counts.outside, counts.plain, paragraph, line
        print(" ".join([f"{name:{width}}", *(f"{value:>9}" for value in row), *(f"{values[word]:8.2f}" for word in WORDS)]))


def check_pages(counts):
    values = {"words outside tables": counts.outside, "what": measure(counts)["what"]}
    values |= {kind: len(long_of_pages(counts, kind)) for kind in ("long-paragraphs", "long-lines", "long-pages")}
    wrong = {name: value for name, value in values.items() if value > PAGE_BUDGETS[name].budget + 0.005}
    for name, value in wrong.items():
        print(f"{name}: {value:.4g}, budget {PAGE_BUDGETS[name].budget}: style.py --pages --list '{name}' says where")
    if counts.pages < 20 or counts.outside < 20000:
        sys.exit(f"{counts.pages} pages, {counts.outside} words: looked in the wrong place")
    sys.exit(1 if wrong else 0)


def print_table(rooms, pages):
    if pages:
        print_pages(rooms)
        return
    totals = [name for name in ("C", "Python", "in all") if name in rooms]
    names = [name for name in sorted(rooms) if name not in totals] + totals
    sizes = [] if pages else ["functions", *(f">={size}" for size in SIZES), "longest", "comment", "blank"]
    width = max(map(len, names))
    print(" ".join([" " * width, *(f"{size:>9}" for size in sizes), f"{'words':>8}", *(f"{word:>8}" for word in WORDS)]))
    for name in names:
        counts, values = rooms[name], measure(rooms[name])
        row = [f"{name:{width}}"]
        if not pages:
            row += [f"{len(counts.functions):9}", *(f"{sum(f.lines >= size for f in counts.functions):9}" for size in SIZES)]
            row += [f"{max((f.lines for f in counts.functions), default=0):9}"]
            row += [f"{values['comments']:7.1f} %", f"{values['blank']:7.1f} %"]
        print(" ".join([*row, f"{counts.words:8}", *(f"{values[word]:8.2f}" for word in WORDS)]))
    if "kernels" in rooms:
        print("\nlongest functions of kernels:")
        for function in sorted(rooms["kernels"].functions, key=lambda f: -f.lines)[:12]:
            print(f"  {function.lines:4} {function.name}  {function.path}:{function.line}")


def print_list(rooms, kind, room):
    if kind.startswith("long-") and "in all" in rooms:
        for size, path, line in long_of_pages(rooms["in all"], kind):
            if path.startswith(room):
                print(f"{path}:{line}: {size}")
        return
    rooms = [counts for name, counts in rooms.items() if name not in ("Python", "C", "in all")]
    functions = [f for counts in rooms for f in counts.functions if f.path.startswith(room)]
    if kind in WORDS:
        for word, path, line in sorted(hit for counts in rooms for hit in counts.hits):
            if word == kind and path.startswith(room):
                print(f"{path}:{line}: {word}")
        return
    wanted = {
        "comments": lambda f: f.lines >= LONG and not f.comments,
        "blank": lambda f: f.lines >= LONG and 100 * f.blank < BUDGETS["blank"].budget * f.lines,
        "functions": lambda f: True,
    }
    if kind not in wanted:
        sys.exit(f"{kind}: not among {', '.join([*wanted, *WORDS])}")
    for f in sorted((f for f in functions if wanted[kind](f)), key=lambda f: -f.lines if kind == "functions" else 0):
        print(f"{f.path}:{f.line}: {f.name}, {f.lines} lines, {f.blank} blank, {f.comments} of comments")


def check(rooms):
    wrong = 0
    for row, budgets in ROW_BUDGETS.items():
        counts = rooms[row]
        values = measure(counts)
        if len(counts.functions) < 1000 or counts.words < 20000:
            sys.exit(f"{row}: {len(counts.functions)} functions, {counts.words} words: looked in the wrong place")
        for name, (bound, _) in budgets.items():
            value = values[name]
            if (value < bound - 0.005) if name in AT_LEAST else (value > bound + 0.005):
                wrong += 1
                side = "least" if name in AT_LEAST else "most"
                print(f"{row}, {name}: {value:.2f}, budget at {side} {bound}: style.py --list '{name}' says where")
    sys.exit(1 if wrong else 0)


def main(arguments):
    flags = [argument for argument in arguments if argument in ("--pages", "--check")]
    arguments = [argument for argument in arguments if argument not in flags]
    listed = None
    if "--list" in arguments:
        at = arguments.index("--list")
        listed = arguments[at + 1 : at + 3] if at + 2 < len(arguments) else [arguments[at + 1], ""]
        arguments = arguments[:at] + arguments[at + 3 :]
    rooms = read_tree(pathlib.Path(arguments[0] if arguments else ".").resolve(), "--pages" in flags)
    if listed:
        print_list(rooms, *listed)
        return
    print_table(rooms, "--pages" in flags)
    if "--check" in flags:
        check_pages(rooms["in all"]) if "--pages" in flags else check(rooms)


main(sys.argv[1:])

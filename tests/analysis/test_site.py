"""The documentation's site as a reader has it: built without a warning, every link leads somewhere, search works from a file, nothing is
fetched, nothing is cut off on a phone, and every public function is there."""

import glob
import html.parser
import os
import re
import resource
import subprocess
import sys
import tempfile
import unittest
import urllib.parse

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from browser import Browser, needs_browser  # noqa: E402
from page_checks import measure  # noqa: E402
from short_form import nightly  # noqa: E402

ROOT = os.path.normpath(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", ".."))
PYTHON = os.environ.get("OMNIROLL_PYTHON", "/usr/bin/python3")
NEEDED = "import sphinx, myst_parser, furo, os; os.stat('/usr/share/javascript/katex/katex.min.js')"
# One page of each kind.
LOOKED_AT = ("index.html", "start/tutorials/my-robot.html", "reference/study-file.html", "api/c/run.html", "api/python/omniroll.html",
             "gallery/index.html", "explanation/appendix/laws.html", "reference/glossary.html", "files/studies/first.json.html", "CONTRIBUTING.html")
# Words that users search for, and where the first result has to lead.
SEARCHED = {
    "payload": "how-to/payload-on-a-slope", "slope": "how-to/payload-on-a-slope", "motor": "how-to/motor-and-battery",
    "battery": "how-to/motor-and-battery", "torque": "how-to/motor-and-battery", "odometry": "how-to/odometry-after-a-square",
    "Slurm": "how-to/cluster-and-shards", "GPU": "how-to/faster-and-gpu", "NaN": "how-to/why-did-it-fail-or-warn",
    "vibration": "how-to/rough-floor-and-vibration",
    "wilson interval": "reference/glossary.*wilson-interval", "omr_run_file": "api/c/run.html#c.omr_run_file",
    "tip radius": "reference/glossary.*tip-radius", "subset simulation": "reference/glossary.*subset-simulation|rare-failures",
}
# What is wider than the window and does not scroll within itself.
CUT = """(() => {
  const wide = document.documentElement.clientWidth;
  const scrolls = node => { for (let n = node; n && n !== document.body; n = n.parentElement)
    if (/auto|scroll|hidden/.test(getComputedStyle(n).overflowX)) return true; return false; };
  const seen = node => { const box = node.getBoundingClientRect(); return box.width > 0 && box.height > 0 ? box.right : 0; };
  const cut = [...document.querySelectorAll('article *')].filter(node => seen(node) > wide + 1 && !scrolls(node));
  return {page: document.documentElement.scrollWidth - wide, cut: cut.slice(0, 5).map(node => node.tagName + ': ' + node.textContent.slice(0, 60))};
})()"""


class Links(html.parser.HTMLParser):
    """Anchors that a page has, and what it refers to."""

    def __init__(self, text):
        super().__init__()
        self.anchors, self.targets = set(), []
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        given = dict(attributes)
        self.anchors.update(given[name] for name in ("id", "name") if given.get(name))
        self.targets += [given[name] for name in ("href", "src") if given.get(name)]


@nightly("analysis/documentation follows the links of the pages, and analysis/layout looks at pages in the browser")
@unittest.skipIf(subprocess.run([PYTHON, "-c", NEEDED], capture_output=True).returncode,
                 "no Sphinx, MyST, Furo or KaTeX here: sh tests/install_packages.sh all")
class Site(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.work = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.work.cleanup)
        cls.site = os.path.join(cls.work.name, "site")
        before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
        done = subprocess.run(["sh", os.path.join(ROOT, "docs", "site", "build.sh"), "--no-reports", cls.site],
                              capture_output=True, text=True, env={**os.environ, "OMNIROLL_PYTHON": PYTHON})
        cls.seconds = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before
        if done.returncode or done.stderr:
            raise AssertionError(f"the site does not build:\n{done.stdout}{done.stderr}")
        cls.pages = {}
        for path in glob.glob(os.path.join(cls.site, "**", "*.html"), recursive=True):
            with open(path, encoding="utf-8") as file:
                cls.pages[os.path.relpath(path, cls.site)] = file.read()
        cls.links = {page: Links(text) for page, text in cls.pages.items()}

    def test_it_is_built_in_20_s_of_a_core(self):
        print(f"  built in {self.seconds:.1f} s of a core")
        self.assertLess(self.seconds, 20)

    def test_without_sphinx_there_is_a_sentence(self):
        bare = os.path.join(self.work.name, "python")
        with open(bare, "w", encoding="utf-8") as file:
            file.write(f'#!/bin/sh\nexec {PYTHON} -S "$@"\n')
        os.chmod(bare, 0o755)
        done = subprocess.run(["sh", os.path.join(ROOT, "docs", "site", "build.sh"), os.path.join(self.work.name, "none")], capture_output=True, text=True,
                              env={**os.environ, "OMNIROLL_PYTHON": bare})
        self.assertEqual(done.returncode, 1)
        self.assertRegex(done.stderr, r"^The site needs sphinx.*: sh tests/install_packages\.sh all\n$")

    def test_links_lead_to_pages_and_anchors(self):
        for page, links in self.links.items():
            for target in links.targets:
                parts = urllib.parse.urlsplit(target)
                if parts.scheme in ("http", "https", "mailto", "data"):
                    continue
                path = os.path.normpath(os.path.join(os.path.dirname(page), urllib.parse.unquote(parts.path))) if parts.path else page
                if not os.path.isfile(os.path.join(self.site, path)):
                    self.fail(f"{page}: {target} leads nowhere")
                if parts.fragment and path in self.links and parts.fragment != "":
                    self.assertIn(parts.fragment, self.links[path].anchors, f"{page}: {target}")

    def test_nothing_is_asked_of_a_network(self):
        for page, text in self.pages.items():
            for found in re.findall(r"<(?:script|link|img|iframe)\b[^>]*?(?:src|href)=\"(?:https?:)?//[^\"]*", text):
                self.fail(f"{page}: {found}")

    def test_every_page_of_the_repository_is_there_and_found_from_the_start(self):
        tracked = subprocess.run(["git", "ls-files", "*.md"], cwd=ROOT, capture_output=True, text=True).stdout.split()
        for page in tracked:
            self.assertIn(re.sub(r"\.md$", ".html", page.removeprefix("docs/")), self.pages)

    def test_the_whole_c_interface_is_documented(self):
        text = "\n".join(self.pages[f"api/c/{name}.html"] for name in ("base", "study", "run", "batch", "result", "evaluate", "excite",
                                                                          "calibrate", "reference", "machine", "program"))
        plain = re.sub(r"<[^>]+>", "", text)
        with open(os.path.join(ROOT, "tests", "install", "interface.txt"), encoding="utf-8") as file:
            lines = [line.split() for line in file if not line.startswith("soversion")]
        self.assertGreater(len(lines), 100)
        for kind, name, *_ in lines:
            if kind == "number":
                self.assertRegex(plain, rf"\b{name}\b")
            else:
                self.assertRegex(text, rf'id="c\.{name}"', f"{kind} {name}")
        # A function's own text stands below its signature.
        for name in (words[1] for words in lines if words[0] == "function"):
            self.assertRegex(text, rf'(?s)id="c\.{name}".*?<dd><p>\S', name)

    def test_the_whole_python_interface_is_documented(self):
        sys.path.insert(0, os.path.join(ROOT, "analysis"))
        import omniroll

        for name in omniroll.__all__:
            self.assertIn(f'id="omniroll.{name}"', self.pages["api/python/omniroll.html"])

    def test_every_file_of_tests_of_numbers_is_a_row_of_the_checks(self):
        page = re.sub("<wbr>", "", self.pages["evidence/checks.html"])
        self.assertGreater(int(re.search(r"(\d+) tests in C", page)[1]), 1000)
        for folder in ("physics", "reference", "parity", "statistics"):
            for path in glob.glob(os.path.join(ROOT, "tests", folder, "test_*.c")):
                self.assertIn(f"<code>{os.path.basename(path)[5:-2]}</code>", page)

    def test_terms_of_the_glossary_stand_once(self):
        with open(os.path.join(ROOT, "docs", "reference", "glossary.md"), encoding="utf-8") as file:
            terms = re.findall(r"^### (.*)$", file.read(), re.MULTILINE)
        self.assertEqual(sorted(terms), sorted(set(terms)))
        for term in ("Slip", "Inclination", "Roller exchange", "Relaxation weight", "Udwadia–Kalaba", "Stiction parameter", "Step error", "Cell",
                     "Common random numbers", "Sobol' index", "Wilson interval"):
            self.assertIn(term, terms)

    @needs_browser
    def test_search_from_a_file_finds_terms(self):
        with Browser() as browser:
            page = browser.open(os.path.join(self.site, "search.html"))
            for words, wanted in SEARCHED.items():
                # typed into the field of the page and sent, as a reader does
                page.loaded = False
                page.value(f"(() => {{ const field = document.querySelector('input[name=q]'); field.value = {words!r}; field.form.submit(); }})()")
                browser.wait(lambda: page.loaded, "the results")
                found = page.value("""new Promise(done => { let last = -1; const look = () => {
                    const items = document.querySelectorAll('ul.search > li > a');
                    if (items.length && items.length === last) done([...items].map(item => item.href));
                    else { last = items.length; setTimeout(look, 300); } }; setTimeout(() => done([]), 30000); look(); })""")
                self.assertTrue(found, words)
                first = os.path.relpath(urllib.parse.urlsplit(found[0]).path, self.site) + found[0].partition("#")[1] + found[0].partition("#")[2]
                print(f"  {words:<18} {first}")
                with self.subTest(words):
                    self.assertRegex(first, wanted, found[:10])
                self.assertFalse([address for address in found if re.search("/(development|host|kernels|files)/|CHANGELOG|CONTRIBUTING", address)])
                said = page.value("[...document.querySelectorAll('ul.search > li > .first-words')].map(words => words.textContent)")
                self.assertEqual(len(said), len(found), "results say how their sections begin")
            self.assertEqual(page.errors, [])
            self.assertTrue(all(address.startswith("file:") for address in page.requests))

    @needs_browser
    def test_pages_fit_and_fetch_nothing(self):
        with Browser() as browser:
            for name in LOOKED_AT:
                for width in (390, 1280):
                    with self.subTest(f"{name} at {width}"):
                        page = browser.open(os.path.join(self.site, name), width=width)
                        self.assertEqual(page.value(CUT), {"page": 0, "cut": []})
                        self.assertEqual(page.errors, [])
                        self.assertTrue(all(address.startswith("file:") for address in page.requests), page.requests)
                        page.close()

    @needs_browser
    def test_the_outline_is_seen_at_1280_and_meanings_on_a_phone(self):
        outline = """(box => box.left > 0 && box.right <= innerWidth && box.height > 100)(document.querySelector('.toc-drawer').getBoundingClientRect())"""
        hidden = """[...document.querySelectorAll('article table')].flatMap(table => {
            const at = [...table.querySelectorAll('thead th')].findIndex(head => head.textContent.trim() === 'meaning');
            return at < 0 ? [] : [...table.querySelectorAll('tbody tr')].map(row => row.cells[at]).filter(cell => cell && cell.textContent.trim());
          }).filter(cell => (box => box.left < 0 || box.right > innerWidth)(cell.getBoundingClientRect())).map(cell => cell.textContent.slice(0, 60))"""
        with Browser() as browser:
            for name in ("reference/study-file.html", "start/first-study.html", "reference/results.html"):
                with self.subTest(name):
                    page = browser.open(os.path.join(self.site, name), width=1280)
                    self.assertTrue(page.value(outline), "no outline at 1280 px")
                    page.close()
                    page = browser.open(os.path.join(self.site, name), width=390)
                    self.assertEqual(page.value(hidden), [])
                    page.close()

    @needs_browser
    def test_code_can_be_read_and_what_scrolls_says_so(self):
        """Contrast of WCAG AA, code in colours too; a cue and the keyboard for what scrolls within itself."""
        with Browser() as browser:
            for name in ("start/tutorials/my-robot.html", "reference/study-file.html", "api/python/omniroll.html", "api/c/run.html", "files/studies/first.json.html"):
                for theme in ("light", "dark"):
                    found = measure(browser, os.path.join(self.site, name), width=390, theme=theme)
                    self.assertEqual(found.faint, [], f"{name}, {theme}")
                    self.assertEqual(found.cueless, [], f"{name}, {theme}")

    @needs_browser
    def test_a_dark_system_has_dark_pages_and_light_text(self):
        light = """(() => { const rgb = text => text.match(/[\\d.]+/g).slice(0, 3).reduce((sum, each) => sum + +each, 0) / 765;
            const of = (node, what) => rgb(getComputedStyle(document.querySelector(node))[what]);
            return {page: of('body', 'backgroundColor'), text: of('article p', 'color'), code: of('.highlight', 'backgroundColor')}; })()"""
        with Browser() as browser:
            for dark in (False, True):
                found = browser.open(os.path.join(self.site, "start/tutorials/my-robot.html"), dark=dark).value(light)
                for name, value in found.items():
                    self.assertEqual(value < 0.5, dark != (name == "text"), f"{name}: {value} where dark is {dark}")

    @needs_browser
    def test_formulas_are_drawn(self):
        with Browser() as browser:
            page = browser.open(os.path.join(self.site, "explanation", "appendix", "laws.html"))
            self.assertEqual(page.value("document.querySelectorAll('.math').length"), page.value("document.querySelectorAll('.math > .katex, .math > .katex-display').length"))
            self.assertGreater(page.value("document.querySelectorAll('.math').length"), 50)
            self.assertEqual(page.errors, [])


if __name__ == "__main__":
    unittest.main()

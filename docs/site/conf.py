"""Sphinx: how the pages that build.py has put together become the site. Nothing is fetched, neither here nor by the reader's browser."""

import json
import os
import re
import shutil

from docutils import nodes

project = "omniroll"
copyright = ""  # noqa: A001  the licence stands on the start page; a year would differ from build to build
extensions = ["myst_parser"]
root_doc = "index"
language = "en"
highlight_language = "none"
suppress_warnings = ["misc.highlighting_failure"]  # parts of a study are no whole JSON

myst_enable_extensions = ["dollarmath", "colon_fence"]
myst_heading_anchors = 5

html_theme = "furo"
html_title = "omniroll"
html_short_title = "omniroll"
html_static_path = ["static"]
html_css_files = ["site.css"]
html_js_files = ["site.js", "names.js"]
html_copy_source = False
html_show_sphinx = False
html_show_copyright = False
html_show_search_summary = False  # would fetch the pages, which browsers refuse of file://; site.js shows kept sentences instead
html_last_updated_fmt = None
html_theme_options = {
    "light_css_variables": {"color-brand-primary": "#0b5c8f", "color-brand-content": "#0b5c8f"},
    "dark_css_variables": {"color-brand-primary": "#74b9e6", "color-brand-content": "#74b9e6"},
}
pygments_style = "default"  # these two reach a contrast of 4.5 (WCAG AA)
pygments_dark_style = "github-dark"

KATEX = "/usr/share/javascript/katex"  # Debian: libjs-katex


def _formula(self, node, inline):
    """The text of a formula, which KaTeX draws in the browser; without JavaScript it stays readable as TeX."""
    kind, tag = ("math", "span") if inline else ("math block", "div")
    self.body.append(self.starttag(node, tag, "", CLASS=kind) + self.encode(node.astext()).strip() + f"</{tag}>" + ("" if inline else "\n"))
    raise nodes.SkipNode


def _with_formulas(app, pagename, templatename, context, doctree):
    """KaTeX on the pages that have formulas."""
    if doctree is not None and any(doctree.findall(lambda node: isinstance(node, (nodes.math, nodes.math_block)))):
        app.add_css_file("katex/katex.min.css")
        app.add_js_file("katex/katex.min.js")
        app.add_js_file("formulas.js")


_sentences = {}  # of each page how it begins


def _with_sentences(app, pagename, templatename, context, doctree):
    """Results of a search say them (site.js)."""
    if pagename == "search":
        app.add_js_file("sentences.js")
    paragraph = next(doctree.findall(nodes.paragraph), None) if doctree is not None else None
    if paragraph is not None:
        words = " ".join(paragraph.astext().split()).removesuffix(" All pages.")
        _sentences[pagename] = words if len(words) <= 200 else words[:200].rsplit(" ", 1)[0] + " …"


def _write_sentences(app, error):
    if error is None:
        _write(os.path.join(app.outdir, "_static", "sentences.js"), f"window.omnirollSentences = {json.dumps(_sentences, ensure_ascii=False, sort_keys=True)};\n")


def _copy_katex(app, error):
    if error is None:
        folder = os.path.join(app.outdir, "_static", "katex")
        os.makedirs(os.path.join(folder, "fonts"), exist_ok=True)
        for name in ("katex.min.css", "katex.min.js"):
            shutil.copyfile(os.path.join(KATEX, name), os.path.join(folder, name))
        for name in sorted(os.listdir(os.path.join(KATEX, "fonts"))):
            if name.endswith(".woff2"):
                shutil.copyfile(os.path.join(KATEX, "fonts", name), os.path.join(folder, "fonts", name))


def _read(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def _write(path, text):
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)


def _without_server(app, error):
    """What Debian's Furo lacks: it takes its parts from a server's paths, as modules that browsers refuse of file://: they are put into one file each. And it is never dark by itself."""
    if error is not None:
        return
    static = os.path.join(app.outdir, "_static")
    style = os.path.join(static, "styles", "furo.css")
    part = "@import url(/javascript/normalize.css/normalize.css);"
    text = _read(style)
    if part in text:
        text = text.replace(part, _read("/usr/share/javascript/normalize.css/normalize.css"))
    dark = re.search(r'body\[data-theme="dark"\] (\{[^}]*--color-background-primary[^}]*\})', text)
    if dark and "prefers-color-scheme" not in text:  # the compiler that Debian has dropped the rules of a system that is dark
        text += "\n@media not print { @media (prefers-color-scheme: dark) { body:not([data-theme=\"light\"]) " + dark[1] + " } }\n"
    _write(style, text)
    script = os.path.join(static, "scripts", "furo.js")
    part = 'import Gumshoe from "./gumshoe-patched.js";'
    text = _read(script)
    if part in text:
        other = os.path.join(static, "scripts", "gumshoe-patched.js")
        _write(script, _read(other) + "\n" + text.replace(part, ""))
        os.remove(other)


def setup(app):
    app.add_html_math_renderer("katex", (lambda self, node: _formula(self, node, True), None),
                               (lambda self, node: _formula(self, node, False), None))
    app.config.html_math_renderer = "katex"
    app.connect("html-page-context", _with_formulas)
    app.connect("html-page-context", _with_sentences)
    app.connect("build-finished", _write_sentences)
    app.connect("build-finished", _copy_katex)
    app.connect("build-finished", _without_server)
    return {"parallel_read_safe": True, "parallel_write_safe": True}

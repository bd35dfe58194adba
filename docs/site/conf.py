"""Sphinx: how the pages that build.py has put together become the site. Nothing is fetched, neither here nor by the reader's browser."""

import html
import os
import posixpath
import re
import shutil

import furo
import names
import pages
import sections
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
myst_url_schemes = ("http", "https", "mailto", "repository")

html_theme = "furo"
html_title = "omniroll"
html_short_title = "omniroll"
html_static_path = ["static"]
html_css_files = ["site.css"]
html_js_files = ["site.js", "names.js"]
html_copy_source = False
html_show_sphinx = False
html_show_copyright = False
html_additional_pages = {"search": "search.html"}  # its own: Sphinx's finds pages, this one sections
html_use_index = False
html_domain_indices = False
templates_path = ["templates"]
html_last_updated_fmt = None
html_theme_options = {
    "light_css_variables": {"color-brand-primary": "#0b5c8f", "color-brand-content": "#0b5c8f"},
    "dark_css_variables": {"color-brand-primary": "#74b9e6", "color-brand-content": "#74b9e6"},
}
pygments_style = "default"  # these two reach a contrast of 4.5 (WCAG AA)
pygments_dark_style = "github-dark"


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


def _look(app, pagename, templatename, context, doctree):
    if doctree is not None:
        sections.look(pagename, doctree)


def _write_sections(app, error):
    if error is None:
        sections.add_names(names.LISTED)
        sections.write(app.outdir)


def _lead_to_files(app, doctree, docname):
    """Links to files of the repository, which build.py shows on pages of their own."""
    for node in doctree.findall(nodes.reference):
        path = node.get("refuri", "").partition(":")
        if path[0] == "repository":
            node["refuri"] = posixpath.relpath(f"files/{path[2]}.html", posixpath.dirname(docname) or ".")
            node["internal"], node["classes"] = True, []


def _navigation(context):
    """The pages of all parts, in place of a tree that Furo would have Sphinx make anew for each page."""
    lines = []
    for title, names in pages.parts():
        lines.append(f'<p class="caption" role="heading"><span class="caption-text">{title}</span></p><ul>')
        for name in names:
            here = name == context.get("pagename")
            text = html.escape(context["titles"].get(name, name))
            lines.append(f'<li class="toctree-l1{" current current-page" if here else ""}"><a class="{"current " if here else ""}reference internal" '
                         f'href="{"#" if here else context["pathto"](name)}">{text}</a></li>')
        lines.append("</ul>")
    return "".join(lines)


def _with_titles(app, pagename, templatename, context, doctree):
    context["titles"] = {name: title.astext() for name, title in app.env.titles.items()}


def _copy_katex(app, error):
    if error is None:
        folder = os.path.join(app.outdir, "_static", "katex")
        os.makedirs(os.path.join(folder, "fonts"), exist_ok=True)
        for name in ("katex.min.css", "katex.min.js"):
            shutil.copyfile(os.path.join(pages.KATEX, name), os.path.join(folder, name))
        for name in sorted(os.listdir(os.path.join(pages.KATEX, "fonts"))):
            if name.endswith(".woff2"):
                shutil.copyfile(os.path.join(pages.KATEX, "fonts", name), os.path.join(folder, "fonts", name))


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
    app.connect("builder-inited", lambda app: setattr(app.builder, "search", False))
    app.connect("doctree-resolved", _lead_to_files)
    app.connect("html-page-context", _with_titles, priority=100)
    app.connect("html-page-context", _look)
    app.connect("build-finished", _write_sections)
    app.connect("build-finished", _copy_katex)
    app.connect("build-finished", _without_server)
    furo._compute_navigation_tree = _navigation
    return {"parallel_read_safe": True}

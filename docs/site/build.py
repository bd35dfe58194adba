"""Puts the site's pages together in a temporary folder and has Sphinx make HTML of them:   build.py [--no-reports] FOLDER"""

from __future__ import annotations

import importlib.util
import os
import re
import shutil
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)

import c_api  # noqa: E402
import checks  # noqa: E402
import gallery  # noqa: E402
import names  # noqa: E402
import pages  # noqa: E402
import python_api  # noqa: E402

NEEDED = ("sphinx", "myst_parser", "furo", "bs4", "numpy", "h5py", "xarray", "matplotlib")

PICTURE = re.compile(r"!\[[^]]*\]\(([^)\s]+)\)")


def write(folder: str, path: str, text: str) -> None:
    pages.write(os.path.join(folder, path), text)


def copy_pictures(folder: str, page: str, text: str) -> None:
    for picture in PICTURE.findall(text):
        path = os.path.normpath(os.path.join(os.path.dirname(page), picture))
        target = os.path.join(folder, pages.place(path))
        os.makedirs(os.path.dirname(target), exist_ok=True)
        if not os.path.exists(target):
            shutil.copyfile(os.path.join(pages.ROOT, path), target)


def stage(folder: str, files: pages.Files) -> None:
    """Every page that Sphinx reads, in the folder."""
    known = set(pages.pages())
    for page in sorted(known):
        text = pages.page_of_site(page, known, files)
        write(folder, pages.place(page), text)
        copy_pictures(folder, page, pages.read(page))
    for path, text in {**c_api.pages(), **python_api.pages(), **names.pages(), **checks.pages()}.items():
        write(folder, path, text)
    files.write(folder)


def main() -> int:
    without = "--no-reports" in sys.argv[1:]
    out = os.path.abspath(sys.argv[-1])
    missing = [name for name in NEEDED if importlib.util.find_spec(name) is None] + ["KaTeX"] * (not os.path.isdir(pages.KATEX))
    if missing:
        print(f"The site needs {', '.join(missing)} for {sys.executable}: sh tests/install_packages.sh all", file=sys.stderr)
        return 1
    from omniroll.errors import LibraryError
    from sphinx.cmd.build import main as sphinx

    began = time.monotonic()
    if os.path.exists(out) and os.listdir(out) and not os.path.exists(os.path.join(out, "_static", "sections.js")):
        print(f"{out} is there and no site: nothing is written; name another folder", file=sys.stderr)
        return 1
    with tempfile.TemporaryDirectory() as work:
        source, html, reports = (os.path.join(work, name) for name in ("source", "html", "reports"))
        files = pages.Files()
        try:
            stage(source, files)
        except LibraryError as error:  # the tables of names are the program's
            print(f"The site needs the program: {error}", file=sys.stderr)
            return 1
        left_out = "The reports were left out." if without else gallery.reports(reports, work)
        write(source, "gallery/reports.md", gallery.page(left_out, reports))
        code = sphinx(["-b", "html", "-W", "--keep-going", "-q", "-c", HERE, "-d", os.path.join(work, "doctrees"), source, html])
        if code:
            return code
        files.show(html)
        if os.path.isdir(reports):
            shutil.copytree(reports, os.path.join(html, "gallery", "reports"))
        shutil.rmtree(out, ignore_errors=True)
        shutil.copytree(html, out, ignore=shutil.ignore_patterns(".buildinfo", "objects.inv"))
    print(f"{os.path.join(out, 'index.html')}: open it in a browser ({time.monotonic() - began:.0f} s)")
    if left_out:
        print(left_out)
    return 0


if __name__ == "__main__":
    sys.exit(main())

"""How the reports of every starter and ready study are laid out, from a phone to a large screen.

pictures.py PROGRAM [--keep FOLDER] [NAME...]

Each study runs for an instant, with few instances (tests/cli/screens.py), and its report is measured in a browser
(tests/analysis/page_checks.py): texts that overlap, leave their picture or run into the next one, words broken inside, pictures
that are half empty. Prints a line for each page that has a defect, then each defect. With --keep the pages stay in FOLDER.
tests/analysis/test_layout.py has a few of these studies.
"""
import argparse
import concurrent.futures
import multiprocessing
import os
import pathlib
import sys
import tempfile

TESTS = pathlib.Path(__file__).resolve().parents[1]
sys.path[:0] = [str(TESTS / "analysis"), str(TESTS.parent / "analysis")]

from browser import CHROMIUM, Browser  # noqa: E402
from page_checks import WIDTHS, Findings, measure_open, table  # noqa: E402
from page_samples import ready_page, studies  # noqa: E402

WORKERS = 2  # a browser each


def measured(names: list[str], folder: str) -> list[Findings]:
    """The pages of these studies at every width, in light colours."""
    found = []
    with Browser() as browser:
        for name in names:
            page = browser.open(ready_page(name, folder))
            found += [measure_open(page, width, "light", name) for width in WIDTHS]
            page.close()
    return found


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("names", nargs="*", help="studies, such as rare_lift_off or starter_single (default: all)")
    parser.add_argument("--keep", metavar="FOLDER")
    options = parser.parse_args()
    if not CHROMIUM:
        print("pictures.py needs chromium: apt-get install chromium, or OMNIROLL_BROWSER names one", file=sys.stderr)
        return 77
    os.environ["OMNIROLL"] = os.path.abspath(options.program)
    with tempfile.TemporaryDirectory() as made:
        folder = options.keep or made
        os.makedirs(folder, exist_ok=True)
        names = options.names or list(studies(folder))
        with concurrent.futures.ProcessPoolExecutor(WORKERS, mp_context=multiprocessing.get_context("spawn")) as pool:
            found = [each for part in pool.map(measured, [names[k::WORKERS] for k in range(WORKERS)], [folder] * WORKERS) for each in part]
    found.sort(key=lambda each: (each.page, each.width))
    wrong = [each for each in found if each.wrong()]
    print(table(wrong))
    print("\n".join(words for each in wrong for words in each.wrong()))
    print(f"{len(names)} pages at {len(WIDTHS)} widths, {len({each.page for each in wrong})} with defects")
    return 1 if wrong or not options.names and len(names) < 80 else 0


if __name__ == "__main__":
    sys.exit(main())

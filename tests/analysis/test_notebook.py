"""The example notebooks: every cell runs, in order, and prints what the notebook shows. Cells are executed as plain Python, which needs no
Jupyter; they use nothing of its language."""

import contextlib
import glob
import io
import json
import os
import sys
import unittest

import matplotlib

matplotlib.use("Agg")

from matplotlib import pyplot  # noqa: E402

ROOT = os.path.normpath(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", ".."))
sys.path.insert(0, os.path.join(ROOT, "analysis"))

NOTEBOOKS = sorted(glob.glob(os.path.join(ROOT, "analysis", "examples", "*.ipynb")))


def code_cells(path):
    with open(path, encoding="utf-8") as file:
        return [cell for cell in json.load(file)["cells"] if cell["cell_type"] == "code"]


def shown(cell):
    """What the notebook has of a cell: text that it prints, and the number of its pictures."""
    text = "".join("".join(output["text"]) for output in cell["outputs"] if output["output_type"] == "stream")
    return text, sum("image/png" in output.get("data", {}) for output in cell["outputs"])


def execute(cell, names, name):
    """What the cell shows when it runs."""
    pyplot.close("all")
    with contextlib.redirect_stdout(io.StringIO()) as out:
        exec(compile("".join(cell["source"]), name, "exec"), names)  # noqa: S102
    pictures = [pyplot.figure(number) for number in pyplot.get_fignums()]
    for picture in pictures:
        picture.canvas.draw()
    return out.getvalue(), len(pictures)


class Notebooks(unittest.TestCase):
    def test_there_is_one(self):
        self.assertIn("five_minutes.ipynb", [os.path.basename(path) for path in NOTEBOOKS])

    def test_they_show_what_comes_out(self):
        for path in NOTEBOOKS:
            names = {"__name__": "__main__"}
            for number, cell in enumerate(code_cells(path)):
                with self.subTest(notebook=os.path.basename(path), cell=number):
                    self.assertEqual(execute(cell, names, f"{os.path.basename(path)}, cell {number}"), shown(cell))


if __name__ == "__main__":
    unittest.main()

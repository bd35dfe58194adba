"""The modules of the Python package, and those of studies/papers that use it, need each other in one direction only: no import, wherever it stands, closes a circle."""
import ast
import os
import tempfile
import unittest

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
PACKAGE = "omniroll"


def modules_of(folder: str) -> dict[str, str]:
    """{module: file} of the package at `folder`; a folder's __init__.py is the folder's name."""
    found = {}
    for path, _, files in os.walk(folder):
        for name in files:
            if name.endswith(".py"):
                inside = os.path.relpath(os.path.join(path, name[:-3]), os.path.dirname(folder)).split(os.sep)
                found[".".join(inside[:-1] if inside[-1] == "__init__" else inside)] = os.path.join(path, name)
    return found


def imports_of(module: str, file: str, modules: dict[str, str]) -> dict[str, int]:
    """{module: line} of those that the file imports, in functions and for type checkers too. What the file of a package imports
    from itself is a module of it, or a name of its own."""
    with open(file, encoding="utf-8") as source:
        tree = ast.parse(source.read(), file)
    package = module.split(".") if file.endswith("__init__.py") else module.split(".")[:-1]
    found: dict[str, int] = {}
    for node in ast.walk(tree):
        names: list[str] = []
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            above = package[:len(package) - node.level + 1] if node.level else []
            base = ".".join([*above, *([node.module] if node.module else [])])
            names = [f"{base}.{alias.name}" if f"{base}.{alias.name}" in modules else base for alias in node.names]
        for name in names:
            if name in modules and name != module:
                found.setdefault(name, node.lineno)
            elif name.split(".")[0] == PACKAGE and name != module:
                raise AssertionError(f"{file}:{node.lineno}: there is no module {name}")
    return found


def circles(*folders: str) -> list[str]:
    """Every circle as its imports, each with file and line; one for each import that comes back to a module on the way to it."""
    modules = {module: file for folder in folders for module, file in modules_of(folder).items()}
    imports = {module: imports_of(module, file, modules) for module, file in modules.items()}
    found, done = [], set()

    def visit(module: str, way: list[str]) -> None:
        if module in way:
            circle = [*way[way.index(module):], module]
            found.append(", ".join(f"{os.path.relpath(modules[a], os.path.dirname(folders[0]))}:{imports[a][b]} imports {b}"
                                   for a, b in zip(circle, circle[1:])))
        elif module not in done:
            for other in imports[module]:
                visit(other, [*way, module])
            done.add(module)

    for module in sorted(modules):
        visit(module, [])
    return found


class Imports(unittest.TestCase):
    def test_no_modules_of_the_package_import_each_other_in_a_circle(self):
        folder = os.path.join(ROOT, "analysis", PACKAGE)
        modules = modules_of(folder)
        self.assertTrue({"omniroll", "omniroll.report", "omniroll.report.scenes", "omniroll.papers"} <= set(modules))
        self.assertIn("omniroll.plot", imports_of("omniroll.report.data", modules["omniroll.report.data"], modules))  # in a function
        self.assertEqual(circles(folder, os.path.join(ROOT, "studies", "papers")), [])

    def circles_of(self, **files: str) -> list[str]:
        """Circles of a package with these files; room__name is name of the package room in it."""
        with tempfile.TemporaryDirectory() as place:
            folder = os.path.join(place, PACKAGE)
            os.makedirs(os.path.join(folder, "room"))
            for name in ("__init__", "room____init__", *files):
                with open(os.path.join(folder, *name.split("__", 1) if name.startswith("room__") else [name]) + ".py", "w",
                          encoding="utf-8") as file:
                    file.write(files.get(name, ""))
            return circles(folder)

    def test_a_circle_is_named_with_files_and_lines(self):
        self.assertEqual(self.circles_of(a="from .b import f\n", b="from os import path\nimport sys\n"), [])
        self.assertEqual(self.circles_of(a="from .b import f\n", b="\ndef f():\n    from . import a\n"),
                         ["omniroll/a.py:1 imports omniroll.b, omniroll/b.py:3 imports omniroll.a"])

    def test_every_kind_of_import_counts(self):
        for back in ("from ..a import f", "from .. import a", "import omniroll.a", "from omniroll.a import f", "from omniroll import a",
                     "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    from ..a import f"):
            self.assertEqual(len(self.circles_of(a="from .room import c\n", room__c=f"{back}\n")), 1, back)
        self.assertEqual(len(self.circles_of(a="from . import room\n", room____init__="from ..a import f\n")), 1)
        self.assertEqual(len(self.circles_of(a="from .room import c\n", room__c="from .d import f\n", room__d="from .. import a\n")), 1)

    def test_an_import_of_a_module_that_is_not_there_is_refused(self):
        with self.assertRaisesRegex(AssertionError, r"a\.py:2: there is no module omniroll\.gone"):
            self.circles_of(a="\nfrom .gone import f\n")


if __name__ == "__main__":
    unittest.main()

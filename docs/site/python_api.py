"""Pages of the Python package, made of its docstrings, which are plain text: a first sentence, paragraphs, and lists of arguments whose
names stand at the beginning of a line, two blanks before their meaning."""

from __future__ import annotations

import importlib
import inspect
import re
from types import ModuleType
from typing import Any

ENTRY = re.compile(r"^(\w[\w, ]*?)\s{2,}(\S.*)$")
# Modules beside the package itself that users call: how they are headed, and what of them is for users.
MODULES = {
    "omniroll.reading.accessor": ("What a Dataset can do", ("Accessor",)),
    "omniroll.figures": ("Figures of a result", ("paths", "histogram", "dependence", "heat_map", "over_time", "slip_and_loads")),
    "omniroll.calibration": ("Parameters from measured runs", ("fit", "open_calibration", "Calibration", "Run", "draw_run", "draw_residuals", "draw_pairs")),
    "omniroll.logs": ("Logs of robots", ("read", "contents", "to_study", "Log", "Topic")),
    "omniroll.robots": ("Robots of other programs", ("read", "Imported", "Value")),
    "omniroll.conformance": ("Other simulators", ("check", "compare", "manoeuvres", "measure", "Manoeuvre", "Motion", "MujocoModel", "Table", "Vehicle")),
    "omniroll.exporting.equivalent": ("Cheap models", ("equivalent", "Fitted", "Numbers")),
    "omniroll.optimising": ("Choices under uncertainty", ("Variable", "Goal", "Limit", "Evaluator", "Evaluation", "Differences", "Candidate", "open_optimum", "Found")),
    "omniroll.stepping": ("Vehicles to be stepped", ("Tracking", "Reference")),
    "omniroll.optimising.adapters": ("Other optimisers", ("for_scipy", "for_pymoo", "with_pycma", "with_optuna")),
    "omniroll.work_precision": ("Accuracy and cost", ("open_table", "figure")),
    "omniroll.compare_file": ("Comparison with the reference", ("open_pair", "differences")),
    "omniroll.bench": ("Bench", ("open_bench", "roofline", "over_instances", "over_threads", "over_rollers", "over_wheels", "laws", "methods",
                                 "numerics", "accuracy")),
}


def escaped(text: str) -> str:
    """Markdown of plain text; code between backticks stays."""
    parts = re.split(r"(`[^`]+`|\"[^\"\n]*\")", text)
    return "".join(f"`{part}`" if part.startswith('"') and re.search(r"[_*\[{<]", part) else
                   part if part.startswith("`") else re.sub(r"([\\*_<>\[\]{}|#$])", r"\\\1", part) for part in parts)


def markdown(doc: str) -> str:
    """A docstring."""
    out = []
    for block in re.split(r"\n\s*\n", inspect.cleandoc(doc)):
        lines = block.split("\n")
        if lines[0].startswith(">>>"):
            out.append("```python\n" + "\n".join(line.removeprefix(">>> ").removeprefix("... ") for line in lines) + "\n```")
        elif ENTRY.match(lines[0]) and all(line.startswith(" ") or ENTRY.match(line) for line in lines):
            entries: list[str] = []
            for line in lines:
                match = ENTRY.match(line)
                if match and not line.startswith(" "):
                    entries.append(f"- **{', '.join(f'`{name}`' for name in re.split(', *', match[1]))}**: {escaped(match[2])}")
                else:
                    entries[-1] += " " + escaped(line.strip())
            out.append("\n".join(entries))
        else:
            out.append(escaped(" ".join(line.strip() for line in lines)))
    return "\n\n".join(out)


def signature(item: Any) -> str:
    try:
        text = str(inspect.signature(item))
    except (TypeError, ValueError):
        return "()"
    text = re.sub(r"""['"]+([\w.\[\], |]*[.\[|][\w.\[\], |]*)['"]+""", r"\1", text)  # annotations that are texts
    return re.sub(r"<[^>]*>", "...", text).replace("omniroll.", "")


def own_members(item: type) -> list[tuple[str, Any]]:
    return [(name, value) for name, value in vars(item).items()
            if not name.startswith("_") and (inspect.isfunction(value) or isinstance(value, (property, classmethod, staticmethod)))]


def described(name: str, item: Any, owner: str = "") -> str:
    full = f"{owner}.{name}" if owner else name
    text = markdown(item.__doc__ or "")
    if not owner and not callable(item):
        return f"::::{{py:data}} {full}\n::::"
    if isinstance(item, property):
        return f"::::{{py:property}} {full}\n{text}\n::::"
    if inspect.isclass(item):
        bases = ", ".join(f"`{base.__name__}`" for base in item.__bases__ if base is not object)
        kind = "exception" if issubclass(item, BaseException) else "class"
        made = kind == "class" and "__init__" in vars(item)
        call = re.sub(r"\(self(, )?", "(", signature(item.__init__)).replace(" -> None", "") if made else ""
        members = "\n\n".join(described(member, value, full) for member, value in own_members(item))
        return f":::::{{py:{kind}}} {full}{call}\n" + (f"A kind of {bases}.\n\n" if bases else "") + f"{text}\n\n{members}\n:::::"
    inner = item.__func__ if isinstance(item, (classmethod, staticmethod)) else item
    call = signature(inner)
    call = re.sub(r"^\((self|cls)(, )?", "(", call) if owner else call
    return f"::::{{py:{'method' if owner else 'function'}}} {full}{call}\n{text}\n::::"


def public(module: ModuleType) -> list[str]:
    return list(MODULES[module.__name__][1]) if module.__name__ in MODULES else list(module.__all__)


def page(name: str, title: str) -> str:
    module = importlib.import_module(name)
    items = [(each, getattr(module, each)) for each in public(module)]
    order = [[(each, item) for each, item in items if inspect.isfunction(item)],
             [(each, item) for each, item in items if inspect.isclass(item) and not issubclass(item, BaseException)],
             [(each, item) for each, item in items if inspect.isclass(item) and issubclass(item, BaseException)],
             [(each, item) for each, item in items if not inspect.isfunction(item) and not inspect.isclass(item)]]
    parts = [f"# {title}", markdown(module.__doc__ or ""), f"```{{py:module}} {name}\n```"]
    for heading, group in zip(("Functions", "Classes", "Errors and warnings", "Other names"), order):
        if group:
            parts += [f"## {heading}", *(described(each, item) for each, item in group)]
    return "\n\n".join(parts) + "\n"


def pages() -> dict[str, str]:
    made = {"api/python/omniroll.md": page("omniroll", "`omniroll`")}
    for name, (title, _) in MODULES.items():
        made[f"api/python/{name.rpartition('.')[2]}.md"] = page(name, f"{title}: `{name}`")
    rows = "\n".join(f"| [`{name}`]({name.rpartition('.')[2]}.md) | {escaped(first(name))} |" for name in ("omniroll", *MODULES))
    made["api/python/index.md"] = INDEX.format(rows=rows, pages="\n".join(name.rpartition(".")[2] for name in ("omniroll", *MODULES)))
    return made


def first(name: str) -> str:
    return " ".join((importlib.import_module(name).__doc__ or "").split("\n\n")[0].split())


INDEX = """# Python interface

What a study written in Python looks like stands in [omniroll in Python](../../reference/python.md). These pages are made of the docstrings;
`help(omniroll.run)` prints the same.

| module | what is there |
|---|---|
{rows}

```{{toctree}}
:hidden:

{pages}
```
"""

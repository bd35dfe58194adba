"""Writes the types of a study that is a dict, omniroll/study_types.pyi, of the JSON schema of study files; the build calls it:

    python3 analysis/typed_studies.py SCHEMA TYPES

Of JSON Schema (draft 2020-12) it knows words that matter to types: type, enum, const, properties, required, additionalProperties, items,
prefixItems, anyOf, oneOf, $ref into $defs, and an allOf of "if one property is this, then" at the top, which becomes a class for each.
Bounds, patterns and other conditions are checked when the study is read."""

from __future__ import annotations

import json
import keyword
import pathlib
import re
import sys
import textwrap
from typing import Any

WIDTH = 140
PLAIN = {"string": "str", "number": "float", "integer": "int", "boolean": "bool", "null": "None"}
HEAD = '''"""Types of studies that are dicts, for editors and type checkers: `study: OmniVehicleStudy = {"model": "omni_vehicle", ...}`, or
StudyDict for any model. Nothing is checked when the program runs; omniroll.validate does that.

The build writes this file of `omniroll schema` (analysis/typed_studies.py)."""

from __future__ import annotations

from typing import Any, Dict, Literal, Sequence, TypedDict, Union
'''


def camel(name: str) -> str:
    """OmniVehicle of omni_vehicle."""
    return "".join(part[:1].upper() + part[1:] for part in re.split(r"\W+|_", name) if part)


def merged(base: Any, over: Any) -> Any:
    """The schema `base` where `over` holds as well."""
    if not isinstance(base, dict) or not isinstance(over, dict) or "$ref" in over:
        return {**over, **{key: base[key] for key in ("description",) if isinstance(base, dict) and key in base}} if isinstance(over, dict) else over
    found = dict(base)
    for key, value in over.items():
        found[key] = merged(base[key], value) if key in base and key in ("properties", "items") or key in base.get("properties", {}) else value
        if key == "properties":
            found[key] = {**base.get(key, {}), **{name: merged(base.get(key, {}).get(name, {}), one) for name, one in value.items()}}
    return found


def alternatives(kind: str) -> list[str]:
    """The types that a Union is of."""
    if not kind.startswith("Union["):
        return [kind]
    found, depth = [""], 0
    for letter in kind[len("Union["):-1]:
        depth += (letter == "[") - (letter == "]")
        if letter == "," and depth == 0:
            found.append("")
        else:
            found[-1] += letter
    return [one.strip() for one in found]


class Types:
    """Classes and aliases in the order in which they are needed."""

    def __init__(self, schema: dict[str, Any]) -> None:
        self.schema = schema
        self.lines: list[str] = []
        self.names: dict[str, str] = {}  # names of the types that were written, by their texts
        self.taken: set[str] = set()

    def name(self, wished: str) -> str:
        """A name that nothing else has."""
        found, count = wished, 1
        while found in self.taken:
            count += 1
            found = f"{wished}{count}"
        self.taken.add(found)
        return found

    def union(self, parts: list[str]) -> str:
        """Any of these; types that others contain are left out."""
        flat = list(dict.fromkeys(one for part in parts for one in alternatives(part)))
        if "Any" in flat:
            return "Any"
        if "str" in flat:
            flat = [part for part in flat if not part.startswith("Literal[\"")]
        if "float" in flat:
            flat = [part for part in flat if part != "int"]
        return flat[0] if len(flat) == 1 else f"Union[{', '.join(flat)}]"

    def literal(self, values: list[Any], wished: str) -> str:
        """One of some words; many of them have a name."""
        text = f"Literal[{', '.join(json.dumps(value) if isinstance(value, str) else repr(value) for value in values)}]"
        if len(text) <= 80:
            return text
        if text not in self.names:
            self.names[text] = self.name(wished)
            inner = textwrap.fill(text[len("Literal["):-1], WIDTH - 4, initial_indent="    ", subsequent_indent="    ", break_long_words=False)
            self.lines.append(f"{self.names[text]} = Literal[\n{inner},\n]")
        return self.names[text]

    def array(self, schema: dict[str, Any], wished: str) -> str:
        """A list or tuple."""
        if "prefixItems" in schema:
            return f"Sequence[{self.union([self.of(one, wished) for one in schema['prefixItems']])}]"
        return f"Sequence[{self.of(schema['items'], f'{wished}Item')}]" if isinstance(schema.get("items"), dict) else "Sequence[Any]"

    def member(self, name: str, schema: Any, owner: str) -> list[str]:
        """A line, below a comment with its meaning."""
        kind = self.of(schema, f"{owner}{camel(name)}")
        about = schema.get("description", "") if isinstance(schema, dict) else ""
        comment = textwrap.wrap(about, WIDTH - 6, initial_indent="    # ", subsequent_indent="    # ", break_on_hyphens=False)
        return [*comment, f"    {name}: {kind}"]

    def object(self, schema: dict[str, Any], wished: str) -> str:
        """A class; of an object whose keys are the user's a Dict."""
        properties = {name: one for name, one in schema.get("properties", {}).items()
                      if one is not False and name.isidentifier() and not keyword.iskeyword(name)}
        if not properties:
            more = schema.get("additionalProperties")
            return f"Dict[str, {self.of(more, f'{wished}Value')}]" if isinstance(more, dict) else "Dict[str, Any]"
        needed = [name for name in properties if name in schema.get("required", [])]
        body = {name: "\n".join(self.member(name, one, wished)) for name, one in properties.items()}
        key = "\n".join(f"{name in needed} {text}" for name, text in body.items())
        if key not in self.names:
            self.names[key] = own = self.name(wished)
            base = "TypedDict"
            optional = [body[name] for name in properties if name not in needed]
            if needed and optional:
                base = self.name(f"{own}Needed")
                self.lines.append("\n".join([f"class {base}(TypedDict):", *(body[name] for name in needed)]))
            elif needed:
                optional = [body[name] for name in needed]
            total = "" if needed and base == "TypedDict" else ", total=False"
            self.lines.append("\n".join([f"class {own}({base}{total}):", *optional]))
        return self.names[key]

    def of(self, schema: Any, wished: str) -> str:
        """The type of a value."""
        if not isinstance(schema, dict):
            return "Any"
        if "$ref" in schema:
            name = schema["$ref"].removeprefix("#/$defs/")
            return self.of(self.schema["$defs"][name], camel(name))
        if "const" in schema:
            return self.literal([schema["const"]], wished)
        if "enum" in schema:
            return self.literal(schema["enum"], wished)
        for several in ("anyOf", "oneOf"):
            if several in schema and not any(set(one) <= {"required", "not"} for one in schema[several] if isinstance(one, dict)):
                if any(set(one) == {"pattern"} for one in schema[several]):  # words, and texts that are like one
                    return "str"
                return self.union([self.of(merged({k: v for k, v in schema.items() if k != several and k != "description"}, one), wished)
                                   for one in schema[several]])
        kinds = schema.get("type", "object" if "properties" in schema else None)
        parts = []
        for kind in [kinds] if isinstance(kinds, str) else kinds or []:
            parts.append(self.array(schema, wished) if kind == "array" else self.object(schema, wished) if kind == "object" else PLAIN[kind])
        return self.union(parts) if parts else "Any"


def cases(schema: dict[str, Any]) -> list[tuple[str, dict[str, Any]]]:
    """Of "if this property is so, then": the value of the property, and the schema that holds there."""
    found = []
    for case in schema.get("allOf", []):
        for name, one in case.get("if", {}).get("properties", {}).items():
            if "const" in one:
                whole = merged({key: value for key, value in schema.items() if key not in ("allOf", "$defs")}, case.get("then", {}))
                whole["properties"] = {**whole["properties"], name: {**schema["properties"].get(name, {}), **one, "enum": [one["const"]]}}
                found.append((str(one["const"]), whole))
    return found


def types_of(schema: dict[str, Any], name: str = "Study") -> str:
    """The text of the module."""
    schema = {**schema.get("$defs", {}).get("study", schema), "$defs": schema["$defs"]}  # and a study that holds variants
    types = Types(schema)
    names = [types.object(whole, f"{camel(value)}{name}") for value, whole in cases(schema)] or [types.object(schema, name)]
    types.lines.append(f"{name}Dict = " + (names[0] if len(names) == 1 else "Union[\n" + "".join(f"    {one},\n" for one in names) + "]"))
    return HEAD + "\n\n" + "\n\n\n".join(types.lines) + "\n"


def main(arguments: list[str]) -> int:
    source, types = map(pathlib.Path, arguments)
    types.write_text(types_of(json.loads(source.read_text(encoding="utf-8"))), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

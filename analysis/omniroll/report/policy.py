"""The page's Content-Security-Policy: its permissions in a browser, with a hash for each script and style sheet."""

from __future__ import annotations

import base64
import hashlib
import re
from typing import Iterable

STYLED = re.compile(r'<[A-Za-z][^<>]*? style="([^"]*)"[^<>]*>')


def policy(scripts: Iterable[str], styles: Iterable[str], wasm: bool = False) -> str:
    """Nothing is fetched or sent, no form, no base, and nothing runs or styles but these texts, exactly as between their tags. Pictures
    of many points are PNG within SVG, as data. A style attribute has no hash: classed() makes classes of them. wasm: these scripts may
    compile WebAssembly, which they have in the page."""
    more = " 'wasm-unsafe-eval'" if wasm else ""
    return ("default-src 'none'; base-uri 'none'; form-action 'none'; img-src data:; "
            f"script-src {_hashes(scripts)}{more}; style-src {_hashes(styles)}")


def classed(body: str) -> tuple[str, str]:
    """HTML without style attributes, and the rules of the classes that stand in their place. Text of users has no quotation marks of its
    own (page.text), so that text that looks like an attribute here is one."""
    names: dict[str, str] = {}

    def class_of(tag: re.Match[str]) -> str:
        name = names.setdefault(tag[1], f"s{len(names)}")
        bare = tag[0].replace(f' style="{tag[1]}"', "", 1)
        if ' class="' in bare:
            return bare.replace(' class="', f' class="{name} ', 1)
        return re.sub(r"^<[A-Za-z][\w:-]*", lambda start: f'{start[0]} class="{name}"', bare)

    plain = STYLED.sub(class_of, body)
    return plain, "".join(f".{name} {{ {rules} }}\n" for rules, name in names.items())


def _hashes(texts: Iterable[str]) -> str:
    hashes = [base64.b64encode(hashlib.sha256(text.encode("utf-8")).digest()).decode("ascii") for text in texts]
    return " ".join(f"'sha256-{value}'" for value in hashes) or "'none'"

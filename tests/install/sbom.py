"""The bill of materials of an installation: a valid SPDX 2.3 document, which names what program and library are linked with, by the versions that
dpkg knows, and what lies beside them.

    sbom.py DOCUMENT PROGRAM LIBRARY [--beside PACKAGES.TXT] [--epoch SECONDS]

Where the Python package spdx-tools is there, its validator looks at the document too."""

import argparse
import datetime
import json
import os
import re
import subprocess
import sys

# Of https://spdx.org/licenses those that the document may use; an expression is one of them or two with an exception between.
LICENCES = {"MIT", "BSD-2-Clause", "BSD-3-Clause", "Zlib", "curl", "ISC", "Apache-2.0", "GPL-2.0-or-later", "GPL-3.0-or-later",
            "LGPL-2.0-or-later", "LGPL-2.1-or-later", "LGPL-2.1-only", "LGPL-3.0-or-later", "UCAR", "NOASSERTION",
            "GPL-3.0-or-later WITH GCC-exception-3.1"}
# What SPDX 2.3 demands: clauses 6 and 7
DOCUMENT = {"spdxVersion": r"SPDX-2\.3", "dataLicense": r"CC0-1\.0", "SPDXID": "SPDXRef-DOCUMENT", "name": ".+",
            "documentNamespace": r"https://[^#\s]+"}
PACKAGE = {"name": ".+", "SPDXID": r"SPDXRef-[A-Za-z0-9.-]+", "downloadLocation": ".+", "licenseConcluded": ".+", "licenseDeclared": ".+",
           "copyrightText": ".+"}
RELATIONS = {"DESCRIBES", "DYNAMIC_LINK", "STATIC_LINK", "CONTAINS"}
PURPOSES = {"APPLICATION", "LIBRARY"}
LINKED_WITHOUT_PACKAGE = r"ld-linux|libomniroll\."

faults = []


def check(holds, words):
    if not holds:
        faults.append(words)


def said(*command):
    return subprocess.run(command, capture_output=True, text=True, check=False, env={**os.environ, "LC_ALL": "C"}).stdout


def form(document):
    """Fields, identifiers and what refers to them."""
    for key, pattern in DOCUMENT.items():
        check(re.fullmatch(pattern, str(document.get(key))), f"{key}: {document.get(key)}")
    info = document["creationInfo"]
    check(re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", info["created"]), f"created: {info['created']}")
    for creator in info["creators"]:
        check(re.match(r"(Person|Organization|Tool): \S", creator), f"creator: {creator}")
    known = {"SPDXRef-DOCUMENT"}
    for package in document["packages"]:
        for key, pattern in PACKAGE.items():
            check(re.fullmatch(pattern, str(package.get(key))), f"{package.get('name')}: {key}: {package.get(key)}")
        check(package["SPDXID"] not in known, f"{package['SPDXID']} twice")
        known.add(package["SPDXID"])
        check({package["licenseDeclared"], package["licenseConcluded"]} <= LICENCES, f"{package['name']}: licence {package['licenseDeclared']}")
        check(package["primaryPackagePurpose"] in PURPOSES and package["filesAnalyzed"] is False, f"{package['name']}: purpose or files")
        for reference in package.get("externalRefs", []):
            check(re.fullmatch(r"pkg:deb/[a-z]+/[a-z0-9%A-F.-]+@[A-Za-z0-9%._-]+\?arch=[a-z0-9]+", reference["referenceLocator"]),
                  f"{package['name']}: {reference['referenceLocator']}")
    lines = [tuple(line[key] for key in ("spdxElementId", "relationshipType", "relatedSpdxElement")) for line in document["relationships"]]
    check(len(lines) == len(set(lines)), "a relationship twice")
    for one, relation, other in lines:
        check(one in known and other in known and relation in RELATIONS, f"{one} {relation} {other}")
    check(known - {other for _, _, other in lines} == {"SPDXRef-DOCUMENT"}, "a package that nothing refers to")
    return {relation: {other for _, kind, other in lines if kind == relation} for relation in RELATIONS}


def owner(path):
    """Debian's package of a file."""
    names = {name for one in (path, os.path.realpath(path)) for name in (one, re.sub("^/usr/lib", "/lib", one))}
    found = re.search(r"^([^:,\s]+)[:,]", said("dpkg-query", "-S", *names), re.M)
    return found[1] if found else None


def needed(files):
    """The libraries that files are linked with, and where the loader finds each."""
    names = {name for file in files for name in re.findall(r"\(NEEDED\).*\[(.*?)\]", said("readelf", "-dW", file))}
    check(names, "readelf finds nothing linked")
    where = {}
    for file in files:
        where.update(re.findall(r"^\s*(\S+) => (/\S+)", said("ldd", file), re.M))
    return {name: where.get(name) for name in names if not re.match(LINKED_WITHOUT_PACKAGE, name)}


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("document")
    parser.add_argument("files", nargs="+")
    parser.add_argument("--beside")
    parser.add_argument("--epoch", type=int)
    options = parser.parse_args()
    with open(options.document, encoding="utf-8") as file:
        document = json.load(file)
    related = form(document)
    packages = {package["name"]: package for package in document["packages"]}
    identifier = lambda name: packages[name]["SPDXID"] if name in packages else None  # noqa: E731

    if options.epoch is not None:
        expected = datetime.datetime.fromtimestamp(options.epoch, datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")
        check(document["creationInfo"]["created"] == expected, f"created {document['creationInfo']['created']}, not {expected}")
    check(packages["omniroll"]["versionInfo"] in said(options.files[0], "--version"), "version of omniroll")
    check(packages["omniroll"]["licenseDeclared"] == "MIT" and related["DESCRIBES"] == {"SPDXRef-omniroll"}, "omniroll itself")
    check(related["STATIC_LINK"] == {identifier("librandom123-dev")}, "Random123, whose headers are compiled in")

    # Linked: what readelf says, no more and no less. Libraries beside the program are those of Debian under the same names.
    expected = set()
    folder = f"/usr/lib/{said('dpkg-architecture', '-qDEB_HOST_MULTIARCH').strip()}"
    for name, path in needed(options.files).items():
        places = [path or "", f"{folder}/{name}", f"{folder}/hdf5/serial/{name}"]
        package = next(filter(None, map(owner, filter(os.path.exists, places))), None)
        check(package in packages, f"{name} ({package}) is not in the document")
        expected.add(identifier(package))
    check(related["DYNAMIC_LINK"] == expected, f"linked: {sorted(map(str, related['DYNAMIC_LINK'] ^ expected))}")
    others = [name for name in packages if name != "omniroll"]
    versions = dict(line.split(" ") for line in said("dpkg-query", "-W", "-f", "${Package} ${Version}\\n", *others).splitlines())
    for name in others:
        check(packages[name].get("versionInfo") == versions.get(name), f"{name}: {packages[name].get('versionInfo')}, dpkg: {versions.get(name)}")

    beside = set()
    if options.beside:
        with open(options.beside, encoding="utf-8") as file:
            beside = {identifier(line.split(" ")[0]) for line in re.findall(r"^\S+ \S+, source .*$", file.read(), re.M)}
        beside -= related["STATIC_LINK"]
        check(beside, f"{options.beside} names no package")
    check(related["CONTAINS"] == beside, f"beside it: {sorted(map(str, related['CONTAINS'] ^ beside))}")
    # Direct dependencies have a licence: what these are is known.
    for name, package in packages.items():
        if package["SPDXID"] in related["DYNAMIC_LINK"] | related["STATIC_LINK"]:
            check(package["licenseDeclared"] != "NOASSERTION", f"{name}: licence not known")

    try:
        from spdx_tools.spdx.parser.parse_anything import parse_file
        from spdx_tools.spdx.validation.document_validator import validate_full_spdx_document
    except ImportError:
        print("[PART] sbom: no Python package spdx-tools, whose validator would look at the document too")
    else:
        for message in validate_full_spdx_document(parse_file(options.document)):
            check(False, f"spdx-tools: {message.validation_message}")
    for fault in faults:
        print(fault)
    print(f"{len(packages)} packages, {len(document['relationships'])} relationships, {len(faults)} faults")
    return bool(faults)


if __name__ == "__main__":
    sys.exit(main())

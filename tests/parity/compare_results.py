"""Compares the datasets of two result files bit by bit: compare_results.py REFERENCE FILE. Every NaN counts as the same.
Prints one line of a table; exits with 1 where a dataset differs or is in one file only."""
import sys

import h5py
import numpy


def datasets(file):
    found = {}
    file.visititems(lambda name, item: found.update({name: item}) if isinstance(item, h5py.Dataset) else None)
    return found


def bits(dataset):
    values = dataset[()]
    if values.dtype.kind != "f":
        return values
    whole = values.view(numpy.uint64).copy()
    whole[numpy.isnan(values)] = 0x7FF8000000000000
    return whole


def differences(reference, other):
    a, b = datasets(reference), datasets(other)
    names = [f"{name} is in one file only" for name in sorted(a.keys() ^ b.keys())]
    for name in sorted(a.keys() & b.keys()):
        if a[name].shape != b[name].shape or a[name].dtype != b[name].dtype:
            names.append(f"{name} has another shape or type")
        elif count := int(numpy.count_nonzero(bits(a[name]) != bits(b[name]))):
            names.append(f"{name} in {count} of {a[name].size} values")
    return names, len(a)


def main():
    with h5py.File(sys.argv[1]) as reference, h5py.File(sys.argv[2]) as other:
        names, count = differences(reference, other)
        run = other.attrs
        what = f"DIFFERS: {', '.join(names)}" if names else f"the same bits in {count} datasets"
        device = run["device"].split(",")[0].split(" (")[0]
        print(f"{run['backend']:7} {run['precision']:7} lanes {run['lanes']:2}  {device:32.32}  {what}")
    return 1 if names else 0


if __name__ == "__main__":
    sys.exit(main())

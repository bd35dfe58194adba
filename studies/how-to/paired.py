"""The variants of a study side by side, on the same draws: docs/how-to/three-or-four-wheels.md."""
import omniroll

results = omniroll.run_variants("studies/how-to/three_or_four_wheels.json")
found = omniroll.side_by_side(*results.values()).sel(robot="omni3")
for name in found.observable.values:
    row = found.sel(observable=name)
    interval = f"{row.difference_low:.3f} to {row.difference_high:.3f}"
    print(f"{name:<16} {row.difference:+.3f} ({interval}) {row.unit.item()}")

"""Two results side by side, on the same draws: docs/how-to/three-or-four-wheels.md."""
import omniroll

found = omniroll.side_by_side("four_mecanum.h5", "three_omni.h5").sel(robot="three_omni")
for name in found.observable.values:
    row = found.sel(observable=name)
    interval = f"{row.difference_low:.3f} to {row.difference_high:.3f}"
    print(f"{name:<16} {row.difference:+.3f} ({interval}) {row.unit.item()}")

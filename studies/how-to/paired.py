"""Differences of two results on the same draws: docs/how-to/three-or-four-wheels.md."""
import omniroll

mecanum, omni = omniroll.open("four_mecanum.h5"), omniroll.open("three_omni.h5")
for name in ("wheel_friction", "platform_mass"):
    assert (mecanum[name] == omni[name]).all()  # the same floors and loads

for name in ("max_deviation", "energy_per_metre", "vibration_rms"):
    difference = omni[name] - mecanum[name]
    mean, unit = float(difference.mean()), mecanum[name].attrs["units"]
    half = 1.96 * float(difference.std(ddof=1)) / difference.size ** 0.5
    print(f"{name:<16} {mean:+.3f} ({mean - half:.3f} to {mean + half:.3f}) {unit}")

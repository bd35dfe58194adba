"""Most sideways speed per energy: docs/how-to/two-parameters-with-scipy.md."""
import omniroll
from scipy.optimize import minimize

study = omniroll.load("studies/how-to/inclination.json")
del study["vary"], study["design"]  # one vehicle
study["integrator"] = {"tolerance": 1e-4, "duration": "2 s", "step_error": "off"}


def run(x):
    return omniroll.run(study, infeasible="nan", set={
        "parameters.wheel.inclination": f"{x[0]} deg", "parameters.wheel.tip_radius": f"{x[1]} mm"})


best = minimize(lambda x: -float(run(x).speed_per_energy[0]), [45, 6], method="Nelder-Mead",
                bounds=[(20, 70), (2, 20)], options={"xatol": 0.5, "fatol": 1e-5, "maxfev": 60})
angle, tip = best.x
print(f"{-best.fun:.5f} m/s/J at {angle:.0f} deg and {tip:.1f} mm, after {best.nfev} runs")
print("30 deg and 18 mm:", run([30, 18]).invalid_reason.partition(";")[0])

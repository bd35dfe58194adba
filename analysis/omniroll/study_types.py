"""Types of studies that are dicts, for editors and type checkers: `study: OmniVehicleStudy = {"model": "omni_vehicle", ...}`, or
StudyDict for any model. Nothing is checked when the program runs; omniroll.validate does that.

analysis/typed_studies.py writes this file of study.schema.json; do not change it by hand."""

from __future__ import annotations

from typing import Any, Dict, Literal, Sequence, TypedDict, Union


class ParametersOmniVehiclePlatformCenterOfMass(TypedDict, total=False):
    # platform centre of mass, forward (m; default: 0)
    x: Union[float, str]
    # platform centre of mass, height above the floor (m; default: 0.1)
    height: Union[float, str]
    # platform centre of mass, to the right (m; default: 0)
    z: Union[float, str]
    # platform centre of mass, to the left (m; default: 0)
    y: Union[float, str]


class ParametersOmniVehiclePlatformYawLoss(TypedDict, total=False):
    # empirical: yaw that is lost for each metre sideways, against the sense of turning, as measured vehicles do (rad m-1; default: 0)
    sideways: Union[float, str]
    # the same for each metre forward (rad m-1; default: 0)
    forward: Union[float, str]
    # curvature of the path, yaw over way, below which the loss of yaw fades (rad m-1; default: 0.2)
    curvature: Union[float, str]


class ParametersOmniVehiclePlatform(TypedDict, total=False):
    # mass of the platform m_p (kg; default: 10)
    mass: Union[float, str]
    # inertia J_p of the platform about the vertical through its centre of mass (kg m2; default: 0.5)
    yaw_inertia: Union[float, str]
    # compliant contact: inertia of the platform about the axis forward through its centre of mass; default: half of yaw_inertia, as
    # of a thin square plate (kg m2)
    roll_inertia: Union[float, str]
    # compliant contact: inertia of the platform about the axis to the right through its centre of mass; default: half of yaw_inertia
    # (kg m2)
    pitch_inertia: Union[float, str]
    center_of_mass: ParametersOmniVehiclePlatformCenterOfMass
    yaw_loss: ParametersOmniVehiclePlatformYawLoss


class ParametersOmniVehicleLayout(TypedDict, total=False):
    # ring layout: distance of the wheel centres from the body origin (m; default: 0.2)
    radius: Union[float, str]
    # ring layout: axis angle of wheel 0; the others follow evenly (rad; default: 0)
    first_angle: Union[float, str]
    # rectangle layout: half the distance between front and rear wheel centres (m; default: 0.2)
    half_length: Union[float, str]
    # rectangle layout: half the distance between left and right wheel centres (m; default: 0.15)
    half_width: Union[float, str]
    # ring (default): wheels evenly around the body origin, axles radial; rectangle: front-left, front-right, rear-left, rear-right,
    # axis angle 0; explicit: each wheel gives x, z and axis_angle in "wheels"
    type: Literal["ring", "rectangle", "explicit"]
    # ring layout: number of wheels, default 3
    wheels: int
    # rectangle layout: multiplies the wheels' inclinations, varied ones too, by + - - +; default false
    mecanum: bool


class ParametersOmniVehicleInitial(TypedDict, total=False):
    # initial position of the body origin, world x (m; default: 0)
    x: Union[float, str]
    # initial position of the body origin, world z (m; default: 0)
    z: Union[float, str]
    # initial position of the body origin, world y (m; default: 0)
    y: Union[float, str]
    # initial yaw angle theta (rad; default: 0)
    yaw: Union[float, str]
    # initial velocity of the body origin, forward (body axes) (m s-1; default: 0)
    vx: Union[float, str]
    # initial velocity of the body origin, to the right (body axes) (m s-1; default: 0)
    vz: Union[float, str]
    # initial velocity of the body origin, to the left (body axes) (m s-1; default: 0)
    vy: Union[float, str]
    # initial yaw rate omega (rad s-1; default: 0)
    yaw_rate: Union[float, str]
    # penalty and compliant contact: initial height over the place where the unloaded wheels touch the floor; default: at rest on its
    # wheels (m)
    height: Union[float, str]
    # penalty and compliant contact: initial upward velocity (m s-1; default: 0)
    heave_rate: Union[float, str]
    # compliant contact: initial pitch, positive with the nose up; the wheels' rest adds to it where no initial.height is given (rad;
    # default: 0)
    pitch: Union[float, str]
    # compliant contact: initial roll about the axis forward, positive with the right side down; likewise (rad; default: 0)
    roll: Union[float, str]
    # compliant contact: initial angular velocity about the body's axis to the right (rad s-1; default: 0)
    pitch_rate: Union[float, str]
    # compliant contact: initial angular velocity about the body's axis forward (rad s-1; default: 0)
    roll_rate: Union[float, str]
    # how the rollers spin at the start; default locked: see "Initial state"
    spins: Union[Literal["locked", "rolling"], Sequence[Sequence[Union[float, str]]]]


class ParametersOmniVehicleCommandReplayColumnsTimeNeeded(TypedDict):
    # its name in the header of the file
    column: str


class ParametersOmniVehicleCommandReplayColumnsTime(ParametersOmniVehicleCommandReplayColumnsTimeNeeded, total=False):
    # unit of its numbers, where the header names none in brackets (default: the header's, else SI)
    unit: str
    # what its numbers are multiplied by, such as -1 for a sensor that counts the other way (default: 1)
    factor: Union[float, str]


class ParametersOmniVehicleCommandReplayColumns(TypedDict, total=False):
    # the column's name in the header, or an object with it (default: the same name)
    time: Union[str, ParametersOmniVehicleCommandReplayColumnsTime]
    # the column's name in the header, or an object with it (default: the same name)
    vx: Union[str, ParametersOmniVehicleCommandReplayColumnsTime]
    # the column's name in the header, or an object with it (default: the same name)
    vz: Union[str, ParametersOmniVehicleCommandReplayColumnsTime]
    # the column's name in the header, or an object with it (default: the same name)
    vy: Union[str, ParametersOmniVehicleCommandReplayColumnsTime]
    # the column's name in the header, or an object with it (default: the same name)
    yaw_rate: Union[str, ParametersOmniVehicleCommandReplayColumnsTime]


class ParametersOmniVehicleCommandReplay(TypedDict, total=False):
    # the CSV file; a name counts from the study's folder. With `data` it may be left out: that of the measured run, from its start on
    file: str
    # which column has the time, and which the torque, the rate (or the angle in its place), or vx, vz and yaw_rate: the column's
    # name, or {"column": ..., "unit": ..., "factor": ...} (default: the names themselves)
    columns: ParametersOmniVehicleCommandReplayColumns
    # between the rows: straight lines, or a cubic spline with continuous first and second derivative, which an angle always has
    # (default: "linear")
    interpolation: Literal["linear", "cubic"]
    # hash of the file's bytes; a study that a result keeps has it (default: not compared)
    hash: str


class ParametersOmniVehicleCommandNeeded(TypedDict):
    # what body velocity is asked for; default none: see "Commands"
    type: Literal["none", "constant", "tanh", "table", "replay"]


class ParametersOmniVehicleCommand(ParametersOmniVehicleCommandNeeded, total=False):
    # commanded forward velocity (m s-1; default: 0)
    vx: Union[float, str]
    # commanded velocity to the right (m s-1; default: 0)
    vz: Union[float, str]
    # commanded velocity to the left (m s-1; default: 0)
    vy: Union[float, str]
    # commanded yaw rate (rad s-1; default: 0)
    yaw_rate: Union[float, str]
    # command of type tanh: velocity = value * tanh(t / ramp_time) (s; default: 0.5)
    ramp_time: Union[float, str]
    # replayed command: time of the run at which the table's time is 0 (s; default: 0)
    time_offset: Union[float, str]
    # replayed command: time of the run per time of the table; 2 replays at half speed, and leaves the values as they are (default: 1)
    time_scale: Union[float, str]
    # command of type table: rows [time, vx, vz, yaw_rate]
    table: Sequence[Sequence[Union[float, str]]]
    # command of type replay: the file, its columns, and what is between its rows: see "Measured inputs"
    replay: ParametersOmniVehicleCommandReplay


ParametersOmniVehicleContactLaw = Literal[
    "saturated_coulomb", "regularized_coulomb", "ideal_rolling", "udwadia_kalaba", "massless_rollers", "classical_rollers", "bristle",
]


class ParametersOmniVehicleContact(TypedDict, total=False):
    # contact tracking: "explicit" (0) by formulas of the contact angle, "implicit" (1) by vectors; they agree but for rounding. The
    # reference also has "general" (2) and "general_differential" (3) (default: explicit)
    tracking: Literal["explicit", "implicit", "general", "general_differential", 0, 1, 2, 3]
    # how floor and roller act on each other; default saturated_coulomb: see "Laws of contact"
    law: ParametersOmniVehicleContactLaw
    # rigid (default): loads by exact load transfer, every wheel keeps its height; compliant: a spring and a damper below each roller
    # that reaches the floor, the platform heaves, pitches and rolls, and wheels lift and land
    normal: Literal["rigid", "compliant"]
    # compliant contact: linear (default): force k d by the penetration d, k from contact.stiffness; hertz: k d^1.5, k from
    # contact.hertz_stiffness
    spring: Literal["linear", "hertz"]
    # compliant contact: hunt_crossley (default): the spring's force times 1 + c d'; kelvin_voigt: the spring's force + D d', never
    # below 0
    damper: Literal["hunt_crossley", "kelvin_voigt"]
    # regularized_coulomb: friction below slip_speed; quadratic is the default
    zone: Literal["quadratic", "linear"]
    # udwadia_kalaba: where the relaxation weights come from
    weights: Literal["demand", "tanh", "fixed"]
    # udwadia_kalaba: with the cross terms of G^-1 W between the wheels (default), or each contact by itself
    relaxation: Literal["coupled", "contact_wise"]
    # udwadia_kalaba: a contact force that would do work on the slip loses its part along it; default false, as published
    passive: bool
    # ideal_rolling and massless rollers: tangential impact at the start and at roller exchanges; default true
    impact: bool


class ParametersOmniVehicleExternalForce(TypedDict, total=False):
    # external force, forward (world: along x): value, or amplitude of a sine; on the body origin, on the wheel's centre of an
    # omni_wheel (N; default: 0)
    x: Union[float, str]
    # external force, upwards: takes load off the wheels (N; default: 0)
    y: Union[float, str]
    # external force, to the right (world: along z) (N; default: 0)
    z: Union[float, str]


class ParametersOmniVehicleExternalTorque(TypedDict, total=False):
    # external torque about the axis forward (world: about x) (N m; default: 0)
    x: Union[float, str]
    # external torque about the vertical: turns the yaw (N m; default: 0)
    y: Union[float, str]
    # external torque about the axis to the right (world: about z); of an omni_wheel the part about the wheel's axis turns the wheel,
    # and the servo carries that across it (N m; default: 0)
    z: Union[float, str]


class ParametersOmniVehicleExternalNeeded(TypedDict):
    # force and torque from outside, such as wind, a hand, or what a whole vehicle does to a wheel; default none: see "External force
    # and torque"
    type: Literal["none", "constant", "sine", "table"]


class ParametersOmniVehicleExternal(ParametersOmniVehicleExternalNeeded, total=False):
    force: ParametersOmniVehicleExternalForce
    torque: ParametersOmniVehicleExternalTorque
    # external force and torque of type table: their factor (default: 1)
    factor: Union[float, str]
    # external force and torque of type sine: times sin(2 pi frequency t + phase) (Hz; default: 1)
    frequency: Union[float, str]
    # external force and torque of type sine: phase (rad; default: 0)
    phase: Union[float, str]
    # height over the floor at which the external force acts; default: of the wheel's centre (omni_wheel), of the platform's centre of
    # mass (m)
    height: Union[float, str]
    # axes of the components: body (default): x forward, y up, z to the right; they yaw with the body and do not turn with a wheel;
    # world: x, y, z of the floor
    axes: Literal["body", "world"]
    # external force and torque of type table: rows [time, force x, y, z, torque x, y, z]
    table: Sequence[Sequence[Union[float, str]]]


class ParametersOmniVehicleSupply(TypedDict, total=False):
    # supply of the motors that are driven by duty: open-circuit voltage V_0 (V)
    voltage: Union[float, str]
    # supply: internal resistance R_i, with the leads that all motors share (ohm; default: 0)
    resistance: Union[float, str]
    # true (default): the supply takes back what motors give; false: controllers turn it into heat
    regeneration: bool


class ParametersOmniVehicleGroundPatch0(TypedDict, total=False):
    # patch 0: world x of its centre, or of a point of a half plane's edge (m; default: 0)
    x: Union[float, str]
    # patch 0: world z of its centre, or of a point of a half plane's edge (m; default: 0)
    z: Union[float, str]
    # patch 0: world y of its centre, or of a point of a half plane's edge (m; default: 0)
    y: Union[float, str]
    # patch 0: length of the rectangle (m; default: 1)
    length: Union[float, str]
    # patch 0: width of the rectangle (m; default: 1)
    width: Union[float, str]
    # patch 0: yaw of its length, or of the direction into a half plane (rad; default: 0)
    yaw: Union[float, str]
    # patch 0: friction coefficient there, in place of the wheels' (default: 0.1)
    friction: Union[float, str]
    # shape of a patch, likewise patch1 to patch3; default rectangle: see "Ground"
    shape: Literal["rectangle", "half_plane"]


class ParametersOmniVehicleGroundPatch1(TypedDict, total=False):
    # patch 1: world x of its centre, or of a point of a half plane's edge (m; default: 0)
    x: Union[float, str]
    # patch 1: world z of its centre, or of a point of a half plane's edge (m; default: 0)
    z: Union[float, str]
    # patch 1: world y of its centre, or of a point of a half plane's edge (m; default: 0)
    y: Union[float, str]
    # patch 1: length of the rectangle (m; default: 1)
    length: Union[float, str]
    # patch 1: width of the rectangle (m; default: 1)
    width: Union[float, str]
    # patch 1: yaw of its length, or of the direction into a half plane (rad; default: 0)
    yaw: Union[float, str]
    # patch 1: friction coefficient there, in place of the wheels' (default: 0.1)
    friction: Union[float, str]
    # shape of a patch, likewise patch1 to patch3; default rectangle: see "Ground"
    shape: Literal["rectangle", "half_plane"]


class ParametersOmniVehicleGroundPatch2(TypedDict, total=False):
    # patch 2: world x of its centre, or of a point of a half plane's edge (m; default: 0)
    x: Union[float, str]
    # patch 2: world z of its centre, or of a point of a half plane's edge (m; default: 0)
    z: Union[float, str]
    # patch 2: world y of its centre, or of a point of a half plane's edge (m; default: 0)
    y: Union[float, str]
    # patch 2: length of the rectangle (m; default: 1)
    length: Union[float, str]
    # patch 2: width of the rectangle (m; default: 1)
    width: Union[float, str]
    # patch 2: yaw of its length, or of the direction into a half plane (rad; default: 0)
    yaw: Union[float, str]
    # patch 2: friction coefficient there, in place of the wheels' (default: 0.1)
    friction: Union[float, str]
    # shape of a patch, likewise patch1 to patch3; default rectangle: see "Ground"
    shape: Literal["rectangle", "half_plane"]


class ParametersOmniVehicleGroundPatch3(TypedDict, total=False):
    # patch 3: world x of its centre, or of a point of a half plane's edge (m; default: 0)
    x: Union[float, str]
    # patch 3: world z of its centre, or of a point of a half plane's edge (m; default: 0)
    z: Union[float, str]
    # patch 3: world y of its centre, or of a point of a half plane's edge (m; default: 0)
    y: Union[float, str]
    # patch 3: length of the rectangle (m; default: 1)
    length: Union[float, str]
    # patch 3: width of the rectangle (m; default: 1)
    width: Union[float, str]
    # patch 3: yaw of its length, or of the direction into a half plane (rad; default: 0)
    yaw: Union[float, str]
    # patch 3: friction coefficient there, in place of the wheels' (default: 0.1)
    friction: Union[float, str]
    # shape of a patch, likewise patch1 to patch3; default rectangle: see "Ground"
    shape: Literal["rectangle", "half_plane"]


class ParametersOmniVehicleGroundNeeded(TypedDict):
    # what becomes of friction in time and place; default constant: see "Ground"
    type: Literal["constant", "dip", "step", "patches"]


class ParametersOmniVehicleGround(ParametersOmniVehicleGroundNeeded, total=False):
    # ground of type dip or step: changed friction over the wheels' friction, mu_l/mu_u (default: 0.5)
    factor: Union[float, str]
    # ground of type dip or step: time t_s of the change (s; default: 1)
    time: Union[float, str]
    # ground of type dip or step: time s_d = 1/k_m that the change takes (s; default: 0.1)
    width: Union[float, str]
    # ground of type patches: width of the linear transition at the edges of patches, 0 is sharp (m; default: 0.005)
    edge: Union[float, str]
    patch0: ParametersOmniVehicleGroundPatch0
    patch1: ParametersOmniVehicleGroundPatch1
    patch2: ParametersOmniVehicleGroundPatch2
    patch3: ParametersOmniVehicleGroundPatch3


class ParametersOmniVehicleFloorWave(TypedDict, total=False):
    # compliant contact: amplitude of a wave of the floor; heights of wave, step, map and roughness add up (m; default: 0)
    amplitude: Union[float, str]
    # wave of the floor: from crest to crest (m; default: 0.5)
    length: Union[float, str]
    # wave of the floor: yaw at which a vehicle heads straight across the crests (rad; default: 0)
    direction: Union[float, str]
    # wave of the floor: phase at the world's origin, sin(2 pi s/length + phase) at s along the direction (rad; default: 0)
    phase: Union[float, str]


class ParametersOmniVehicleFloorStep(TypedDict, total=False):
    # compliant contact: height of a step of the floor, below 0 down (m; default: 0)
    height: Union[float, str]
    # step of the floor: where it begins, from the world's origin along the direction (m; default: 0.5)
    place: Union[float, str]
    # step of the floor: yaw at which a vehicle heads straight across it (rad; default: 0)
    direction: Union[float, str]
    # step of the floor: way over which it rises, smoothly, as 3 t^2 - 2 t^3 (m; default: 0.02)
    ramp: Union[float, str]
    # step of the floor: way from where it begins to where it begins to go back, for a gap or a sill; default: it does not (m)
    width: Union[float, str]


class ParametersOmniVehicleFloorMapColumns(TypedDict, total=False):
    # the column's name in the header, or an object with it (default: the same name)
    x: Union[str, ParametersOmniVehicleCommandReplayColumnsTime]
    # the column's name in the header, or an object with it (default: the same name)
    z: Union[str, ParametersOmniVehicleCommandReplayColumnsTime]
    # the column's name in the header, or an object with it (default: the same name)
    y: Union[str, ParametersOmniVehicleCommandReplayColumnsTime]
    # the column's name in the header, or an object with it (default: the same name)
    height: Union[str, ParametersOmniVehicleCommandReplayColumnsTime]


class ParametersOmniVehicleFloorMapNeeded(TypedDict):
    # compliant contact: CSV file with heights of the floor over a regular grid, a row for each node; a name counts from the study's
    # folder; beyond the map the floor is as high as its border
    file: str


class ParametersOmniVehicleFloorMap(ParametersOmniVehicleFloorMapNeeded, total=False):
    # map of the floor: world x of the map's origin (m; default: 0)
    x: Union[float, str]
    # map of the floor: world z of the map's origin (m; default: 0)
    z: Union[float, str]
    # map of the floor: world y of the map's origin (m; default: 0)
    y: Union[float, str]
    # map of the floor: yaw of its x axis (rad; default: 0)
    direction: Union[float, str]
    # map of the floor: height that is added to all of its own (m; default: 0)
    offset: Union[float, str]
    # map of the floor: factor of its heights (default: 1)
    scale: Union[float, str]
    # map of the floor: which column has x, z and the height, as in a table that is replayed; default: those of these names
    columns: ParametersOmniVehicleFloorMapColumns
    # map of the floor: between its nodes bilinear (default), with edges where cells meet, or cubic along both axes, without
    interpolation: Literal["linear", "cubic"]
    # map of the floor: hash of the file's bytes; a study that a result keeps has it
    hash: str


class ParametersOmniVehicleFloorRoughness(TypedDict, total=False):
    # compliant contact: degree of roughness by ISO 8608, the density of the floor's heights along any line at 0.1 cycles per metre;
    # it falls with the square of the wave number. Class A of roads: 16e-6 m3, each further class four times as much (m3; default: 0)
    degree: Union[float, str]
    # roughness: longest wave (m; default: 2)
    longest: Union[float, str]
    # roughness: shortest wave (m; default: 0.2)
    shortest: Union[float, str]
    # roughness: number of plane waves in all directions that it is made of (default: 16)
    waves: Union[float, str]
    # roughness: its waves are drawn from this number alone; vary it for a floor of its own in each instance (default: 0)
    seed: Union[float, str]


class ParametersOmniVehicleFloor(TypedDict, total=False):
    # compliant contact: angle by which the floor slopes; heights and pitch and roll are measured from it (rad; default: 0)
    slope: Union[float, str]
    # slope: yaw at which a vehicle heads uphill (rad; default: 0)
    slope_direction: Union[float, str]
    wave: ParametersOmniVehicleFloorWave
    step: ParametersOmniVehicleFloorStep
    map: ParametersOmniVehicleFloorMap
    roughness: ParametersOmniVehicleFloorRoughness


class WheelOmniVehicleContact(TypedDict, total=False):
    # regularized_coulomb: friction coefficient mu_x along the wheel axis k turned by friction_angle; default: friction, 0 for
    # disc_vehicle
    lateral_friction: Union[float, str]
    # regularized_coulomb: friction coefficient mu_y across that direction; default: friction
    longitudinal_friction: Union[float, str]
    # regularized_coulomb: growth d_x of lateral_friction per slip speed (s m-1; default: 0)
    lateral_viscous: Union[float, str]
    # regularized_coulomb: growth d_y of longitudinal_friction per slip speed (s m-1; default: 0)
    longitudinal_viscous: Union[float, str]
    # regularized_coulomb: angle alpha_t that turns the direction of mu_x to cos alpha_t k + sin alpha_t i; for disc_vehicle less the
    # inclination (rad; default: 0)
    friction_angle: Union[float, str]
    # regularized_coulomb, brush, magic_formula: rolling friction mu_r, force per normal load and velocity of the wheel centre,
    # against it (s m-1; default: 0)
    rolling_friction: Union[float, str]
    # saturated_coulomb: radius eps of the area on which roller and floor press, of drilling friction, which takes from that against
    # sliding; 0: a point (m; default: 0)
    contour_radius: Union[float, str]
    # constraint laws: rate gamma at which slip left over decays (s-1; default: 50)
    baumgarte: Union[float, str]
    # udwadia_kalaba: gain k_s of the demand in the weights (default: 1)
    stiction_gain: Union[float, str]
    # udwadia_kalaba: gain k_F of the demand in the friction (default: 1)
    friction_gain: Union[float, str]
    # udwadia_kalaba: slip speed v_ref at which friction is near its limit (m s-1; default: 0.01)
    reference_speed: Union[float, str]
    # udwadia_kalaba with fixed weights: relaxation weight w, 1 rolls, 0 slides (default: 1)
    weight: Union[float, str]
    # udwadia_kalaba: coupling kappa of the weights along the wheel and along k: both are w, the off-diagonal one is kappa w (1 - w)
    # (default: 0)
    weight_coupling: Union[float, str]
    # penalty contact, and compliant contact with a linear spring: stiffness k between wheel and floor; default: 4e4 N/m of a
    # disc_vehicle, 4e5 N/m of a roller (N m-1)
    stiffness: Union[float, str]
    # penalty contact, and compliant contact with the damper kelvin_voigt: damping between wheel and floor; default: 400 N s/m of a
    # disc_vehicle, by damping_ratio of a roller (N s m-1)
    damping: Union[float, str]
    # compliant contact with the spring hertz: stiffness k of the force k d^1.5 (N m-1.5; default: 3e+07)
    hertz_stiffness: Union[float, str]
    # compliant contact: damping ratio zeta of the weight over the number of wheels on one roller, where that rests (default: 0.1)
    damping_ratio: Union[float, str]
    # compliant contact with the damper hunt_crossley: factor c of the force k d^p (1 + c d'), instead of damping_ratio (s m-1)
    dissipation: Union[float, str]
    # bristle: force per load and deflection sigma_0; the bristles give way by mu/sigma_0 before they slide (m-1; default: 5000)
    bristle_stiffness: Union[float, str]
    # bristle: damping ratio zeta of a vehicle that sticks and moves level on its bristles, sigma_1 = 2 zeta sqrt(sigma_0/g) (default:
    # 0.1)
    bristle_damping_ratio: Union[float, str]
    # bristle: force per load and rate of the deflection sigma_1, at rest, instead of bristle_damping_ratio (s m-1)
    bristle_damping: Union[float, str]
    # bristle: force per load and slip speed sigma_2, beside the bristles (s m-1; default: 0)
    bristle_viscous: Union[float, str]
    # bristle: static over kinetic friction, which is friction; 1: alike (default: 1)
    static_ratio: Union[float, str]
    # bristle: slip speed at which friction has come down from static to kinetic, as exp(-(v/v_S)^2) (m s-1; default: 0.05)
    stribeck_speed: Union[float, str]


class WheelOmniVehicleRollerDry(TypedDict, total=False):
    # dry friction of a roller's bearing while the roller is on the floor: constant part (N m; default: 0)
    torque: Union[float, str]
    # friction coefficient mu_b between pin and roller, under the contact force across the roller's axis (default: 0)
    friction: Union[float, str]
    # radius r_p of the pin, the arm of that friction (m; default: 0)
    pin_radius: Union[float, str]
    # friction coefficient of the roller's end faces, under the contact force along its axis (default: 0)
    end_friction: Union[float, str]
    # mean radius of the end faces, the arm of that friction (m; default: 0)
    end_radius: Union[float, str]
    # static over kinetic friction of the roller's bearing, of all its dry parts; 1: alike (default: 1)
    static_ratio: Union[float, str]
    # rate of the bearing at which friction has come half of the way down from static to kinetic (rad s-1; default: 20)
    stribeck_rate: Union[float, str]
    # rate v_0 at which dry friction of the bearing is at 0.71 of its size, as v/sqrt(v^2 + v_0^2); below it creeps (rad s-1; default:
    # 5)
    smoothing_rate: Union[float, str]


class WheelOmniVehicleRoller(TypedDict, total=False):
    # compliant contact: half the angle of the wheel that a roller's profile spans, over pi/n; below 1 there are gaps between rollers,
    # above 1 two rows overlap (default: 1)
    coverage: Union[float, str]
    # compliant contact: radius that rounds the ends of a roller's profile, at most the radius h of its ends (m; default: 0)
    fillet: Union[float, str]
    # compliant contact: how far the rollers' profile lies inside of the wheel's radius; negative: outside (m; default: 0)
    undersize: Union[float, str]
    # one roller: mass m_r, instead of its density (kg)
    mass: Union[float, str]
    # one roller: inertia I_a about its axis (with roller.mass) (kg m2)
    axial_inertia: Union[float, str]
    # one roller: inertia I_t about a diameter (with roller.mass) (kg m2)
    diametral_inertia: Union[float, str]
    # density of the rollers; mass and inertias are integrated from the profile (kg m-3; default: 1200)
    density: Union[float, str]
    # radius of a bore along the roller axis (with density) (m; default: 0)
    bore: Union[float, str]
    # viscous friction beta_r of a roller bearing (N m s; default: 0)
    bearing: Union[float, str]
    dry: WheelOmniVehicleRollerDry
    # rolling resistance of the roller on the floor: lever arm f, moment per load against its horizontal angular velocity (m; default:
    # 0)
    rolling_resistance: Union[float, str]
    # angular velocity of the roller at which rolling resistance has come up (rad s-1; default: 5)
    rolling_smoothing_rate: Union[float, str]


class WheelOmniVehicleSuspension(TypedDict, total=False):
    # compliant contact: spring between wheel and platform, along the body's vertical; for all wheels or for none, which is the
    # default (N m-1)
    stiffness: Union[float, str]
    # suspension: damper beside the spring (N s m-1; default: 0)
    damping: Union[float, str]
    # suspension: force of the spring where the wheel is in its place; default: what it carries at rest (N)
    preload: Union[float, str]
    # suspension: mass that moves with the wheel besides its own (hub, motor), at its centre; on top of platform.mass (kg; default: 0)
    mass: Union[float, str]


class WheelOmniVehicleDisc(TypedDict, total=False):
    # wheel disc without rollers: mass m_w (kg; default: 0.5)
    mass: Union[float, str]
    # wheel disc: inertia J_k about its axis (kg m2; default: 0.001)
    axial_inertia: Union[float, str]
    # wheel disc: inertia J_d about a diameter (kg m2; default: 0.0006)
    diametral_inertia: Union[float, str]


class WheelOmniVehicleAxleDry(TypedDict, total=False):
    # dry friction of the wheel axle: constant part, that of gears and seals with it, as a torque at the wheel (N m; default: 0)
    torque: Union[float, str]
    # friction coefficient mu_a of the axle, under the contact force in the wheel's plane (default: 0)
    friction: Union[float, str]
    # radius r_a of the axle in its bearing, the arm of that friction (m; default: 0)
    radius: Union[float, str]
    # static over kinetic friction of the axle; 1: alike (default: 1)
    static_ratio: Union[float, str]
    # wheel rate at which friction has come half of the way down from static to kinetic (rad s-1; default: 4)
    stribeck_rate: Union[float, str]
    # wheel rate v_0 at which dry friction of the axle is at 0.71 of its size, as v/sqrt(v^2 + v_0^2) (rad s-1; default: 1)
    smoothing_rate: Union[float, str]


class WheelOmniVehicleDryLoad(TypedDict, total=False):
    # exponent p of the load: dry friction, rolling resistance and the moment of drilling of the wheel take N_ref (N/N_ref)^p in place
    # of its load N (default: 1)
    exponent: Union[float, str]
    # load N_ref at which the exponent changes nothing; default: the weight over the number of wheels (N)
    reference: Union[float, str]


class WheelOmniVehicleInitial(TypedDict, total=False):
    # initial wheel angle chi (rad; default: 0)
    angle: Union[float, str]
    # initial wheel rate (rad s-1; default: 0)
    rate: Union[float, str]


WheelOmniVehicleDriveType = Literal[
    "none", "constant", "tanh", "sine", "table", "replay_torque", "replay_voltage", "replay_duty", "replay_rate", "speed", "body",
]


class WheelOmniVehicleDriveReplayColumns(TypedDict, total=False):
    # the column's name in the header, or an object with it (default: the same name)
    time: Union[str, ParametersOmniVehicleCommandReplayColumnsTime]
    # the column's name in the header, or an object with it (default: the same name)
    torque: Union[str, ParametersOmniVehicleCommandReplayColumnsTime]
    # the column's name in the header, or an object with it (default: the same name)
    voltage: Union[str, ParametersOmniVehicleCommandReplayColumnsTime]
    # the column's name in the header, or an object with it (default: the same name)
    duty: Union[str, ParametersOmniVehicleCommandReplayColumnsTime]
    # the column's name in the header, or an object with it (default: the same name)
    rate: Union[str, ParametersOmniVehicleCommandReplayColumnsTime]
    # the column's name in the header, or an object with it (default: the same name)
    angle: Union[str, ParametersOmniVehicleCommandReplayColumnsTime]


class WheelOmniVehicleDriveReplay(TypedDict, total=False):
    # the CSV file; a name counts from the study's folder. With `data` it may be left out: that of the measured run, from its start on
    file: str
    # which column has the time, and which the torque, the rate (or the angle in its place), or vx, vz and yaw_rate: the column's
    # name, or {"column": ..., "unit": ..., "factor": ...} (default: the names themselves)
    columns: WheelOmniVehicleDriveReplayColumns
    # between the rows: straight lines, or a cubic spline with continuous first and second derivative, which an angle always has
    # (default: "linear")
    interpolation: Literal["linear", "cubic"]
    # hash of the file's bytes; a study that a result keeps has it (default: not compared)
    hash: str


class WheelOmniVehicleDrive(TypedDict, total=False):
    # drive torque at the wheel: value, amplitude, or factor of the table (N m; default: 0)
    torque: Union[float, str]
    # drive by voltage: voltage at the motor's terminals, amplitude, or factor of the table (V; default: 0)
    voltage: Union[float, str]
    # drive by duty: share of the supply's voltage, amplitude, or factor of the table (default: 0)
    duty: Union[float, str]
    # drive of type tanh: torque * tanh(t / ramp_time) (s; default: 0.5)
    ramp_time: Union[float, str]
    # drive of type sine: torque * sin(2 pi frequency t + phase) (Hz; default: 1)
    frequency: Union[float, str]
    # drive of type sine: phase (rad; default: 0)
    phase: Union[float, str]
    # replayed tables: time of the run at which the table's time is 0 (s; default: 0)
    time_offset: Union[float, str]
    # replayed tables: time of the run per time of the table; 2 replays at half speed, and leaves the values as they are (default: 1)
    time_scale: Union[float, str]
    # drive of type speed: wheel rate to hold (rad s-1; default: 0)
    speed: Union[float, str]
    # speed and body control: proportional gain, torque per wheel rate error (N m s; default: 0.2)
    kp: Union[float, str]
    # speed and body control: integral gain, torque per wheel angle error (N m; default: 1)
    ki: Union[float, str]
    # largest torque at the wheel the controller asks for (N m)
    torque_limit: Union[float, str]
    # speed and body control by duty: proportional gain, duty per wheel rate error (s; default: 0.05)
    duty_kp: Union[float, str]
    # speed and body control by duty: integral gain, duty per wheel angle error (default: 0.2)
    duty_ki: Union[float, str]
    # speed and body control by voltage: proportional gain, voltage per wheel rate error (V s; default: 0.5)
    voltage_kp: Union[float, str]
    # speed and body control by voltage: integral gain, voltage per wheel angle error (V; default: 2)
    voltage_ki: Union[float, str]
    # speed and body control by voltage: largest voltage of the controller; required by voltage (V)
    voltage_limit: Union[float, str]
    # what turns the wheel; default none: see "Drives"
    type: WheelOmniVehicleDriveType
    # drive of type table: rows [time, torque]
    table: Sequence[Sequence[Union[float, str]]]
    # what the drive gives: torque (default); voltage: at the terminals of the wheel's brushed motor, from a source of its own; duty:
    # a share of the supply's voltage
    by: Literal["torque", "voltage", "duty"]
    # brushed motor whose drive asks for 0, also of type none: brake (default) closes its circuit, coast opens it
    at_rest: Literal["brake", "coast"]
    # drive of a type that replays: the file, its columns, and what is between its rows: see "Measured inputs"
    replay: WheelOmniVehicleDriveReplay


class WheelOmniVehicleMotor(TypedDict, total=False):
    # rotor rate per wheel rate (not 0; negative turns the other way) (default: 1)
    gear_ratio: Union[float, str]
    # rotor inertia about its axis, parallel to the wheel axis; acts as gear_ratio^2 times itself on the wheel (kg m2; default: 0)
    rotor_inertia: Union[float, str]
    # torque-speed line of the motor: torque at rest (N m)
    stall_torque: Union[float, str]
    # torque-speed line of the motor: rate without load (rad s-1)
    no_load_speed: Union[float, str]
    # brushed motor: resistance R of its winding, with the leads (ohm)
    resistance: Union[float, str]
    # brushed motor: torque k_t of the rotor per current (N m A-1)
    torque_constant: Union[float, str]
    # brushed motor: voltage k_e that it makes per rotor rate; default: torque_constant, which it equals where nothing is lost (V s)
    emf_constant: Union[float, str]
    # brushed motor: current I_0 that its own dry friction takes, a torque of k_t I_0 at the rotor (A; default: 0)
    no_load_current: Union[float, str]
    # brushed motor: rotor rate omega_s at which dry friction and gear losses are near their full size (rad s-1; default: 5)
    friction_rate: Union[float, str]
    # brushed motor: part of the power that its gear passes on to the wheel (default: 1)
    efficiency: Union[float, str]
    # brushed motor: part of the wheel's power that its gear passes back to the motor; default: efficiency
    back_efficiency: Union[float, str]
    # brushed motor: largest current that its controller lets through, of either sign; default: no limit (A)
    current_limit: Union[float, str]
    # brushed motor: inductance L of its winding, which makes the current a state; 0: it follows the voltage at once (H; default: 0)
    inductance: Union[float, str]


class WheelOmniVehicleError(TypedDict, total=False):
    # added to the wheel radius, unknown to controller and odometry (m; default: 0)
    radius: Union[float, str]
    # added to the wheel centre's x, unknown to controller and odometry (m; default: 0)
    x: Union[float, str]
    # added to the wheel centre's z, unknown to controller and odometry (m; default: 0)
    z: Union[float, str]
    # added to the wheel centre's y, unknown to controller and odometry (m; default: 0)
    y: Union[float, str]
    # added to the axis angle, unknown to controller and odometry (rad; default: 0)
    axis_angle: Union[float, str]


class WheelOmniVehicle(TypedDict, total=False):
    # explicit layout: wheel centre, forward (a) (m; default: 0)
    x: Union[float, str]
    # explicit layout: wheel centre, to the right (b) (m; default: 0)
    z: Union[float, str]
    # explicit layout: wheel centre, to the left (m; default: 0)
    y: Union[float, str]
    # explicit layout and omni_wheel: direction of the wheel axis, k = (sin delta, 0, cos delta) (rad; default: 0)
    axis_angle: Union[float, str]
    # wheel radius R (m; default: 0.1)
    radius: Union[float, str]
    # number of rollers n (default: 6)
    rollers: Union[float, str]
    # roller inclination psi: angle of the roller axis to the wheel plane (45 deg is a mecanum wheel), within 89 deg (rad; default: 0)
    inclination: Union[float, str]
    # radius of the rollers' end faces; 0 gives pointed tips, R1 = R cos(pi/n) (m; default: 0)
    tip_radius: Union[float, str]
    # distance R1 of wheel centre and roller centre, instead of tip_radius (m)
    center_distance: Union[float, str]
    # distance w of two rows of rollers along the axis; 0 is one row (m; default: 0)
    row_distance: Union[float, str]
    # friction coefficient mu between roller and floor (default: 0.3)
    friction: Union[float, str]
    # slip speed v_s where friction saturates (m s-1; default: 0.05)
    slip_speed: Union[float, str]
    contact: WheelOmniVehicleContact
    roller: WheelOmniVehicleRoller
    suspension: WheelOmniVehicleSuspension
    disc: WheelOmniVehicleDisc
    # viscous friction beta_a of the wheel axle (N m s; default: 0)
    axle_bearing: Union[float, str]
    axle_dry: WheelOmniVehicleAxleDry
    dry_load: WheelOmniVehicleDryLoad
    initial: WheelOmniVehicleInitial
    drive: WheelOmniVehicleDrive
    motor: WheelOmniVehicleMotor
    error: WheelOmniVehicleError


class ParametersOmniVehicle(TypedDict, total=False):
    # gravitational acceleration g (m s-2; default: 9.81)
    gravity: Union[float, str]
    platform: ParametersOmniVehiclePlatform
    layout: ParametersOmniVehicleLayout
    initial: ParametersOmniVehicleInitial
    command: ParametersOmniVehicleCommand
    contact: ParametersOmniVehicleContact
    external: ParametersOmniVehicleExternal
    supply: ParametersOmniVehicleSupply
    ground: ParametersOmniVehicleGround
    floor: ParametersOmniVehicleFloor
    # parameters of all wheels: see "Wheel parameters"
    wheel: WheelOmniVehicle
    # one object per wheel with what differs from "wheel"; {} where nothing does
    wheels: Sequence[WheelOmniVehicle]
    # what to do with rollers that run into each other; refuse is the default
    overlap: Literal["refuse", "allow"]
    # sampling time of the controllers, a whole multiple of the step; default 1 ms where steps fit into it, else the step
    controller_period: Union[float, str]


class EntryOmniVehicleNeeded(TypedDict):
    # the parameter: "platform.mass", "wheel.friction" (all wheels alike), "wheels[0].friction" (one wheel) (default: required)
    path: str


class EntryOmniVehicle(EntryOmniVehicleNeeded, total=False):
    # a path that starts with `wheel.` takes a value of its own for every wheel; not in a grid (default: false)
    each: bool
    # [...]: the listed values; a random design draws one of them, all alike
    values: Sequence[Any]
    # [first, last, count]: count values evenly spaced, both ends included; not for random designs
    linspace: Sequence[Any]
    # [low, high]: every value between alike
    uniform: Sequence[Any]
    # [low, high]: every logarithm between alike; low above 0
    log_uniform: Sequence[Any]
    # [mean, standard deviation]: not truncated
    normal: Sequence[Any]
    # [median, spread of the logarithm]: the logarithm is normal with this spread, a pure number; median above 0
    log_normal: Sequence[Any]
    # [mean, standard deviation, low, high]: normal between low and high, none beyond; the first two belong to the normal before
    # truncation
    truncated_normal: Sequence[Any]
    # [low, mode, high]: density rises to the mode and falls, in straight lines
    triangular: Sequence[Any]
    # [alpha, beta, low, high]: beta distribution stretched from low to high; alpha and beta from 0.05 to 10000
    beta: Sequence[Any]
    # [scale, shape]: probability 1 - exp(-(x/scale)^shape) below x; shape from 0.05 to 10000
    weibull: Sequence[Any]
    # [low, high]: every whole number from low to high alike
    integer: Sequence[Any]
    # [[value, weight], ...]: the listed values, with probabilities proportional to their weights
    discrete: Sequence[Any]


OmniVehicleStudyDesignType = Literal[
    "grid", "one_at_a_time", "list", "table", "posterior", "monte_carlo", "latin_hypercube", "sobol", "halton", "nested", "saltelli",
    "morris", "subset_simulation",
]


class OmniVehicleStudyDesignCorrelationItem(TypedDict):
    paths: Sequence[str]
    rank: Union[float, str]


class OmniVehicleStudyDesignNeeded(TypedDict):
    # how values combine: the table above
    type: OmniVehicleStudyDesignType


class OmniVehicleStudyDesign(OmniVehicleStudyDesignNeeded, total=False):
    # random designs and `posterior`: number of instances; all but `monte_carlo` at most 2^32. `subset_simulation`: of a level, a
    # multiple of 1/`level_probability` and at least ten times that
    instances: int
    # random designs and `posterior`: chooses the random numbers; as text above 2^53 (default: 0)
    seed: Union[int, str]
    # `sobol`, `halton`, `saltelli`: nested uniform scrambling, or the sequence itself (default: owen)
    scramble: Literal["none", "owen"]
    # `latin_hypercube`: parts combined at random, or so that the points keep away from each other (up to 1024 points) (default:
    # plain)
    criterion: Literal["plain", "maximin"]
    # random designs: {"paths": [a, b], "rank": r}, Spearman's rank correlation of two drawn parameters
    correlation: Sequence[OmniVehicleStudyDesignCorrelationItem]
    # `nested`: what is drawn in each cell, `monte_carlo`, `latin_hypercube`, `sobol` or `halton`
    sample: Literal["monte_carlo", "latin_hypercube", "sobol", "halton"]
    # `nested`: instances in each cell
    per_cell: int
    # `nested`: every cell has the same sample, or one of its own (default: true)
    common_random_numbers: bool
    # `list`: the parameters
    paths: Sequence[str]
    # `list`: for each instance a row with a value for each of the paths
    rows: Sequence[Sequence[Union[float, str]]]
    # `table`, `posterior`: CSV or HDF5 file, its place counted from the study's folder
    file: str
    # `table`, `posterior`: what the file's hash has to be; the study kept with a result has it (default: not checked)
    hash: str
    # `saltelli`: number of groups N; N (d + 2) instances
    groups: int
    # `morris`: number of trajectories r; r (d + 1) instances
    trajectories: int
    # `morris`: number p of levels of each parameter, even; `subset_simulation`: most levels, from 1 on (default: 4; 10)
    levels: int
    # `subset_simulation`: part of a level that goes on to the next (default: 0.1)
    level_probability: Union[float, str]
    # `subset_simulation`: the criterion whose probability is wanted: see "Criteria" (default: the only one)
    fail: str


class OmniVehicleStudyDataRunsItemNeeded(TypedDict):
    # the CSV file; a name counts from the study's folder. Replayed drives without a file take it too
    file: str


class OmniVehicleStudyDataRunsItem(OmniVehicleStudyDataRunsItemNeeded, total=False):
    # time of the file at which the run starts (s; default: the first row)
    start: Union[float, str]
    # time of the file at which it ends (s; default: the last row)
    end: Union[float, str]
    # fit: parameters are fitted to it; predict: it is kept apart, and predicted (default: "fit")
    use: Literal["fit", "predict"]
    # runs of one group, such as a recording, a floor or a manoeuvre, have one value of what calibrate.per_run names (default: a run
    # for itself)
    group: str
    # hash of the file's bytes; a study that a result keeps has it (default: not compared)
    hash: str
    # what the run lasts; a study that a result keeps has it (s; default: not used)
    duration: Union[float, str]


OmniVehicleStudyDataMeasuredItemSample = Literal[
    "x", "z", "y", "yaw", "vx", "vz", "yaw_rate", "servo_torque", "ax", "az", "ay", "yaw_acceleration", "height", "bus_voltage",
    "pitch", "roll", "vy", "floor_height", "wheel_angle", "wheel_rate", "roller", "contact_angle", "roller_spin", "slip_i", "slip_k",
    "normal_load", "force_i", "force_k", "torque", "weight", "demand", "wheel_acceleration", "friction", "edge_share", "current",
    "suspension_travel",
]


class OmniVehicleStudyDataMeasuredItemBias(TypedDict, total=False):
    # [low, high]
    uniform: Sequence[Any]
    # [low, high]
    log_uniform: Sequence[Any]
    # [mean, standard deviation]
    normal: Sequence[Any]
    # [median, spread of the logarithm]
    log_normal: Sequence[Any]
    # [mean, standard deviation, low, high]
    truncated_normal: Sequence[Any]
    # [low, mode, high]
    triangular: Sequence[Any]
    # [alpha, beta, low, high]
    beta: Sequence[Any]
    # [scale, shape]
    weibull: Sequence[Any]
    # [low, high]
    integer: Sequence[Any]
    # [[value, weight], ...]
    discrete: Sequence[Any]
    # run: each measured run has a value of its own, and a run that is predicted is drawn one; all: they have one in common. Where it
    # is not given: all of bias and gain, run of the others (default: run or all)
    per: Literal["all", "run"]


class OmniVehicleStudyDataMeasuredItemGain(TypedDict, total=False):
    # [low, high]
    uniform: Sequence[Union[float, str]]
    # [low, high]
    log_uniform: Sequence[Union[float, str]]
    # [mean, standard deviation]
    normal: Sequence[Union[float, str]]
    # [median, spread of the logarithm]
    log_normal: Sequence[Union[float, str]]
    # [mean, standard deviation, low, high]
    truncated_normal: Sequence[Union[float, str]]
    # [low, mode, high]
    triangular: Sequence[Union[float, str]]
    # [alpha, beta, low, high]
    beta: Sequence[Union[float, str]]
    # [scale, shape]
    weibull: Sequence[Union[float, str]]
    # [low, high]
    integer: Sequence[Union[float, str]]
    # [[value, weight], ...]
    discrete: Sequence[Sequence[Union[float, str]]]
    # run: each measured run has a value of its own, and a run that is predicted is drawn one; all: they have one in common. Where it
    # is not given: all of bias and gain, run of the others (default: run or all)
    per: Literal["all", "run"]


class OmniVehicleStudyDataMeasuredItemNeeded(TypedDict):
    # which sample of a trajectory was measured, of the vehicle or of a wheel, such as x, yaw or wheel_rate
    sample: OmniVehicleStudyDataMeasuredItemSample
    # standard deviation of what was measured about what the model gives, in the sample's unit (the sample's)
    noise: Union[float, str]


class OmniVehicleStudyDataMeasuredItem(OmniVehicleStudyDataMeasuredItemNeeded, total=False):
    # of which wheel, counted from 0: needed with a sample of a wheel, and with no other
    wheel: int
    # its column in the files: the name, or {"column": ..., "unit": ..., "factor": ...} (default: needed with runs)
    column: Union[str, ParametersOmniVehicleCommandReplayColumnsTime]
    # time after which that deviation is forgotten: an Ornstein-Uhlenbeck process; 0: every instant has one of its own (s; default: 0
    # s)
    correlation_time: Union[float, str]
    # what the sensor adds to gain times the sample; found with the parameters (the sample's; default: 0)
    bias: OmniVehicleStudyDataMeasuredItemBias
    # by what the sensor multiplies the sample; found with the parameters (default: 1)
    gain: OmniVehicleStudyDataMeasuredItemGain
    # by how much the pose at the start of a run was measured wrong: with the origin start it turns and shifts what the log tells of
    # the run; of x, the second coordinate and yaw; found with the parameters; 0: not at all (the sample's; default: as the noise)
    start_error: Union[OmniVehicleStudyDataMeasuredItemBias, Literal[0]]
    # share of the values that have ten times the noise; belongs to noise without a correlation time (default: 0)
    outliers: Union[float, str]
    # trace: the value at every instant; end: the one at the end of the run alone; spectrum: the logarithm of the mean power of its
    # rate of change in each of `bands` octaves; orders: the logarithm of its mean square at each of `orders` of `against`; bins: its
    # mean while `against` is between two `edges`; `noise` is of that: of logarithms a pure number (default: "trace")
    compare: Literal["trace", "end", "spectrum", "orders", "bins"]
    # `spectrum`: how many octaves, down from half of the sampling rate; a run has 2^(bands + 2) intervals at least (default: 3)
    bands: int
    # `orders`, `bins`, which need it: another entry of `measured`, which they go by, by its name, such as "x" or
    # "wheels[0].wheel_angle"
    against: str
    # `orders`: 1 to 64 numbers above 0, cycles in a turn of `against` where it is an angle, otherwise in its SI unit; a run has 4
    # cycles of each at least
    orders: Sequence[Union[float, str]]
    # `bins`: 2 to 64 edges, which rise; a run is in each bin at some instant (that of against)
    edges: Sequence[Union[float, str]]


class OmniVehicleStudyDataNeeded(TypedDict):
    # what is compared: samples of a trajectory, each with its column and noise
    measured: Sequence[OmniVehicleStudyDataMeasuredItem]


class OmniVehicleStudyData(OmniVehicleStudyDataNeeded, total=False):
    # the measured runs, each a CSV file: see the next table. Without them a run can be planned (`omniroll excite`) and nothing fitted
    runs: Sequence[OmniVehicleStudyDataRunsItem]
    # which column has the time: its name, or {"column": ..., "unit": ..., "factor": ...} (default: "time")
    time: Union[str, ParametersOmniVehicleCommandReplayColumnsTime]
    # time between the instants that are compared; the log is read between its rows by straight lines (s; default: 0.1 s)
    interval: Union[float, str]
    # start: the pose at the start of a run is taken off what was measured, so that a run begins at 0; world: it is taken as it is
    # (default: "start")
    origin: Literal["start", "world"]
    # which run the study replays when it is run itself, counted from 0 (default: 0)
    run: int
    # what the log's clock, counted from the run's start in the log, shows where the model's shows 0; found with the parameters (s;
    # default: 0 s)
    time_offset: OmniVehicleStudyDataMeasuredItemGain
    # seconds of the log's clock in a second of the model's; found with the parameters (default: 1)
    clock_scale: OmniVehicleStudyDataMeasuredItemGain


class OmniVehicleStudyCalibrate(TypedDict, total=False):
    # members of the ensemble, which the first fit moves (default: 200)
    members: int
    # points of the posterior, by tempered sequential Monte Carlo from the ensemble on; 0: the ensemble is the answer (default: 0)
    points: int
    # Gauss-Newton steps at most from the members' mean to the most likely parameters, whose deviations come from the Fisher matrix;
    # 0: none (default: 0)
    polish: int
    # of every draw of the calibration (default: 0)
    seed: int
    # entries of "vary" that have a value of their own in each measured run, or in each group of runs, such as the friction of floors
    # that differ
    per_run: Sequence[str]
    # `per_run`: the part of the prior's variance that the runs have in common; 0: each run for itself (default: 0.5)
    shared: float
    # unknown: each measured sample has a factor of its noise that is found too, before the data within 1/4 to 4 (95 %); needs points
    # (default: "known")
    noise: Literal["known", "unknown"]


class OmniVehicleStudyExciteNeeded(TypedDict):
    # largest commanded speed, in any direction (m s-1)
    speed: Union[float, str]
    # largest commanded yaw rate, to either side (rad s-1)
    yaw_rate: Union[float, str]


class OmniVehicleStudyExcite(OmniVehicleStudyExciteNeeded, total=False):
    # what a manoeuvre takes, a whole number of steps; it begins and ends at rest (s; default: integrator.duration)
    duration: Union[float, str]
    # largest change of the commanded velocity in a second, as the vehicle sees it (m s-2; default: the speed in 0.5 s)
    acceleration: Union[float, str]
    # largest change of the commanded yaw rate in a second (rad s-2; default: the yaw rate in 0.5 s)
    yaw_acceleration: Union[float, str]
    # families of manoeuvres that are tried, in turn: see the next table (default: all)
    families: Sequence[Literal["straight", "circles", "squares", "sines", "steps", "multisine"]]
    # manoeuvres that are tried (default: 60)
    tries: int
    # draws of the prior over which the criterion is averaged, the same for all manoeuvres (default: 4)
    draws: int
    # rounds that refine the best try: each tries 8 manoeuvres near the best one, each round half as far from it (default: 3)
    rounds: int
    # of manoeuvres and draws (default: 0)
    seed: int


OmniVehicleStudyIntegratorMethod = Literal[
    "rk4", "midpoint", "heun", "semi_implicit_euler", "rosenbrock", "ros34pw2", "ros2", "dormand_prince",
]


class OmniVehicleStudyIntegrator(TypedDict, total=False):
    # method of integration; with a tolerance an embedded pair, by default that of the law: see "Methods" (default: rk4, or a pair)
    method: OmniVehicleStudyIntegratorMethod
    # step h, the same for all, unless `tolerance` stands in its place: see "Choosing the step" (s)
    step: Union[float, str]
    # in place of `step`: every instance takes the steps that this accuracy asks for, from 1e-10 on, in single precision from 1e-5 on,
    # of `multibody` from 1e-14 on: see "Error-controlled steps"
    tolerance: Union[float, str]
    # time simulated, a whole number of fixed steps; with `data` it may be left out: that of the measured run (s)
    duration: Union[float, str]
    # `split`: a step in which a roller takes over is split at that instant and keeps the method's order; `straddle`: the exchange is
    # made at the end of the step, which lowers the order; only of models with rollers (default: split)
    exchange: Literal["split", "straddle"]
    # what to do where the step is too long for the method: see "Choosing the step" (default: warn)
    stability: Literal["warn", "refuse", "ignore"]
    # most passes that an instance may take, as a multiple of the number of fixed steps; with a tolerance their number, by default a
    # million and as many in each second: see "Instances that fail"
    budget: float
    # `measure`: some instances are run again with shorter steps, which tells the error of the study's step: see "The step error";
    # `off`: they are not (default: measure)
    step_error: Literal["measure", "off"]
    # error by the step that is accepted of observables and criteria, a larger one is warned of: {"vibration_rms": "2 %",
    # "fail.slides": "1 %"}; by default 2 % of the thresholds in criteria: see "The step error" (default: from criteria)
    accept: Dict[str, Union[float, str]]
    # what becomes of an instance that fails: see "Instances that fail" (default: record)
    on_failure: Literal["record", "retry_half_step", "abort"]
    # with `retry_half_step`: how often an instance is run again, each time with half the step, or a tenth of the tolerance (default:
    # 1)
    retries: int


ObservableOmniVehicle = Literal[
    "final_x", "final_z", "final_y", "final_yaw", "final_vx", "final_vz", "final_vy", "final_yaw_rate", "path_length", "deviation",
    "max_deviation", "max_cross_track", "yaw_deviation", "odometry_error", "odometry_yaw_error", "vibration_rms", "vibration_peak",
    "vibration_exchange", "max_slip", "dissipated_energy", "drive_work", "external_work", "energy_error", "impact_loss",
    "max_force_ratio", "min_weight", "min_load", "max_load", "max_servo_torque", "exchanges", "edge_holds", "final_height",
    "motor_work", "regenerated_work", "energy_per_metre", "peak_power", "torque_rms", "torque_peak", "energy_lost", "contact_loss",
    "bearing_loss", "roller_loss", "rolling_loss", "max_yaw_rate", "wheel0_torque_rms", "wheel1_torque_rms", "wheel2_torque_rms",
    "wheel3_torque_rms", "wheel4_torque_rms", "wheel5_torque_rms", "wheel6_torque_rms", "wheel7_torque_rms", "wheel0_torque_peak",
    "wheel1_torque_peak", "wheel2_torque_peak", "wheel3_torque_peak", "wheel4_torque_peak", "wheel5_torque_peak", "wheel6_torque_peak",
    "wheel7_torque_peak", "supply_energy", "supply_heat", "motor_heat", "gear_loss", "control_loss", "magnetic_energy",
    "supply_current_peak", "supply_voltage_min", "current_peak", "wheel0_current_peak", "wheel1_current_peak", "wheel2_current_peak",
    "wheel3_current_peak", "wheel4_current_peak", "wheel5_current_peak", "wheel6_current_peak", "wheel7_current_peak",
    "vertical_vibration_rms", "vertical_vibration_peak", "pitch_vibration_rms", "roll_vibration_rms", "max_tilt", "few_wheels_time",
    "wheel_liftings", "suspension_loss", "vertical_vibration_exchange", "height_exchange", "pitch_vibration_exchange",
    "roll_vibration_exchange", "pitch_vibration_peak", "roll_vibration_peak", "load_mean", "load_deviation", "dynamic_load_coefficient",
    "light_load_share", "wheel0_load_mean", "wheel1_load_mean", "wheel2_load_mean", "wheel3_load_mean", "wheel4_load_mean",
    "wheel5_load_mean", "wheel6_load_mean", "wheel7_load_mean", "wheel0_load_deviation", "wheel1_load_deviation",
    "wheel2_load_deviation", "wheel3_load_deviation", "wheel4_load_deviation", "wheel5_load_deviation", "wheel6_load_deviation",
    "wheel7_load_deviation",
]


class OmniVehicleStudyOutputTrajectories(TypedDict):
    # instances to trace: numbers from 0 on, "all", "first_of_each_cell", "nominal", "extremes of OBSERVABLE"
    instances: Union[str, Sequence[Union[int, str]]]
    # time between samples, a whole number of fixed steps, at most the duration (s)
    interval: Union[float, str]


class OmniVehicleStudyOutput(TypedDict, total=False):
    # the observables to keep: see "Observables" (default: those that are on)
    observables: Sequence[ObservableOmniVehicle]
    # the instances to trace, and how often: see "Trajectories"
    trajectories: OmniVehicleStudyOutputTrajectories


class OmniVehicleStudyStatisticsStopNeeded(TypedDict):
    # `fail.NAME`, the probability of a criterion, or `mean OBSERVABLE`
    quantity: str


class OmniVehicleStudyStatisticsStop(OmniVehicleStudyStatisticsStopNeeded, total=False):
    # of the interval from end to end, at which the run ends; in the observable's unit
    width: Union[float, str]
    # the same as a part of the estimate
    relative_width: Union[float, str]
    # instances before the first look (default: one chunk)
    at_least: int
    # instances at which the run ends in any case (default: those of the design)
    instances: int
    # time at which the run ends in any case, summed over its chunks
    wall_time: Union[float, str]


class OmniVehicleStudyStatistics(TypedDict, total=False):
    # a criterion as text, or an object of named ones of which each may use those before it: the probability of each is estimated
    fail: Union[str, Dict[str, str]]
    # probabilities from 0 to 1, at most 100, whose quantiles are wanted (default: [0.05, 0.25, 0.5, 0.75, 0.95])
    quantiles: Sequence[Union[float, str]]
    # number of bins from the smallest to the largest value, at most 10000; 0 for none (default: 40)
    histogram: int
    # probability with which intervals hold the true value, 0.5 to 0.999999 (default: 0.95)
    confidence: Union[float, str]
    # intervals of probabilities: `wilson` (Wilson's score interval, right on average) or `clopper_pearson` (exact: never too short)
    # (default: wilson)
    interval: Literal["wilson", "clopper_pearson"]
    # replicates behind the intervals of sensitivity indices; 0 for no such intervals, at most 100000 (default: 1000)
    bootstrap: int
    # largest part of the instances, 0 to 1, that may fail (default: 1)
    failed_limit: Union[float, str]
    # ends the run once the interval of a quantity is narrow enough, or a budget is spent: {"quantity": "fail.slides", "width": 0.01}
    stop: OmniVehicleStudyStatisticsStop


class OmniVehicleStudyEngine(TypedDict, total=False):
    # `openmp`: packs of instances in vector registers, on all cores; `scalar`: the same, one instance at a time; `opencl`: a device;
    # `auto`: `opencl` where there is a GPU that has the precision, otherwise `openmp`, and says which; `reference`: each instance as
    # a multibody system, 100 to 7000 times slower: see "A whole study on the reference" (default: auto)
    backend: Literal["auto", "openmp", "scalar", "opencl", "reference"]
    # OpenCL: `platform:device` numbers or part of the device's name, or of its platform's where no device has it; OpenMP: `avx512`,
    # `avx2`, `baseline`; `omniroll devices` lists them (default: chosen)
    device: str
    # of all arithmetic in the kernels; `single` counts up to 2^24 steps (default: double)
    precision: Literal["double", "single"]
    # `exact`: the same bits on every backend; `fast`: other bits on each, on some sooner; not with `scalar`: see "Fast numerics"
    # (default: exact)
    numerics: Literal["exact", "fast"]
    # `openmp`: whether the kernels are compiled for this run's settings by the system's C compiler, beside the run and with the same
    # bits; `auto`: where the work ahead pays for it; `always`: the run waits for it; see "Compiled for the run" (default: auto)
    compile: Literal["auto", "always", "never"]
    # OpenMP threads; default: all cores, or `OMP_NUM_THREADS` (default: all cores)
    threads: int
    # OpenCL: instances of a pack (default: chosen)
    lanes: Literal[1, 2, 4, 8, 16]
    # instances of a chunk, and the most that a device holds at a time; default: about 5e8 instance-steps, a power of two from 1024 to
    # 65536; fewer, down to 64, where trajectories would need more than 64 MiB: see "Long runs" (default: chosen)
    chunk: float
    # time that one kernel launch should take; progress and Ctrl-C act between launches (s; default: 0.25)
    launch_seconds: Union[float, str]
    # OpenCL: time between two checks of the device while it runs, besides those before and after: some instances on the device and by
    # the scalar build: see "A wrong device" (s; default: 600)
    check_seconds: Union[float, str]
    # OpenCL: the device counts as hanging when a launch takes longer than this and than 30 times as long as it should (s; default:
    # 60)
    hang_seconds: Union[float, str]
    # OpenCL, NVIDIA: most registers of a work-item (`-cl-nv-maxrregcount`); fewer let more of them run at a time and spill more; 0:
    # no limit (default: 0)
    max_registers: int
    # OpenCL: packs of a work-group; 0: chosen, 1 on a processor; on a GPU its preferred multiple (a warp), twice or four times as
    # many where each compute unit still gets 32 groups (default: 0)
    work_group: int


class OmniVehicleStudyMadeOfNeeded(TypedDict):
    # file name of the study that this one was made of
    study: str


class OmniVehicleStudyMadeOf(OmniVehicleStudyMadeOfNeeded, total=False):
    # hash of its text (default: not known)
    hash: str
    # of the nominal vehicle: where the value of each varied parameter is from
    nominal: Dict[str, str]
    # of some instances: the numbers that the rows have there
    instances: Sequence[int]


class OmniVehicleStudyNeeded(TypedDict):
    # what is simulated: see "Models"
    model: Literal["omni_vehicle"]
    # step and duration: see "Integrator"
    integrator: OmniVehicleStudyIntegrator


class OmniVehicleStudy(OmniVehicleStudyNeeded, total=False):
    # stands above summary and plots
    title: str
    # kept with the study, otherwise not used
    description: Union[str, Sequence[str]]
    # axes and signs of everything in the study and its results: see "Frames" (default: y_up)
    frame: Literal["y_up", "ros"]
    # what differs from the defaults: see "Parameters"
    parameters: ParametersOmniVehicle
    # the varied parameters and their values: see "Varying parameters"
    vary: Sequence[EntryOmniVehicle]
    # how the values combine into instances: see "Designs" (default: grid)
    design: OmniVehicleStudyDesign
    # measured runs that the study is held against, and fitted to: see "Data"
    data: OmniVehicleStudyData
    # how `omniroll calibrate` fits: see "Data"
    calibrate: OmniVehicleStudyCalibrate
    # limits of the manoeuvres among which `omniroll excite` looks for the one to drive: see "Data"
    excite: OmniVehicleStudyExcite
    # observables and trajectories to keep: see "Output" (default: observables that are on)
    output: OmniVehicleStudyOutput
    # quantiles, histograms, criteria: see "Statistics"
    statistics: OmniVehicleStudyStatistics
    # backend, device, precision: see "Engine"
    engine: OmniVehicleStudyEngine
    # written by `omniroll run --nominal` and `--instance`: the study that this one was made of: see "One vehicle"
    made_of: OmniVehicleStudyMadeOf


class ParametersOmniWheelInitial(TypedDict, total=False):
    # initial position of the body origin, world x (m; default: 0)
    x: Union[float, str]
    # initial position of the body origin, world z (m; default: 0)
    z: Union[float, str]
    # initial position of the body origin, world y (m; default: 0)
    y: Union[float, str]
    # initial yaw angle theta (rad; default: 0)
    yaw: Union[float, str]
    # initial velocity of the body origin, forward (body axes) (m s-1; default: 0)
    vx: Union[float, str]
    # initial velocity of the body origin, to the right (body axes) (m s-1; default: 0)
    vz: Union[float, str]
    # initial velocity of the body origin, to the left (body axes) (m s-1; default: 0)
    vy: Union[float, str]
    # initial yaw rate omega (rad s-1; default: 0)
    yaw_rate: Union[float, str]
    # how the rollers spin at the start; default locked: see "Initial state"
    spins: Union[Literal["locked", "rolling"], Sequence[Sequence[Union[float, str]]]]


ParametersOmniWheelContactLaw = Literal[
    "saturated_coulomb", "regularized_coulomb", "ideal_rolling", "udwadia_kalaba", "massless_rollers", "classical_rollers",
]


class ParametersOmniWheelContact(TypedDict, total=False):
    # contact tracking: "explicit" (0) by formulas of the contact angle, "implicit" (1) by vectors; they agree but for rounding. The
    # reference also has "general" (2) and "general_differential" (3) (default: explicit)
    tracking: Literal["explicit", "implicit", "general", "general_differential", 0, 1, 2, 3]
    # how floor and roller act on each other; default saturated_coulomb: see "Laws of contact"
    law: ParametersOmniWheelContactLaw
    # regularized_coulomb: friction below slip_speed; quadratic is the default
    zone: Literal["quadratic", "linear"]
    # udwadia_kalaba: where the relaxation weights come from
    weights: Literal["demand", "tanh", "fixed"]
    # udwadia_kalaba: with the cross terms of G^-1 W between the wheels (default), or each contact by itself
    relaxation: Literal["coupled", "contact_wise"]
    # udwadia_kalaba: a contact force that would do work on the slip loses its part along it; default false, as published
    passive: bool
    # ideal_rolling and massless rollers: tangential impact at the start and at roller exchanges; default true
    impact: bool


class WheelOmniWheelContact(TypedDict, total=False):
    # regularized_coulomb: friction coefficient mu_x along the wheel axis k turned by friction_angle; default: friction, 0 for
    # disc_vehicle
    lateral_friction: Union[float, str]
    # regularized_coulomb: friction coefficient mu_y across that direction; default: friction
    longitudinal_friction: Union[float, str]
    # regularized_coulomb: growth d_x of lateral_friction per slip speed (s m-1; default: 0)
    lateral_viscous: Union[float, str]
    # regularized_coulomb: growth d_y of longitudinal_friction per slip speed (s m-1; default: 0)
    longitudinal_viscous: Union[float, str]
    # regularized_coulomb: angle alpha_t that turns the direction of mu_x to cos alpha_t k + sin alpha_t i; for disc_vehicle less the
    # inclination (rad; default: 0)
    friction_angle: Union[float, str]
    # regularized_coulomb, brush, magic_formula: rolling friction mu_r, force per normal load and velocity of the wheel centre,
    # against it (s m-1; default: 0)
    rolling_friction: Union[float, str]
    # saturated_coulomb: radius eps of the area on which roller and floor press, of drilling friction, which takes from that against
    # sliding; 0: a point (m; default: 0)
    contour_radius: Union[float, str]
    # constraint laws: rate gamma at which slip left over decays (s-1; default: 50)
    baumgarte: Union[float, str]
    # udwadia_kalaba: gain k_s of the demand in the weights (default: 1)
    stiction_gain: Union[float, str]
    # udwadia_kalaba: gain k_F of the demand in the friction (default: 1)
    friction_gain: Union[float, str]
    # udwadia_kalaba: slip speed v_ref at which friction is near its limit (m s-1; default: 0.01)
    reference_speed: Union[float, str]
    # udwadia_kalaba with fixed weights: relaxation weight w, 1 rolls, 0 slides (default: 1)
    weight: Union[float, str]
    # udwadia_kalaba: coupling kappa of the weights along the wheel and along k: both are w, the off-diagonal one is kappa w (1 - w)
    # (default: 0)
    weight_coupling: Union[float, str]


class WheelOmniWheelRoller(TypedDict, total=False):
    # one roller: mass m_r, instead of its density (kg)
    mass: Union[float, str]
    # one roller: inertia I_a about its axis (with roller.mass) (kg m2)
    axial_inertia: Union[float, str]
    # one roller: inertia I_t about a diameter (with roller.mass) (kg m2)
    diametral_inertia: Union[float, str]
    # density of the rollers; mass and inertias are integrated from the profile (kg m-3; default: 1200)
    density: Union[float, str]
    # radius of a bore along the roller axis (with density) (m; default: 0)
    bore: Union[float, str]
    # viscous friction beta_r of a roller bearing (N m s; default: 0)
    bearing: Union[float, str]
    dry: WheelOmniVehicleRollerDry
    # rolling resistance of the roller on the floor: lever arm f, moment per load against its horizontal angular velocity (m; default:
    # 0)
    rolling_resistance: Union[float, str]
    # angular velocity of the roller at which rolling resistance has come up (rad s-1; default: 5)
    rolling_smoothing_rate: Union[float, str]


WheelOmniWheelDriveType = Literal[
    "none", "constant", "tanh", "sine", "table", "replay_torque", "replay_voltage", "replay_duty", "replay_rate", "speed",
]


class WheelOmniWheelDrive(TypedDict, total=False):
    # drive torque at the wheel: value, amplitude, or factor of the table (N m; default: 0)
    torque: Union[float, str]
    # drive by voltage: voltage at the motor's terminals, amplitude, or factor of the table (V; default: 0)
    voltage: Union[float, str]
    # drive by duty: share of the supply's voltage, amplitude, or factor of the table (default: 0)
    duty: Union[float, str]
    # drive of type tanh: torque * tanh(t / ramp_time) (s; default: 0.5)
    ramp_time: Union[float, str]
    # drive of type sine: torque * sin(2 pi frequency t + phase) (Hz; default: 1)
    frequency: Union[float, str]
    # drive of type sine: phase (rad; default: 0)
    phase: Union[float, str]
    # replayed tables: time of the run at which the table's time is 0 (s; default: 0)
    time_offset: Union[float, str]
    # replayed tables: time of the run per time of the table; 2 replays at half speed, and leaves the values as they are (default: 1)
    time_scale: Union[float, str]
    # drive of type speed: wheel rate to hold (rad s-1; default: 0)
    speed: Union[float, str]
    # speed and body control: proportional gain, torque per wheel rate error (N m s; default: 0.2)
    kp: Union[float, str]
    # speed and body control: integral gain, torque per wheel angle error (N m; default: 1)
    ki: Union[float, str]
    # largest torque at the wheel the controller asks for (N m)
    torque_limit: Union[float, str]
    # speed and body control by duty: proportional gain, duty per wheel rate error (s; default: 0.05)
    duty_kp: Union[float, str]
    # speed and body control by duty: integral gain, duty per wheel angle error (default: 0.2)
    duty_ki: Union[float, str]
    # speed and body control by voltage: proportional gain, voltage per wheel rate error (V s; default: 0.5)
    voltage_kp: Union[float, str]
    # speed and body control by voltage: integral gain, voltage per wheel angle error (V; default: 2)
    voltage_ki: Union[float, str]
    # speed and body control by voltage: largest voltage of the controller; required by voltage (V)
    voltage_limit: Union[float, str]
    # what turns the wheel; default none: see "Drives"
    type: WheelOmniWheelDriveType
    # drive of type table: rows [time, torque]
    table: Sequence[Sequence[Union[float, str]]]
    # what the drive gives: torque (default); voltage: at the terminals of the wheel's brushed motor, from a source of its own; duty:
    # a share of the supply's voltage
    by: Literal["torque", "voltage", "duty"]
    # brushed motor whose drive asks for 0, also of type none: brake (default) closes its circuit, coast opens it
    at_rest: Literal["brake", "coast"]
    # drive of a type that replays: the file, its columns, and what is between its rows: see "Measured inputs"
    replay: WheelOmniVehicleDriveReplay


class WheelOmniWheelError(TypedDict, total=False):
    # added to the wheel radius, unknown to controller and odometry (m; default: 0)
    radius: Union[float, str]
    # added to the axis angle, unknown to controller and odometry (rad; default: 0)
    axis_angle: Union[float, str]


class WheelOmniWheel(TypedDict, total=False):
    # explicit layout and omni_wheel: direction of the wheel axis, k = (sin delta, 0, cos delta) (rad; default: 0)
    axis_angle: Union[float, str]
    # wheel radius R (m; default: 0.1)
    radius: Union[float, str]
    # number of rollers n (default: 6)
    rollers: Union[float, str]
    # roller inclination psi: angle of the roller axis to the wheel plane (45 deg is a mecanum wheel), within 89 deg (rad; default: 0)
    inclination: Union[float, str]
    # radius of the rollers' end faces; 0 gives pointed tips, R1 = R cos(pi/n) (m; default: 0)
    tip_radius: Union[float, str]
    # distance R1 of wheel centre and roller centre, instead of tip_radius (m)
    center_distance: Union[float, str]
    # distance w of two rows of rollers along the axis; 0 is one row (m; default: 0)
    row_distance: Union[float, str]
    # friction coefficient mu between roller and floor (default: 0.3)
    friction: Union[float, str]
    # slip speed v_s where friction saturates (m s-1; default: 0.05)
    slip_speed: Union[float, str]
    contact: WheelOmniWheelContact
    disc: WheelOmniVehicleDisc
    roller: WheelOmniWheelRoller
    # viscous friction beta_a of the wheel axle (N m s; default: 0)
    axle_bearing: Union[float, str]
    axle_dry: WheelOmniVehicleAxleDry
    dry_load: WheelOmniVehicleDryLoad
    initial: WheelOmniVehicleInitial
    drive: WheelOmniWheelDrive
    motor: WheelOmniVehicleMotor
    error: WheelOmniWheelError


class ParametersOmniWheel(TypedDict, total=False):
    # gravitational acceleration g (m s-2; default: 9.81)
    gravity: Union[float, str]
    initial: ParametersOmniWheelInitial
    contact: ParametersOmniWheelContact
    external: ParametersOmniVehicleExternal
    supply: ParametersOmniVehicleSupply
    ground: ParametersOmniVehicleGround
    # parameters of all wheels: see "Wheel parameters"
    wheel: WheelOmniWheel
    # one object per wheel with what differs from "wheel"; {} where nothing does
    wheels: Sequence[WheelOmniWheel]
    # what to do with rollers that run into each other; refuse is the default
    overlap: Literal["refuse", "allow"]
    # sampling time of the controllers, a whole multiple of the step; default 1 ms where steps fit into it, else the step
    controller_period: Union[float, str]


ObservableOmniWheel = Literal[
    "final_x", "final_z", "final_y", "final_yaw", "final_vx", "final_vz", "final_vy", "final_yaw_rate", "path_length", "deviation",
    "max_deviation", "max_cross_track", "yaw_deviation", "odometry_error", "odometry_yaw_error", "vibration_rms", "vibration_peak",
    "vibration_exchange", "max_slip", "dissipated_energy", "drive_work", "external_work", "energy_error", "impact_loss",
    "max_force_ratio", "min_weight", "min_load", "max_load", "max_servo_torque", "exchanges", "edge_holds", "motor_work",
    "regenerated_work", "energy_per_metre", "peak_power", "torque_rms", "torque_peak", "energy_lost", "contact_loss", "bearing_loss",
    "roller_loss", "rolling_loss", "max_yaw_rate", "wheel0_torque_rms", "wheel0_torque_peak", "supply_energy", "supply_heat",
    "motor_heat", "gear_loss", "control_loss", "magnetic_energy", "supply_current_peak", "supply_voltage_min", "current_peak",
    "wheel0_current_peak",
]


class OmniWheelStudyOutput(TypedDict, total=False):
    # the observables to keep: see "Observables" (default: those that are on)
    observables: Sequence[ObservableOmniWheel]
    # the instances to trace, and how often: see "Trajectories"
    trajectories: OmniVehicleStudyOutputTrajectories


class OmniWheelStudyNeeded(TypedDict):
    # what is simulated: see "Models"
    model: Literal["omni_wheel"]
    # step and duration: see "Integrator"
    integrator: OmniVehicleStudyIntegrator


class OmniWheelStudy(OmniWheelStudyNeeded, total=False):
    # stands above summary and plots
    title: str
    # kept with the study, otherwise not used
    description: Union[str, Sequence[str]]
    # axes and signs of everything in the study and its results: see "Frames" (default: y_up)
    frame: Literal["y_up", "ros"]
    # what differs from the defaults: see "Parameters"
    parameters: ParametersOmniWheel
    # the varied parameters and their values: see "Varying parameters"
    vary: Sequence[EntryOmniVehicle]
    # how the values combine into instances: see "Designs" (default: grid)
    design: OmniVehicleStudyDesign
    # measured runs that the study is held against, and fitted to: see "Data"
    data: OmniVehicleStudyData
    # how `omniroll calibrate` fits: see "Data"
    calibrate: OmniVehicleStudyCalibrate
    # limits of the manoeuvres among which `omniroll excite` looks for the one to drive: see "Data"
    excite: OmniVehicleStudyExcite
    # observables and trajectories to keep: see "Output" (default: observables that are on)
    output: OmniWheelStudyOutput
    # quantiles, histograms, criteria: see "Statistics"
    statistics: OmniVehicleStudyStatistics
    # backend, device, precision: see "Engine"
    engine: OmniVehicleStudyEngine
    # written by `omniroll run --nominal` and `--instance`: the study that this one was made of: see "One vehicle"
    made_of: OmniVehicleStudyMadeOf


class ParametersDiscVehicleInitial(TypedDict, total=False):
    # initial position of the body origin, world x (m; default: 0)
    x: Union[float, str]
    # initial position of the body origin, world z (m; default: 0)
    z: Union[float, str]
    # initial position of the body origin, world y (m; default: 0)
    y: Union[float, str]
    # initial yaw angle theta (rad; default: 0)
    yaw: Union[float, str]
    # initial velocity of the body origin, forward (body axes) (m s-1; default: 0)
    vx: Union[float, str]
    # initial velocity of the body origin, to the right (body axes) (m s-1; default: 0)
    vz: Union[float, str]
    # initial velocity of the body origin, to the left (body axes) (m s-1; default: 0)
    vy: Union[float, str]
    # initial yaw rate omega (rad s-1; default: 0)
    yaw_rate: Union[float, str]
    # penalty and compliant contact: initial height over the place where the unloaded wheels touch the floor; default: at rest on its
    # wheels (m)
    height: Union[float, str]
    # penalty and compliant contact: initial upward velocity (m s-1; default: 0)
    heave_rate: Union[float, str]
    # compliant contact: initial pitch, positive with the nose up; the wheels' rest adds to it where no initial.height is given (rad;
    # default: 0)
    pitch: Union[float, str]
    # compliant contact: initial roll about the axis forward, positive with the right side down; likewise (rad; default: 0)
    roll: Union[float, str]
    # compliant contact: initial angular velocity about the body's axis to the right (rad s-1; default: 0)
    pitch_rate: Union[float, str]
    # compliant contact: initial angular velocity about the body's axis forward (rad s-1; default: 0)
    roll_rate: Union[float, str]


class ParametersDiscVehicleContact(TypedDict, total=False):
    # contact tracking: "explicit" (0) by formulas of the contact angle, "implicit" (1) by vectors; they agree but for rounding. The
    # reference also has "general" (2) and "general_differential" (3) (default: explicit)
    tracking: Literal["explicit", "implicit", "general", "general_differential", 0, 1, 2, 3]
    # how floor and wheel act on each other; default regularized_coulomb
    law: Literal["saturated_coulomb", "regularized_coulomb", "brush", "magic_formula"]
    # rigid (default): loads by the exact load transfer of omni_vehicle; penalty: a spring and a damper below each wheel, the platform
    # moves up and down but does not tilt; compliant: the same with a platform that heaves, pitches and rolls, and wheels that lift
    # and land
    normal: Literal["rigid", "penalty", "compliant"]
    # compliant contact: linear (default): force k d by the penetration d, k from contact.stiffness; hertz: k d^1.5, k from
    # contact.hertz_stiffness
    spring: Literal["linear", "hertz"]
    # compliant contact: hunt_crossley (default): the spring's force times 1 + c d'; kelvin_voigt: the spring's force + D d', never
    # below 0
    damper: Literal["hunt_crossley", "kelvin_voigt"]
    # regularized_coulomb: whole (default): friction saturates by the whole slip, as in source 4; components: each direction of
    # friction by the slip along it, so that a painted roller that rolls keeps its grip along its axis
    saturation: Literal["whole", "components"]
    # regularized_coulomb: friction below slip_speed; quadratic is the default
    zone: Literal["quadratic", "linear"]
    # udwadia_kalaba: where the relaxation weights come from
    weights: Literal["demand", "tanh", "fixed"]
    # udwadia_kalaba: with the cross terms of G^-1 W between the wheels (default), or each contact by itself
    relaxation: Literal["coupled", "contact_wise"]
    # udwadia_kalaba: a contact force that would do work on the slip loses its part along it; default false, as published
    passive: bool
    # ideal_rolling and massless rollers: tangential impact at the start and at roller exchanges; default true
    impact: bool


class WheelDiscVehicleContact(TypedDict, total=False):
    # regularized_coulomb: friction coefficient mu_x along the wheel axis k turned by friction_angle; default: friction, 0 for
    # disc_vehicle
    lateral_friction: Union[float, str]
    # regularized_coulomb: friction coefficient mu_y across that direction; default: friction
    longitudinal_friction: Union[float, str]
    # regularized_coulomb: growth d_x of lateral_friction per slip speed (s m-1; default: 0)
    lateral_viscous: Union[float, str]
    # regularized_coulomb: growth d_y of longitudinal_friction per slip speed (s m-1; default: 0)
    longitudinal_viscous: Union[float, str]
    # regularized_coulomb: angle alpha_t that turns the direction of mu_x to cos alpha_t k + sin alpha_t i; for disc_vehicle less the
    # inclination (rad; default: 0)
    friction_angle: Union[float, str]
    # regularized_coulomb, brush, magic_formula: rolling friction mu_r, force per normal load and velocity of the wheel centre,
    # against it (s m-1; default: 0)
    rolling_friction: Union[float, str]
    # constraint laws: rate gamma at which slip left over decays (s-1; default: 50)
    baumgarte: Union[float, str]
    # udwadia_kalaba: gain k_s of the demand in the weights (default: 1)
    stiction_gain: Union[float, str]
    # udwadia_kalaba: gain k_F of the demand in the friction (default: 1)
    friction_gain: Union[float, str]
    # udwadia_kalaba: slip speed v_ref at which friction is near its limit (m s-1; default: 0.01)
    reference_speed: Union[float, str]
    # udwadia_kalaba with fixed weights: relaxation weight w, 1 rolls, 0 slides (default: 1)
    weight: Union[float, str]
    # udwadia_kalaba: coupling kappa of the weights along the wheel and along k: both are w, the off-diagonal one is kappa w (1 - w)
    # (default: 0)
    weight_coupling: Union[float, str]
    # penalty contact, and compliant contact with a linear spring: stiffness k between wheel and floor; default: 4e4 N/m of a
    # disc_vehicle, 4e5 N/m of a roller (N m-1)
    stiffness: Union[float, str]
    # penalty contact, and compliant contact with the damper kelvin_voigt: damping between wheel and floor; default: 400 N s/m of a
    # disc_vehicle, by damping_ratio of a roller (N s m-1)
    damping: Union[float, str]
    # compliant contact with the spring hertz: stiffness k of the force k d^1.5 (N m-1.5; default: 3e+07)
    hertz_stiffness: Union[float, str]
    # compliant contact: damping ratio zeta of the weight over the number of wheels on one roller, where that rests (default: 0.1)
    damping_ratio: Union[float, str]
    # compliant contact with the damper hunt_crossley: factor c of the force k d^p (1 + c d'), instead of damping_ratio (s m-1)
    dissipation: Union[float, str]


class WheelDiscVehicleTyre(TypedDict, total=False):
    # brush, magic_formula: slope of the force along the wheel's way over N by the slip, at slip 0 (default: 15)
    longitudinal_stiffness: Union[float, str]
    # brush, magic_formula: the same along the wheel's axis (default: 15)
    lateral_stiffness: Union[float, str]
    # magic_formula: shape factor C; the force goes to mu N sin(C pi/2) at large slip (default: 1.5)
    shape: Union[float, str]
    # magic_formula: curvature factor E (default: 0)
    curvature: Union[float, str]
    # brush, magic_formula: speed v_0 below which slip is no ratio: slip velocity over sqrt(V_r^2 + v_0^2), V_r the radius times the
    # wheel's rate (m s-1; default: 0.1)
    low_speed: Union[float, str]


class WheelDiscVehicleRoller(TypedDict, total=False):
    # one roller: mass m_r, instead of its density (kg)
    mass: Union[float, str]
    # one roller: inertia I_a about its axis (with roller.mass) (kg m2)
    axial_inertia: Union[float, str]
    # one roller: inertia I_t about a diameter (with roller.mass) (kg m2)
    diametral_inertia: Union[float, str]
    # density of the rollers; mass and inertias are integrated from the profile (kg m-3; default: 1200)
    density: Union[float, str]
    # radius of a bore along the roller axis (with density) (m; default: 0)
    bore: Union[float, str]


class WheelDiscVehicle(TypedDict, total=False):
    # explicit layout: wheel centre, forward (a) (m; default: 0)
    x: Union[float, str]
    # explicit layout: wheel centre, to the right (b) (m; default: 0)
    z: Union[float, str]
    # explicit layout: wheel centre, to the left (m; default: 0)
    y: Union[float, str]
    # explicit layout and omni_wheel: direction of the wheel axis, k = (sin delta, 0, cos delta) (rad; default: 0)
    axis_angle: Union[float, str]
    # wheel radius R (m; default: 0.1)
    radius: Union[float, str]
    # number of rollers n (default: 6)
    rollers: Union[float, str]
    # roller inclination psi: angle of the roller axis to the wheel plane (45 deg is a mecanum wheel), within 89 deg (rad; default: 0)
    inclination: Union[float, str]
    # radius of the rollers' end faces; 0 gives pointed tips, R1 = R cos(pi/n) (m; default: 0)
    tip_radius: Union[float, str]
    # distance R1 of wheel centre and roller centre, instead of tip_radius (m)
    center_distance: Union[float, str]
    # distance w of two rows of rollers along the axis; 0 is one row (m; default: 0)
    row_distance: Union[float, str]
    # friction coefficient mu between roller and floor (default: 0.3)
    friction: Union[float, str]
    # slip speed v_s where friction saturates (m s-1; default: 0.05)
    slip_speed: Union[float, str]
    contact: WheelDiscVehicleContact
    suspension: WheelOmniVehicleSuspension
    tyre: WheelDiscVehicleTyre
    disc: WheelOmniVehicleDisc
    roller: WheelDiscVehicleRoller
    # viscous friction beta_a of the wheel axle (N m s; default: 0)
    axle_bearing: Union[float, str]
    initial: WheelOmniVehicleInitial
    drive: WheelOmniVehicleDrive
    motor: WheelOmniVehicleMotor
    error: WheelOmniVehicleError


class ParametersDiscVehicle(TypedDict, total=False):
    # gravitational acceleration g (m s-2; default: 9.81)
    gravity: Union[float, str]
    platform: ParametersOmniVehiclePlatform
    layout: ParametersOmniVehicleLayout
    initial: ParametersDiscVehicleInitial
    command: ParametersOmniVehicleCommand
    contact: ParametersDiscVehicleContact
    external: ParametersOmniVehicleExternal
    supply: ParametersOmniVehicleSupply
    ground: ParametersOmniVehicleGround
    floor: ParametersOmniVehicleFloor
    # parameters of all wheels: see "Wheel parameters"
    wheel: WheelDiscVehicle
    # one object per wheel with what differs from "wheel"; {} where nothing does
    wheels: Sequence[WheelDiscVehicle]
    # what to do with rollers that run into each other; refuse is the default
    overlap: Literal["refuse", "allow"]
    # sampling time of the controllers, a whole multiple of the step; default 1 ms where steps fit into it, else the step
    controller_period: Union[float, str]


class DiscVehicleStudyIntegrator(TypedDict, total=False):
    # method of integration; with a tolerance an embedded pair, by default that of the law: see "Methods" (default: rk4, or a pair)
    method: OmniVehicleStudyIntegratorMethod
    # step h, the same for all, unless `tolerance` stands in its place: see "Choosing the step" (s)
    step: Union[float, str]
    # in place of `step`: every instance takes the steps that this accuracy asks for, from 1e-10 on, in single precision from 1e-5 on,
    # of `multibody` from 1e-14 on: see "Error-controlled steps"
    tolerance: Union[float, str]
    # time simulated, a whole number of fixed steps; with `data` it may be left out: that of the measured run (s)
    duration: Union[float, str]
    # what to do where the step is too long for the method: see "Choosing the step" (default: warn)
    stability: Literal["warn", "refuse", "ignore"]
    # most passes that an instance may take, as a multiple of the number of fixed steps; with a tolerance their number, by default a
    # million and as many in each second: see "Instances that fail"
    budget: float
    # `measure`: some instances are run again with shorter steps, which tells the error of the study's step: see "The step error";
    # `off`: they are not (default: measure)
    step_error: Literal["measure", "off"]
    # error by the step that is accepted of observables and criteria, a larger one is warned of: {"vibration_rms": "2 %",
    # "fail.slides": "1 %"}; by default 2 % of the thresholds in criteria: see "The step error" (default: from criteria)
    accept: Dict[str, Union[float, str]]
    # what becomes of an instance that fails: see "Instances that fail" (default: record)
    on_failure: Literal["record", "retry_half_step", "abort"]
    # with `retry_half_step`: how often an instance is run again, each time with half the step, or a tenth of the tolerance (default:
    # 1)
    retries: int


class DiscVehicleStudyNeeded(TypedDict):
    # what is simulated: see "Models"
    model: Literal["disc_vehicle"]
    # step and duration: see "Integrator"
    integrator: DiscVehicleStudyIntegrator


class DiscVehicleStudy(DiscVehicleStudyNeeded, total=False):
    # stands above summary and plots
    title: str
    # kept with the study, otherwise not used
    description: Union[str, Sequence[str]]
    # axes and signs of everything in the study and its results: see "Frames" (default: y_up)
    frame: Literal["y_up", "ros"]
    # what differs from the defaults: see "Parameters"
    parameters: ParametersDiscVehicle
    # the varied parameters and their values: see "Varying parameters"
    vary: Sequence[EntryOmniVehicle]
    # how the values combine into instances: see "Designs" (default: grid)
    design: OmniVehicleStudyDesign
    # measured runs that the study is held against, and fitted to: see "Data"
    data: OmniVehicleStudyData
    # how `omniroll calibrate` fits: see "Data"
    calibrate: OmniVehicleStudyCalibrate
    # limits of the manoeuvres among which `omniroll excite` looks for the one to drive: see "Data"
    excite: OmniVehicleStudyExcite
    # observables and trajectories to keep: see "Output" (default: observables that are on)
    output: OmniVehicleStudyOutput
    # quantiles, histograms, criteria: see "Statistics"
    statistics: OmniVehicleStudyStatistics
    # backend, device, precision: see "Engine"
    engine: OmniVehicleStudyEngine
    # written by `omniroll run --nominal` and `--instance`: the study that this one was made of: see "One vehicle"
    made_of: OmniVehicleStudyMadeOf


class ParametersUkWheelInitial(TypedDict, total=False):
    # initial velocity of the wheel centre, or of the block (m s-1; default: 0)
    speed: Union[float, str]
    # initial wheel rate; forward is positive (rad s-1; default: 0)
    rate: Union[float, str]


class ParametersUkWheelDrive(TypedDict, total=False):
    # drive torque T_max (type tanh) or T_m (N m; default: 20)
    torque: Union[float, str]
    # drive of type tanh: torque * tanh(rate t) (s-1; default: 0.5)
    rate: Union[float, str]
    type: Literal["tanh", "constant"]


class ParametersUkWheelBrake(TypedDict, total=False):
    # brake torque T_bm: T_b = -T_bm (1 + tanh(t - time)) tanh(gain theta'), 2 T_bm in the end (N m; default: 0)
    torque: Union[float, str]
    # time t_b at which the brake sets in (s; default: 15)
    time: Union[float, str]
    # gain k_v of the brake's sign (s; default: 100)
    gain: Union[float, str]


class ParametersUkWheelResistance(TypedDict, total=False):
    # rolling resistance: F_w = -resistance x' abs(x') (kg m-1; default: 1.7)
    rolling: Union[float, str]
    # viscous bearing friction (N m s; default: 0.34)
    bearing: Union[float, str]


class ParametersUkWheelGround(TypedDict, total=False):
    # friction coefficient mu_u of the good ground (default: 0.9)
    upper: Union[float, str]
    # friction coefficient mu_l of the slippery ground (default: 0.3)
    lower: Union[float, str]
    # time t_s of the slippery ground (s; default: 10)
    time: Union[float, str]
    # ground of type dip: width s_d (s; default: 2)
    width: Union[float, str]
    # ground of type step: rate k_m (s-1; default: 10)
    rate: Union[float, str]
    type: Literal["constant", "dip", "step"]


class ParametersUkWheel(TypedDict, total=False):
    # gravitational acceleration g (m s-2; default: 9.81)
    gravity: Union[float, str]
    # mass m (kg; default: 25)
    mass: Union[float, str]
    # radius R (m; default: 0.3)
    radius: Union[float, str]
    # inertia I about the axle; source 5 prints none, the default is the solid disc m R^2/2 (kg m2; default: 1.125)
    inertia: Union[float, str]
    initial: ParametersUkWheelInitial
    drive: ParametersUkWheelDrive
    brake: ParametersUkWheelBrake
    resistance: ParametersUkWheelResistance
    # gain k_s of the stiction parameter s (default: 1)
    stiction_gain: Union[float, str]
    # gain k_F of the friction force F_c (default: 1)
    friction_gain: Union[float, str]
    ground: ParametersUkWheelGround
    demand: Literal["drive", "applied", "sum"]
    friction: Literal["published", "physical"]


PathUkWheel = Literal[
    "gravity", "mass", "radius", "inertia", "initial.speed", "initial.rate", "drive.torque", "drive.rate", "brake.torque", "brake.time",
    "brake.gain", "resistance.rolling", "resistance.bearing", "stiction_gain", "friction_gain", "ground.upper", "ground.lower",
    "ground.time", "ground.width", "ground.rate",
]


class EntryUkWheelNeeded(TypedDict):
    # the parameter: "platform.mass", "wheel.friction" (all wheels alike), "wheels[0].friction" (one wheel) (default: required)
    path: PathUkWheel


class EntryUkWheel(EntryUkWheelNeeded, total=False):
    # a path that starts with `wheel.` takes a value of its own for every wheel; not in a grid (default: false)
    each: bool
    # [...]: the listed values; a random design draws one of them, all alike
    values: Sequence[Any]
    # [first, last, count]: count values evenly spaced, both ends included; not for random designs
    linspace: Sequence[Any]
    # [low, high]: every value between alike
    uniform: Sequence[Any]
    # [low, high]: every logarithm between alike; low above 0
    log_uniform: Sequence[Any]
    # [mean, standard deviation]: not truncated
    normal: Sequence[Any]
    # [median, spread of the logarithm]: the logarithm is normal with this spread, a pure number; median above 0
    log_normal: Sequence[Any]
    # [mean, standard deviation, low, high]: normal between low and high, none beyond; the first two belong to the normal before
    # truncation
    truncated_normal: Sequence[Any]
    # [low, mode, high]: density rises to the mode and falls, in straight lines
    triangular: Sequence[Any]
    # [alpha, beta, low, high]: beta distribution stretched from low to high; alpha and beta from 0.05 to 10000
    beta: Sequence[Any]
    # [scale, shape]: probability 1 - exp(-(x/scale)^shape) below x; shape from 0.05 to 10000
    weibull: Sequence[Any]
    # [low, high]: every whole number from low to high alike
    integer: Sequence[Any]
    # [[value, weight], ...]: the listed values, with probabilities proportional to their weights
    discrete: Sequence[Any]


class UkWheelStudyDesignNeeded(TypedDict):
    # how values combine: the table above
    type: OmniVehicleStudyDesignType


class UkWheelStudyDesign(UkWheelStudyDesignNeeded, total=False):
    # random designs and `posterior`: number of instances; all but `monte_carlo` at most 2^32. `subset_simulation`: of a level, a
    # multiple of 1/`level_probability` and at least ten times that
    instances: int
    # random designs and `posterior`: chooses the random numbers; as text above 2^53 (default: 0)
    seed: Union[int, str]
    # `sobol`, `halton`, `saltelli`: nested uniform scrambling, or the sequence itself (default: owen)
    scramble: Literal["none", "owen"]
    # `latin_hypercube`: parts combined at random, or so that the points keep away from each other (up to 1024 points) (default:
    # plain)
    criterion: Literal["plain", "maximin"]
    # random designs: {"paths": [a, b], "rank": r}, Spearman's rank correlation of two drawn parameters
    correlation: Sequence[OmniVehicleStudyDesignCorrelationItem]
    # `nested`: what is drawn in each cell, `monte_carlo`, `latin_hypercube`, `sobol` or `halton`
    sample: Literal["monte_carlo", "latin_hypercube", "sobol", "halton"]
    # `nested`: instances in each cell
    per_cell: int
    # `nested`: every cell has the same sample, or one of its own (default: true)
    common_random_numbers: bool
    # `list`: the parameters
    paths: Sequence[PathUkWheel]
    # `list`: for each instance a row with a value for each of the paths
    rows: Sequence[Sequence[Union[float, str]]]
    # `table`, `posterior`: CSV or HDF5 file, its place counted from the study's folder
    file: str
    # `table`, `posterior`: what the file's hash has to be; the study kept with a result has it (default: not checked)
    hash: str
    # `saltelli`: number of groups N; N (d + 2) instances
    groups: int
    # `morris`: number of trajectories r; r (d + 1) instances
    trajectories: int
    # `morris`: number p of levels of each parameter, even; `subset_simulation`: most levels, from 1 on (default: 4; 10)
    levels: int
    # `subset_simulation`: part of a level that goes on to the next (default: 0.1)
    level_probability: Union[float, str]
    # `subset_simulation`: the criterion whose probability is wanted: see "Criteria" (default: the only one)
    fail: str


class UkWheelStudyIntegrator(TypedDict, total=False):
    # method of integration; with a tolerance an embedded pair, by default that of the law: see "Methods" (default: rk4, or a pair)
    method: Literal["rk4", "midpoint", "heun", "dormand_prince"]
    # step h, the same for all, unless `tolerance` stands in its place: see "Choosing the step" (s)
    step: Union[float, str]
    # in place of `step`: every instance takes the steps that this accuracy asks for, from 1e-10 on, in single precision from 1e-5 on,
    # of `multibody` from 1e-14 on: see "Error-controlled steps"
    tolerance: Union[float, str]
    # time simulated, a whole number of fixed steps; with `data` it may be left out: that of the measured run (s)
    duration: Union[float, str]
    # what to do where the step is too long for the method: see "Choosing the step" (default: warn)
    stability: Literal["warn", "refuse", "ignore"]
    # most passes that an instance may take, as a multiple of the number of fixed steps; with a tolerance their number, by default a
    # million and as many in each second: see "Instances that fail"
    budget: float
    # `measure`: some instances are run again with shorter steps, which tells the error of the study's step: see "The step error";
    # `off`: they are not (default: measure)
    step_error: Literal["measure", "off"]
    # error by the step that is accepted of observables and criteria, a larger one is warned of: {"vibration_rms": "2 %",
    # "fail.slides": "1 %"}; by default 2 % of the thresholds in criteria: see "The step error" (default: from criteria)
    accept: Dict[str, Union[float, str]]
    # what becomes of an instance that fails: see "Instances that fail" (default: record)
    on_failure: Literal["record", "retry_half_step", "abort"]
    # with `retry_half_step`: how often an instance is run again, each time with half the step, or a tenth of the tolerance (default:
    # 1)
    retries: int


ObservableUkWheel = Literal[
    "final_x", "final_vx", "max_slip", "dissipated_energy", "drive_work", "energy_error", "min_weight", "final_rate", "max_speed",
    "max_traction_ratio", "stop_time", "braking_distance", "energy_lost",
]


class UkWheelStudyOutput(TypedDict, total=False):
    # the observables to keep: see "Observables" (default: those that are on)
    observables: Sequence[ObservableUkWheel]
    # the instances to trace, and how often: see "Trajectories"
    trajectories: OmniVehicleStudyOutputTrajectories


class UkWheelStudyNeeded(TypedDict):
    # what is simulated: see "Models"
    model: Literal["uk_wheel"]
    # step and duration: see "Integrator"
    integrator: UkWheelStudyIntegrator


class UkWheelStudy(UkWheelStudyNeeded, total=False):
    # stands above summary and plots
    title: str
    # kept with the study, otherwise not used
    description: Union[str, Sequence[str]]
    # axes and signs of everything in the study and its results: see "Frames" (default: y_up)
    frame: Literal["y_up", "ros"]
    # what differs from the defaults: see "Parameters"
    parameters: ParametersUkWheel
    # the varied parameters and their values: see "Varying parameters"
    vary: Sequence[EntryUkWheel]
    # how the values combine into instances: see "Designs" (default: grid)
    design: UkWheelStudyDesign
    # how `omniroll calibrate` fits: see "Data"
    calibrate: OmniVehicleStudyCalibrate
    # limits of the manoeuvres among which `omniroll excite` looks for the one to drive: see "Data"
    excite: OmniVehicleStudyExcite
    # observables and trajectories to keep: see "Output" (default: observables that are on)
    output: UkWheelStudyOutput
    # quantiles, histograms, criteria: see "Statistics"
    statistics: OmniVehicleStudyStatistics
    # backend, device, precision: see "Engine"
    engine: OmniVehicleStudyEngine
    # written by `omniroll run --nominal` and `--instance`: the study that this one was made of: see "One vehicle"
    made_of: OmniVehicleStudyMadeOf


class ParametersRollingDiscInitialVelocity(TypedDict, total=False):
    # initial velocity of the centre, x; default: that of rolling without slip (m s-1)
    x: Union[float, str]
    # initial velocity of the centre along the normal; default: that of rolling without slip (m s-1)
    y: Union[float, str]
    # initial velocity of the centre, z; default: that of rolling without slip (m s-1)
    z: Union[float, str]


class ParametersRollingDiscInitial(TypedDict, total=False):
    # initial position of the body origin, world x (m; default: 0)
    x: Union[float, str]
    # initial position of the body origin, world z (m; default: 0)
    z: Union[float, str]
    # initial position of the body origin, world y (m; default: 0)
    y: Union[float, str]
    # initial height of the centre over the plane; default: the contact spring bears the weight (m)
    height: Union[float, str]
    # initial angle of the disc to the plane; 90 deg is upright, less leans to the right of the heading (rad; default: 1.5708)
    tilt: Union[float, str]
    # initial direction of w2, into which a positive spin rolls; from x, positive about the normal (rad; default: 0)
    heading: Union[float, str]
    # initial angular velocity about the disc's own axis, all of it (rad s-1; default: 0)
    spin: Union[float, str]
    # initial rate of the heading (rad s-1; default: 0)
    precession: Union[float, str]
    # initial rate of the tilt (rad s-1; default: 0)
    tilt_rate: Union[float, str]
    velocity: ParametersRollingDiscInitialVelocity


class ParametersRollingDiscPlane(TypedDict, total=False):
    # angle of the plane to the horizontal (rad; default: 0)
    slope: Union[float, str]
    # direction in the plane that goes down, from x, positive about the normal: (cos, 0, -sin) (rad; default: 0)
    direction: Union[float, str]


class ParametersRollingDiscGroundX(TypedDict, total=False):
    # given motion: steady rate of the displacement along x (m s-1; default: 0)
    velocity: Union[float, str]
    # given motion: amplitude of the displacement along x (m; default: 0)
    amplitude: Union[float, str]
    # given motion: its frequency (Hz; default: 1)
    frequency: Union[float, str]
    # given motion: its phase (rad; default: 0)
    phase: Union[float, str]


class ParametersRollingDiscGroundY(TypedDict, total=False):
    # given motion: steady rate of the displacement along the normal at rest (m s-1; default: 0)
    velocity: Union[float, str]
    # given motion: amplitude of the displacement along the normal at rest (m; default: 0)
    amplitude: Union[float, str]
    # given motion: its frequency (Hz; default: 1)
    frequency: Union[float, str]
    # given motion: its phase (rad; default: 0)
    phase: Union[float, str]


class ParametersRollingDiscGroundZ(TypedDict, total=False):
    # given motion: steady rate of the displacement along z (m s-1; default: 0)
    velocity: Union[float, str]
    # given motion: amplitude of the displacement along z (m; default: 0)
    amplitude: Union[float, str]
    # given motion: its frequency (Hz; default: 1)
    frequency: Union[float, str]
    # given motion: its phase (rad; default: 0)
    phase: Union[float, str]


class ParametersRollingDiscGroundTiltX(TypedDict, total=False):
    # given motion: steady rate of the turn about x, the outermost (rad s-1; default: 0)
    rate: Union[float, str]
    # given motion: amplitude of the turn about x, the outermost (rad; default: 0)
    amplitude: Union[float, str]
    # given motion: its frequency (Hz; default: 1)
    frequency: Union[float, str]
    # given motion: its phase (rad; default: 0)
    phase: Union[float, str]


class ParametersRollingDiscGroundTiltZ(TypedDict, total=False):
    # given motion: steady rate of the turn about z, within that about x (rad s-1; default: 0)
    rate: Union[float, str]
    # given motion: amplitude of the turn about z, within that about x (rad; default: 0)
    amplitude: Union[float, str]
    # given motion: its frequency (Hz; default: 1)
    frequency: Union[float, str]
    # given motion: its phase (rad; default: 0)
    phase: Union[float, str]


class ParametersRollingDiscGroundTiltY(TypedDict, total=False):
    # given motion: steady rate of the turn about y, within that about x (rad s-1; default: 0)
    rate: Union[float, str]
    # given motion: amplitude of the turn about y, within that about x (rad; default: 0)
    amplitude: Union[float, str]
    # given motion: its frequency (Hz; default: 1)
    frequency: Union[float, str]
    # given motion: its phase (rad; default: 0)
    phase: Union[float, str]


class ParametersRollingDiscGroundTurn(TypedDict, total=False):
    # given motion: steady rate of the turn about the plate's own normal (rad s-1; default: 0)
    rate: Union[float, str]
    # given motion: amplitude of the turn about the plate's own normal (rad; default: 0)
    amplitude: Union[float, str]
    # given motion: its frequency (Hz; default: 1)
    frequency: Union[float, str]
    # given motion: its phase (rad; default: 0)
    phase: Union[float, str]
    # given motion: time in which ground.turn.rate is reached from rest, smoothly; 0: there from the start (s; default: 0)
    ramp: Union[float, str]


class ParametersRollingDiscGroundPivot(TypedDict, total=False):
    # given motion: point of the plate about which it turns, x (m; default: 0)
    x: Union[float, str]
    # given motion: point of the plate about which it turns, height over the plate (m; default: 0)
    y: Union[float, str]
    # given motion: point of the plate about which it turns, z (m; default: 0)
    z: Union[float, str]


class ParametersRollingDiscGround(TypedDict, total=False):
    # contact stiffness k_c (N m-1; default: 1e+06)
    stiffness: Union[float, str]
    # contact damping d_c (N s m-1; default: 1000)
    damping: Union[float, str]
    x: ParametersRollingDiscGroundX
    y: ParametersRollingDiscGroundY
    z: ParametersRollingDiscGroundZ
    tilt_x: ParametersRollingDiscGroundTiltX
    tilt_z: ParametersRollingDiscGroundTiltZ
    tilt_y: ParametersRollingDiscGroundTiltY
    turn: ParametersRollingDiscGroundTurn
    pivot: ParametersRollingDiscGroundPivot
    pull: Literal["allowed", "none", "exudyn"]
    motion: Literal["rest", "given"]


class ParametersRollingDiscFriction(TypedDict, total=False):
    # dry friction coefficient mu_x, along w_lat (default: 0.5)
    lateral: Union[float, str]
    # dry friction coefficient mu_y, along w2 (default: 0.5)
    longitudinal: Union[float, str]
    # growth d_x of mu_x per slip speed (s m-1; default: 0)
    lateral_viscous: Union[float, str]
    # growth d_y of mu_y per slip speed (s m-1; default: 0)
    longitudinal_viscous: Union[float, str]
    # angle alpha_t by which the directions of friction are turned (rad; default: 0)
    angle: Union[float, str]
    # end v_mu of the proportional zone (m s-1; default: 0.01)
    slip_speed: Union[float, str]
    # rolling friction mu_r: the force -mu_r N v at the centre, v its velocity along the plane (s m-1; default: 0)
    rolling: Union[float, str]
    zone: Literal["quadratic", "linear"]
    law: Literal["coulomb", "brush", "magic_formula"]


class ParametersRollingDiscTyre(TypedDict, total=False):
    # brush, magic_formula: friction coefficient mu; the force is at most mu N (default: 0.9)
    friction: Union[float, str]
    # brush, magic_formula: slope of the force along w2 over N by the slip, at slip 0 (default: 15)
    longitudinal_stiffness: Union[float, str]
    # brush, magic_formula: the same along w_lat (default: 15)
    lateral_stiffness: Union[float, str]
    # magic_formula: shape factor C; the force goes to mu N sin(C pi/2) at large slip (default: 1.5)
    shape: Union[float, str]
    # magic_formula: curvature factor E (default: 0)
    curvature: Union[float, str]
    # brush, magic_formula: speed v_0 below which slip is no ratio: slip velocity over sqrt(V_r^2 + v_0^2), V_r the rolling speed (m
    # s-1; default: 0.1)
    low_speed: Union[float, str]


class ParametersRollingDisc(TypedDict, total=False):
    # gravitational acceleration g (m s-2; default: 9.81)
    gravity: Union[float, str]
    initial: ParametersRollingDiscInitial
    # mass m (kg; default: 25)
    mass: Union[float, str]
    # radius R (m; default: 0.3)
    radius: Union[float, str]
    # inertia I_a about the disc's axis; default: uniform disc, m R^2/2 (kg m2)
    axial_inertia: Union[float, str]
    # inertia I_d about a diameter, at least I_a/2; default: thin disc, I_a/2 (kg m2)
    diametral_inertia: Union[float, str]
    plane: ParametersRollingDiscPlane
    ground: ParametersRollingDiscGround
    friction: ParametersRollingDiscFriction
    # angle of disc and plane below which the disc counts as fallen (fall_time) (rad; default: 0.174533)
    fall_tilt: Union[float, str]
    tyre: ParametersRollingDiscTyre
    contact: Literal["penalty", "rolling"]


PathRollingDisc = Literal[
    "gravity", "initial.x", "initial.z", "initial.y", "mass", "radius", "axial_inertia", "diametral_inertia", "plane.slope",
    "plane.direction", "ground.stiffness", "ground.damping", "friction.lateral", "friction.longitudinal", "friction.lateral_viscous",
    "friction.longitudinal_viscous", "friction.angle", "friction.slip_speed", "friction.rolling", "fall_tilt", "initial.height",
    "initial.tilt", "initial.heading", "initial.spin", "initial.precession", "initial.tilt_rate", "initial.velocity.x",
    "initial.velocity.y", "initial.velocity.z", "tyre.friction", "tyre.longitudinal_stiffness", "tyre.lateral_stiffness", "tyre.shape",
    "tyre.curvature", "tyre.low_speed", "ground.x.velocity", "ground.x.amplitude", "ground.x.frequency", "ground.x.phase",
    "ground.y.velocity", "ground.y.amplitude", "ground.y.frequency", "ground.y.phase", "ground.z.velocity", "ground.z.amplitude",
    "ground.z.frequency", "ground.z.phase", "ground.tilt_x.rate", "ground.tilt_x.amplitude", "ground.tilt_x.frequency",
    "ground.tilt_x.phase", "ground.tilt_z.rate", "ground.tilt_y.rate", "ground.tilt_z.amplitude", "ground.tilt_y.amplitude",
    "ground.tilt_z.frequency", "ground.tilt_y.frequency", "ground.tilt_z.phase", "ground.tilt_y.phase", "ground.turn.rate",
    "ground.turn.amplitude", "ground.turn.frequency", "ground.turn.phase", "ground.turn.ramp", "ground.pivot.x", "ground.pivot.y",
    "ground.pivot.z",
]


class EntryRollingDiscNeeded(TypedDict):
    # the parameter: "platform.mass", "wheel.friction" (all wheels alike), "wheels[0].friction" (one wheel) (default: required)
    path: PathRollingDisc


class EntryRollingDisc(EntryRollingDiscNeeded, total=False):
    # a path that starts with `wheel.` takes a value of its own for every wheel; not in a grid (default: false)
    each: bool
    # [...]: the listed values; a random design draws one of them, all alike
    values: Sequence[Any]
    # [first, last, count]: count values evenly spaced, both ends included; not for random designs
    linspace: Sequence[Any]
    # [low, high]: every value between alike
    uniform: Sequence[Any]
    # [low, high]: every logarithm between alike; low above 0
    log_uniform: Sequence[Any]
    # [mean, standard deviation]: not truncated
    normal: Sequence[Any]
    # [median, spread of the logarithm]: the logarithm is normal with this spread, a pure number; median above 0
    log_normal: Sequence[Any]
    # [mean, standard deviation, low, high]: normal between low and high, none beyond; the first two belong to the normal before
    # truncation
    truncated_normal: Sequence[Any]
    # [low, mode, high]: density rises to the mode and falls, in straight lines
    triangular: Sequence[Any]
    # [alpha, beta, low, high]: beta distribution stretched from low to high; alpha and beta from 0.05 to 10000
    beta: Sequence[Any]
    # [scale, shape]: probability 1 - exp(-(x/scale)^shape) below x; shape from 0.05 to 10000
    weibull: Sequence[Any]
    # [low, high]: every whole number from low to high alike
    integer: Sequence[Any]
    # [[value, weight], ...]: the listed values, with probabilities proportional to their weights
    discrete: Sequence[Any]


class RollingDiscStudyDesignNeeded(TypedDict):
    # how values combine: the table above
    type: OmniVehicleStudyDesignType


class RollingDiscStudyDesign(RollingDiscStudyDesignNeeded, total=False):
    # random designs and `posterior`: number of instances; all but `monte_carlo` at most 2^32. `subset_simulation`: of a level, a
    # multiple of 1/`level_probability` and at least ten times that
    instances: int
    # random designs and `posterior`: chooses the random numbers; as text above 2^53 (default: 0)
    seed: Union[int, str]
    # `sobol`, `halton`, `saltelli`: nested uniform scrambling, or the sequence itself (default: owen)
    scramble: Literal["none", "owen"]
    # `latin_hypercube`: parts combined at random, or so that the points keep away from each other (up to 1024 points) (default:
    # plain)
    criterion: Literal["plain", "maximin"]
    # random designs: {"paths": [a, b], "rank": r}, Spearman's rank correlation of two drawn parameters
    correlation: Sequence[OmniVehicleStudyDesignCorrelationItem]
    # `nested`: what is drawn in each cell, `monte_carlo`, `latin_hypercube`, `sobol` or `halton`
    sample: Literal["monte_carlo", "latin_hypercube", "sobol", "halton"]
    # `nested`: instances in each cell
    per_cell: int
    # `nested`: every cell has the same sample, or one of its own (default: true)
    common_random_numbers: bool
    # `list`: the parameters
    paths: Sequence[PathRollingDisc]
    # `list`: for each instance a row with a value for each of the paths
    rows: Sequence[Sequence[Union[float, str]]]
    # `table`, `posterior`: CSV or HDF5 file, its place counted from the study's folder
    file: str
    # `table`, `posterior`: what the file's hash has to be; the study kept with a result has it (default: not checked)
    hash: str
    # `saltelli`: number of groups N; N (d + 2) instances
    groups: int
    # `morris`: number of trajectories r; r (d + 1) instances
    trajectories: int
    # `morris`: number p of levels of each parameter, even; `subset_simulation`: most levels, from 1 on (default: 4; 10)
    levels: int
    # `subset_simulation`: part of a level that goes on to the next (default: 0.1)
    level_probability: Union[float, str]
    # `subset_simulation`: the criterion whose probability is wanted: see "Criteria" (default: the only one)
    fail: str


ObservableRollingDisc = Literal[
    "final_x", "final_z", "final_y", "max_slip", "dissipated_energy", "energy_error", "min_load", "max_load", "max_speed",
    "final_height", "final_tilt", "final_spin", "final_speed", "max_gap", "air_time", "lift_offs", "fall_time", "energy_lost",
    "ground_work",
]


class RollingDiscStudyOutput(TypedDict, total=False):
    # the observables to keep: see "Observables" (default: those that are on)
    observables: Sequence[ObservableRollingDisc]
    # the instances to trace, and how often: see "Trajectories"
    trajectories: OmniVehicleStudyOutputTrajectories


class RollingDiscStudyNeeded(TypedDict):
    # what is simulated: see "Models"
    model: Literal["rolling_disc"]
    # step and duration: see "Integrator"
    integrator: UkWheelStudyIntegrator


class RollingDiscStudy(RollingDiscStudyNeeded, total=False):
    # stands above summary and plots
    title: str
    # kept with the study, otherwise not used
    description: Union[str, Sequence[str]]
    # axes and signs of everything in the study and its results: see "Frames" (default: y_up)
    frame: Literal["y_up", "ros"]
    # what differs from the defaults: see "Parameters"
    parameters: ParametersRollingDisc
    # the varied parameters and their values: see "Varying parameters"
    vary: Sequence[EntryRollingDisc]
    # how the values combine into instances: see "Designs" (default: grid)
    design: RollingDiscStudyDesign
    # how `omniroll calibrate` fits: see "Data"
    calibrate: OmniVehicleStudyCalibrate
    # limits of the manoeuvres among which `omniroll excite` looks for the one to drive: see "Data"
    excite: OmniVehicleStudyExcite
    # observables and trajectories to keep: see "Output" (default: observables that are on)
    output: RollingDiscStudyOutput
    # quantiles, histograms, criteria: see "Statistics"
    statistics: OmniVehicleStudyStatistics
    # backend, device, precision: see "Engine"
    engine: OmniVehicleStudyEngine
    # written by `omniroll run --nominal` and `--instance`: the study that this one was made of: see "One vehicle"
    made_of: OmniVehicleStudyMadeOf


class ParametersWheelsetInitial(TypedDict, total=False):
    # initial position of the body origin, world x (m; default: 0)
    x: Union[float, str]
    # initial position of the body origin, world z (m; default: 0)
    z: Union[float, str]
    # initial position of the body origin, world y (m; default: 0)
    y: Union[float, str]
    # initial yaw angle theta (rad; default: 0)
    yaw: Union[float, str]
    # initial velocity of the body origin, forward (body axes) (m s-1; default: 0)
    vx: Union[float, str]
    # initial yaw rate omega (rad s-1; default: 0)
    yaw_rate: Union[float, str]
    # initial angle of the left wheel; its rate follows from rolling (rad; default: 0)
    left_angle: Union[float, str]
    # initial angle of the right wheel (rad; default: 0)
    right_angle: Union[float, str]
    # initial angle of the rod about its axis (rad; default: 0)
    rod_angle: Union[float, str]
    # initial rate of the rod about its axis; forward is positive (rad s-1; default: 0)
    rod_rate: Union[float, str]


class ParametersWheelsetLeftWheel(TypedDict, total=False):
    # left wheel: mass (kg; default: 5)
    mass: Union[float, str]
    # left wheel: inertia about the axle; default: uniform disc, m R^2/2 (kg m2)
    axial_inertia: Union[float, str]
    # left wheel: inertia about a diameter, at least half the axial one; default: thin disc, half the axial one (kg m2)
    diametral_inertia: Union[float, str]


class ParametersWheelsetRightWheel(TypedDict, total=False):
    # right wheel: mass; default: as the left one (kg)
    mass: Union[float, str]
    # right wheel: inertia about the axle; default: as the left one if that has its mass, else uniform disc (kg m2)
    axial_inertia: Union[float, str]
    # right wheel: inertia about a diameter; default: as the left one if that has its axial inertia, else half the axial one (kg m2)
    diametral_inertia: Union[float, str]


class ParametersWheelsetRod(TypedDict, total=False):
    # mass of the rod, whose centre of mass is the middle of the axle (kg; default: 2)
    mass: Union[float, str]
    # inertia of the rod about its axis (kg m2; default: 0.001)
    axial_inertia: Union[float, str]
    # inertia of the rod about an axis across; default: m b^2/3 + half the axial one (kg m2)
    diametral_inertia: Union[float, str]


class ParametersWheelsetDrive(TypedDict, total=False):
    # torque on the left wheel about the axle; positive drives forward (N m; default: 0)
    left: Union[float, str]
    # torque on the right wheel about the axle (N m; default: 0)
    right: Union[float, str]
    # torque on the rod about the normal (N m; default: 0)
    yaw: Union[float, str]
    reaction: Literal["none", "rod"]


class ParametersWheelsetJoint(TypedDict, total=False):
    # joints of type compliant: stiffness c along the axle; the reference alone has it (N m-1; default: 1000)
    stiffness: Union[float, str]
    # joints of type compliant: damping d along the axle; the reference alone has it (N s m-1; default: 5000)
    damping: Union[float, str]


class ParametersWheelset(TypedDict, total=False):
    # gravitational acceleration g (m s-2; default: 9.81)
    gravity: Union[float, str]
    initial: ParametersWheelsetInitial
    # radius R (m; default: 0.3)
    radius: Union[float, str]
    plane: ParametersRollingDiscPlane
    # half distance b of the wheels (m; default: 0.5)
    half_track: Union[float, str]
    left_wheel: ParametersWheelsetLeftWheel
    right_wheel: ParametersWheelsetRightWheel
    rod: ParametersWheelsetRod
    drive: ParametersWheelsetDrive
    joint: ParametersWheelsetJoint
    joints: Literal["rigid", "compliant"]


PathWheelset = Literal[
    "gravity", "initial.x", "initial.z", "initial.y", "initial.yaw", "initial.vx", "initial.yaw_rate", "radius", "plane.slope",
    "plane.direction", "half_track", "left_wheel.mass", "left_wheel.axial_inertia", "left_wheel.diametral_inertia", "right_wheel.mass",
    "right_wheel.axial_inertia", "right_wheel.diametral_inertia", "rod.mass", "rod.axial_inertia", "rod.diametral_inertia",
    "drive.left", "drive.right", "drive.yaw", "initial.left_angle", "initial.right_angle", "initial.rod_angle", "initial.rod_rate",
    "joint.stiffness", "joint.damping",
]


class EntryWheelsetNeeded(TypedDict):
    # the parameter: "platform.mass", "wheel.friction" (all wheels alike), "wheels[0].friction" (one wheel) (default: required)
    path: PathWheelset


class EntryWheelset(EntryWheelsetNeeded, total=False):
    # a path that starts with `wheel.` takes a value of its own for every wheel; not in a grid (default: false)
    each: bool
    # [...]: the listed values; a random design draws one of them, all alike
    values: Sequence[Any]
    # [first, last, count]: count values evenly spaced, both ends included; not for random designs
    linspace: Sequence[Any]
    # [low, high]: every value between alike
    uniform: Sequence[Any]
    # [low, high]: every logarithm between alike; low above 0
    log_uniform: Sequence[Any]
    # [mean, standard deviation]: not truncated
    normal: Sequence[Any]
    # [median, spread of the logarithm]: the logarithm is normal with this spread, a pure number; median above 0
    log_normal: Sequence[Any]
    # [mean, standard deviation, low, high]: normal between low and high, none beyond; the first two belong to the normal before
    # truncation
    truncated_normal: Sequence[Any]
    # [low, mode, high]: density rises to the mode and falls, in straight lines
    triangular: Sequence[Any]
    # [alpha, beta, low, high]: beta distribution stretched from low to high; alpha and beta from 0.05 to 10000
    beta: Sequence[Any]
    # [scale, shape]: probability 1 - exp(-(x/scale)^shape) below x; shape from 0.05 to 10000
    weibull: Sequence[Any]
    # [low, high]: every whole number from low to high alike
    integer: Sequence[Any]
    # [[value, weight], ...]: the listed values, with probabilities proportional to their weights
    discrete: Sequence[Any]


class WheelsetStudyDesignNeeded(TypedDict):
    # how values combine: the table above
    type: OmniVehicleStudyDesignType


class WheelsetStudyDesign(WheelsetStudyDesignNeeded, total=False):
    # random designs and `posterior`: number of instances; all but `monte_carlo` at most 2^32. `subset_simulation`: of a level, a
    # multiple of 1/`level_probability` and at least ten times that
    instances: int
    # random designs and `posterior`: chooses the random numbers; as text above 2^53 (default: 0)
    seed: Union[int, str]
    # `sobol`, `halton`, `saltelli`: nested uniform scrambling, or the sequence itself (default: owen)
    scramble: Literal["none", "owen"]
    # `latin_hypercube`: parts combined at random, or so that the points keep away from each other (up to 1024 points) (default:
    # plain)
    criterion: Literal["plain", "maximin"]
    # random designs: {"paths": [a, b], "rank": r}, Spearman's rank correlation of two drawn parameters
    correlation: Sequence[OmniVehicleStudyDesignCorrelationItem]
    # `nested`: what is drawn in each cell, `monte_carlo`, `latin_hypercube`, `sobol` or `halton`
    sample: Literal["monte_carlo", "latin_hypercube", "sobol", "halton"]
    # `nested`: instances in each cell
    per_cell: int
    # `nested`: every cell has the same sample, or one of its own (default: true)
    common_random_numbers: bool
    # `list`: the parameters
    paths: Sequence[PathWheelset]
    # `list`: for each instance a row with a value for each of the paths
    rows: Sequence[Sequence[Union[float, str]]]
    # `table`, `posterior`: CSV or HDF5 file, its place counted from the study's folder
    file: str
    # `table`, `posterior`: what the file's hash has to be; the study kept with a result has it (default: not checked)
    hash: str
    # `saltelli`: number of groups N; N (d + 2) instances
    groups: int
    # `morris`: number of trajectories r; r (d + 1) instances
    trajectories: int
    # `morris`: number p of levels of each parameter, even; `subset_simulation`: most levels, from 1 on (default: 4; 10)
    levels: int
    # `subset_simulation`: part of a level that goes on to the next (default: 0.1)
    level_probability: Union[float, str]
    # `subset_simulation`: the criterion whose probability is wanted: see "Criteria" (default: the only one)
    fail: str


ObservableWheelset = Literal[
    "final_x", "final_z", "final_y", "final_yaw", "final_vx", "final_yaw_rate", "path_length", "drive_work", "energy_error", "min_load",
    "max_load", "max_speed", "max_lateral_force", "downhill", "drift",
]


class WheelsetStudyOutput(TypedDict, total=False):
    # the observables to keep: see "Observables" (default: those that are on)
    observables: Sequence[ObservableWheelset]
    # the instances to trace, and how often: see "Trajectories"
    trajectories: OmniVehicleStudyOutputTrajectories


class WheelsetStudyNeeded(TypedDict):
    # what is simulated: see "Models"
    model: Literal["wheelset"]
    # step and duration: see "Integrator"
    integrator: UkWheelStudyIntegrator


class WheelsetStudy(WheelsetStudyNeeded, total=False):
    # stands above summary and plots
    title: str
    # kept with the study, otherwise not used
    description: Union[str, Sequence[str]]
    # axes and signs of everything in the study and its results: see "Frames" (default: y_up)
    frame: Literal["y_up", "ros"]
    # what differs from the defaults: see "Parameters"
    parameters: ParametersWheelset
    # the varied parameters and their values: see "Varying parameters"
    vary: Sequence[EntryWheelset]
    # how the values combine into instances: see "Designs" (default: grid)
    design: WheelsetStudyDesign
    # how `omniroll calibrate` fits: see "Data"
    calibrate: OmniVehicleStudyCalibrate
    # limits of the manoeuvres among which `omniroll excite` looks for the one to drive: see "Data"
    excite: OmniVehicleStudyExcite
    # observables and trajectories to keep: see "Output" (default: observables that are on)
    output: WheelsetStudyOutput
    # quantiles, histograms, criteria: see "Statistics"
    statistics: OmniVehicleStudyStatistics
    # backend, device, precision: see "Engine"
    engine: OmniVehicleStudyEngine
    # written by `omniroll run --nominal` and `--instance`: the study that this one was made of: see "One vehicle"
    made_of: OmniVehicleStudyMadeOf


class ParametersSnakeboardInitial(TypedDict, total=False):
    # initial position of the body origin, world x (m; default: 0)
    x: Union[float, str]
    # initial position of the body origin, world z (m; default: 0)
    z: Union[float, str]
    # initial position of the body origin, world y (m; default: 0)
    y: Union[float, str]
    # initial yaw angle theta (rad; default: 0)
    yaw: Union[float, str]
    # initial velocity of the body origin, forward (body axes) (m s-1; default: 0)
    vx: Union[float, str]


class ParametersSnakeboardCoupler(TypedDict, total=False):
    # mass of the coupler m_c, both halves (kg; default: 2)
    mass: Union[float, str]
    # inertia J_c of the coupler about the vertical through its midpoint (kg m2; default: 0.03)
    yaw_inertia: Union[float, str]
    # distance l of the coupler's midpoint and the middle of a wheelset (m; default: 0.2)
    half_length: Union[float, str]


class ParametersSnakeboardRotor(TypedDict, total=False):
    # mass of the rotor m_r, at the coupler's midpoint (kg; default: 2)
    mass: Union[float, str]
    # inertia J_r of the rotor about its axis (kg m2; default: 0.07)
    yaw_inertia: Union[float, str]


class ParametersSnakeboardWheelset(TypedDict, total=False):
    # mass of a wheelset's rod (kg; default: 0.4)
    rod_mass: Union[float, str]
    # inertia of a wheelset's rod about the vertical (kg m2; default: 0.0005)
    rod_inertia: Union[float, str]
    # mass m_w of a wheel (kg; default: 0.3)
    wheel_mass: Union[float, str]
    # inertia I_a of a wheel about its axis (kg m2; default: 0.0004)
    axial_inertia: Union[float, str]
    # inertia I_d of a wheel about a diameter, at least I_a/2 (kg m2; default: 0.0002)
    diametral_inertia: Union[float, str]
    # radius R of the wheels (m; default: 0.05)
    radius: Union[float, str]
    # distance h of a wheel and the middle of its wheelset (m; default: 0.06)
    half_track: Union[float, str]


class ParametersSnakeboardGaitPath(TypedDict, total=False):
    # curve: half of an astroid's or eight's length, radius of a cycloid's wheel, length of a rose's petal (m; default: 3)
    size: Union[float, str]
    # curve: part by which the harmonic that makes the cusps is smaller; a cusp itself would turn the axles along the coupler
    # (default: 0.2)
    rounding: Union[float, str]
    # curve: its parameter t where the board starts, along its coupler (rad; default: 0.785398)
    start: Union[float, str]


class ParametersSnakeboardGaitFront(TypedDict, total=False):
    # amplitude of the angle of the front wheelset, phi_f (rad; default: 0.3)
    amplitude: Union[float, str]
    # its angular frequency omega: sin(omega t + phase) (rad s-1; default: 1)
    frequency: Union[float, str]
    # its phase beta at t = 0 (rad; default: 0)
    phase: Union[float, str]


class ParametersSnakeboardGaitRear(TypedDict, total=False):
    # amplitude of the angle of the rear wheelset, phi_b (rad; default: -0.3)
    amplitude: Union[float, str]
    # its angular frequency omega: sin(omega t + phase) (rad s-1; default: 1)
    frequency: Union[float, str]
    # its phase beta at t = 0 (rad; default: 0)
    phase: Union[float, str]


class ParametersSnakeboardGaitRotor(TypedDict, total=False):
    # amplitude of the angle of the rotor, psi (rad; default: 0.7)
    amplitude: Union[float, str]
    # its angular frequency omega: sin(omega t + phase) (rad s-1; default: 1)
    frequency: Union[float, str]
    # its phase beta at t = 0 (rad; default: 0)
    phase: Union[float, str]


class ParametersSnakeboardGait(TypedDict, total=False):
    path: ParametersSnakeboardGaitPath
    front: ParametersSnakeboardGaitFront
    rear: ParametersSnakeboardGaitRear
    rotor: ParametersSnakeboardGaitRotor
    wheelsets: Literal["free", "opposite", "astroid", "cycloid", "eight", "rose3", "rose4"]


class ParametersSnakeboardSteering(TypedDict, total=False):
    # steering of type free: stiffness, per rad, of the spring that pulls a wheelset to its gait's angle; 0: none (N m; default: 0)
    stiffness: Union[float, str]
    # steering of type free: damping, per rad/s, of the difference of a wheelset's rate and its gait's (N m s; default: 0)
    damping: Union[float, str]
    type: Literal["prescribed", "free"]


class ParametersSnakeboard(TypedDict, total=False):
    initial: ParametersSnakeboardInitial
    joint: ParametersWheelsetJoint
    coupler: ParametersSnakeboardCoupler
    rotor: ParametersSnakeboardRotor
    wheelset: ParametersSnakeboardWheelset
    # factor of rod_mass, wheel_mass and axial_inertia, which Lewis et al. neglect; small: their model (default: 1)
    scale: Union[float, str]
    gait: ParametersSnakeboardGait
    steering: ParametersSnakeboardSteering
    joints: Literal["rigid", "compliant", "determinate"]


PathSnakeboard = Literal[
    "initial.x", "initial.z", "initial.y", "initial.yaw", "initial.vx", "joint.stiffness", "joint.damping", "coupler.mass",
    "coupler.yaw_inertia", "coupler.half_length", "rotor.mass", "rotor.yaw_inertia", "wheelset.rod_mass", "wheelset.rod_inertia",
    "wheelset.wheel_mass", "wheelset.axial_inertia", "wheelset.diametral_inertia", "wheelset.radius", "wheelset.half_track", "scale",
    "gait.path.size", "gait.path.rounding", "gait.path.start", "steering.stiffness", "steering.damping", "gait.front.amplitude",
    "gait.front.frequency", "gait.front.phase", "gait.rear.amplitude", "gait.rear.frequency", "gait.rear.phase", "gait.rotor.amplitude",
    "gait.rotor.frequency", "gait.rotor.phase",
]


class EntrySnakeboardNeeded(TypedDict):
    # the parameter: "platform.mass", "wheel.friction" (all wheels alike), "wheels[0].friction" (one wheel) (default: required)
    path: PathSnakeboard


class EntrySnakeboard(EntrySnakeboardNeeded, total=False):
    # a path that starts with `wheel.` takes a value of its own for every wheel; not in a grid (default: false)
    each: bool
    # [...]: the listed values; a random design draws one of them, all alike
    values: Sequence[Any]
    # [first, last, count]: count values evenly spaced, both ends included; not for random designs
    linspace: Sequence[Any]
    # [low, high]: every value between alike
    uniform: Sequence[Any]
    # [low, high]: every logarithm between alike; low above 0
    log_uniform: Sequence[Any]
    # [mean, standard deviation]: not truncated
    normal: Sequence[Any]
    # [median, spread of the logarithm]: the logarithm is normal with this spread, a pure number; median above 0
    log_normal: Sequence[Any]
    # [mean, standard deviation, low, high]: normal between low and high, none beyond; the first two belong to the normal before
    # truncation
    truncated_normal: Sequence[Any]
    # [low, mode, high]: density rises to the mode and falls, in straight lines
    triangular: Sequence[Any]
    # [alpha, beta, low, high]: beta distribution stretched from low to high; alpha and beta from 0.05 to 10000
    beta: Sequence[Any]
    # [scale, shape]: probability 1 - exp(-(x/scale)^shape) below x; shape from 0.05 to 10000
    weibull: Sequence[Any]
    # [low, high]: every whole number from low to high alike
    integer: Sequence[Any]
    # [[value, weight], ...]: the listed values, with probabilities proportional to their weights
    discrete: Sequence[Any]


class SnakeboardStudyDesignNeeded(TypedDict):
    # how values combine: the table above
    type: OmniVehicleStudyDesignType


class SnakeboardStudyDesign(SnakeboardStudyDesignNeeded, total=False):
    # random designs and `posterior`: number of instances; all but `monte_carlo` at most 2^32. `subset_simulation`: of a level, a
    # multiple of 1/`level_probability` and at least ten times that
    instances: int
    # random designs and `posterior`: chooses the random numbers; as text above 2^53 (default: 0)
    seed: Union[int, str]
    # `sobol`, `halton`, `saltelli`: nested uniform scrambling, or the sequence itself (default: owen)
    scramble: Literal["none", "owen"]
    # `latin_hypercube`: parts combined at random, or so that the points keep away from each other (up to 1024 points) (default:
    # plain)
    criterion: Literal["plain", "maximin"]
    # random designs: {"paths": [a, b], "rank": r}, Spearman's rank correlation of two drawn parameters
    correlation: Sequence[OmniVehicleStudyDesignCorrelationItem]
    # `nested`: what is drawn in each cell, `monte_carlo`, `latin_hypercube`, `sobol` or `halton`
    sample: Literal["monte_carlo", "latin_hypercube", "sobol", "halton"]
    # `nested`: instances in each cell
    per_cell: int
    # `nested`: every cell has the same sample, or one of its own (default: true)
    common_random_numbers: bool
    # `list`: the parameters
    paths: Sequence[PathSnakeboard]
    # `list`: for each instance a row with a value for each of the paths
    rows: Sequence[Sequence[Union[float, str]]]
    # `table`, `posterior`: CSV or HDF5 file, its place counted from the study's folder
    file: str
    # `table`, `posterior`: what the file's hash has to be; the study kept with a result has it (default: not checked)
    hash: str
    # `saltelli`: number of groups N; N (d + 2) instances
    groups: int
    # `morris`: number of trajectories r; r (d + 1) instances
    trajectories: int
    # `morris`: number p of levels of each parameter, even; `subset_simulation`: most levels, from 1 on (default: 4; 10)
    levels: int
    # `subset_simulation`: part of a level that goes on to the next (default: 0.1)
    level_probability: Union[float, str]
    # `subset_simulation`: the criterion whose probability is wanted: see "Criteria" (default: the only one)
    fail: str


ObservableSnakeboard = Literal[
    "final_x", "final_z", "final_y", "final_yaw", "final_vx", "final_vz", "final_vy", "final_yaw_rate", "path_length", "drive_work",
    "energy_error", "max_servo_torque", "max_speed", "max_lateral_force", "distance", "kinetic_energy",
]


class SnakeboardStudyOutput(TypedDict, total=False):
    # the observables to keep: see "Observables" (default: those that are on)
    observables: Sequence[ObservableSnakeboard]
    # the instances to trace, and how often: see "Trajectories"
    trajectories: OmniVehicleStudyOutputTrajectories


class SnakeboardStudyNeeded(TypedDict):
    # what is simulated: see "Models"
    model: Literal["snakeboard"]
    # step and duration: see "Integrator"
    integrator: UkWheelStudyIntegrator


class SnakeboardStudy(SnakeboardStudyNeeded, total=False):
    # stands above summary and plots
    title: str
    # kept with the study, otherwise not used
    description: Union[str, Sequence[str]]
    # axes and signs of everything in the study and its results: see "Frames" (default: y_up)
    frame: Literal["y_up", "ros"]
    # what differs from the defaults: see "Parameters"
    parameters: ParametersSnakeboard
    # the varied parameters and their values: see "Varying parameters"
    vary: Sequence[EntrySnakeboard]
    # how the values combine into instances: see "Designs" (default: grid)
    design: SnakeboardStudyDesign
    # how `omniroll calibrate` fits: see "Data"
    calibrate: OmniVehicleStudyCalibrate
    # limits of the manoeuvres among which `omniroll excite` looks for the one to drive: see "Data"
    excite: OmniVehicleStudyExcite
    # observables and trajectories to keep: see "Output" (default: observables that are on)
    output: SnakeboardStudyOutput
    # quantiles, histograms, criteria: see "Statistics"
    statistics: OmniVehicleStudyStatistics
    # backend, device, precision: see "Engine"
    engine: OmniVehicleStudyEngine
    # written by `omniroll run --nominal` and `--instance`: the study that this one was made of: see "One vehicle"
    made_of: OmniVehicleStudyMadeOf


class ParametersSlidingBlockInitial(TypedDict, total=False):
    # initial position of the body origin, world x (m; default: 0)
    x: Union[float, str]
    # initial velocity of the wheel centre, or of the block (m s-1; default: 0)
    speed: Union[float, str]


class ParametersSlidingBlockPlane(TypedDict, total=False):
    # angle of the plane to the horizontal (rad; default: 0)
    slope: Union[float, str]


class ParametersSlidingBlockFriction(TypedDict, total=False):
    # end v_mu of the proportional zone (m s-1; default: 0.01)
    slip_speed: Union[float, str]
    # friction coefficient mu of a block that slips; mu N_c is the saturation limit of every law (default: 0.3)
    kinetic: Union[float, str]
    # law set_valued: coefficient mu_s of stiction, at least mu; default: mu
    static: Union[float, str]


class ParametersSlidingBlockPull(TypedDict, total=False):
    # pull: force, start of a ramp, or amplitude (N; default: 0)
    force: Union[float, str]
    # pull of type ramp: rate (N s-1; default: 0)
    rate: Union[float, str]
    # pull of type sine: angular frequency omega (rad s-1; default: 1)
    frequency: Union[float, str]
    type: Literal["constant", "ramp", "sine"]


class ParametersSlidingBlockSpring(TypedDict, total=False):
    # stiffness k of a spring to a wall, at rest at x = 0 (N m-1; default: 0)
    stiffness: Union[float, str]


class ParametersSlidingBlockBelt(TypedDict, total=False):
    # velocity u of the ground below the block (m s-1; default: 0)
    speed: Union[float, str]


class ParametersSlidingBlock(TypedDict, total=False):
    # gravitational acceleration g (m s-2; default: 9.81)
    gravity: Union[float, str]
    initial: ParametersSlidingBlockInitial
    # mass m (kg; default: 25)
    mass: Union[float, str]
    plane: ParametersSlidingBlockPlane
    friction: ParametersSlidingBlockFriction
    pull: ParametersSlidingBlockPull
    spring: ParametersSlidingBlockSpring
    belt: ParametersSlidingBlockBelt
    law: Literal["tanh", "saturated", "regularized", "set_valued"]


PathSlidingBlock = Literal[
    "gravity", "initial.x", "mass", "initial.speed", "plane.slope", "friction.slip_speed", "friction.kinetic", "friction.static",
    "pull.force", "pull.rate", "pull.frequency", "spring.stiffness", "belt.speed",
]


class EntrySlidingBlockNeeded(TypedDict):
    # the parameter: "platform.mass", "wheel.friction" (all wheels alike), "wheels[0].friction" (one wheel) (default: required)
    path: PathSlidingBlock


class EntrySlidingBlock(EntrySlidingBlockNeeded, total=False):
    # a path that starts with `wheel.` takes a value of its own for every wheel; not in a grid (default: false)
    each: bool
    # [...]: the listed values; a random design draws one of them, all alike
    values: Sequence[Any]
    # [first, last, count]: count values evenly spaced, both ends included; not for random designs
    linspace: Sequence[Any]
    # [low, high]: every value between alike
    uniform: Sequence[Any]
    # [low, high]: every logarithm between alike; low above 0
    log_uniform: Sequence[Any]
    # [mean, standard deviation]: not truncated
    normal: Sequence[Any]
    # [median, spread of the logarithm]: the logarithm is normal with this spread, a pure number; median above 0
    log_normal: Sequence[Any]
    # [mean, standard deviation, low, high]: normal between low and high, none beyond; the first two belong to the normal before
    # truncation
    truncated_normal: Sequence[Any]
    # [low, mode, high]: density rises to the mode and falls, in straight lines
    triangular: Sequence[Any]
    # [alpha, beta, low, high]: beta distribution stretched from low to high; alpha and beta from 0.05 to 10000
    beta: Sequence[Any]
    # [scale, shape]: probability 1 - exp(-(x/scale)^shape) below x; shape from 0.05 to 10000
    weibull: Sequence[Any]
    # [low, high]: every whole number from low to high alike
    integer: Sequence[Any]
    # [[value, weight], ...]: the listed values, with probabilities proportional to their weights
    discrete: Sequence[Any]


class SlidingBlockStudyDesignNeeded(TypedDict):
    # how values combine: the table above
    type: OmniVehicleStudyDesignType


class SlidingBlockStudyDesign(SlidingBlockStudyDesignNeeded, total=False):
    # random designs and `posterior`: number of instances; all but `monte_carlo` at most 2^32. `subset_simulation`: of a level, a
    # multiple of 1/`level_probability` and at least ten times that
    instances: int
    # random designs and `posterior`: chooses the random numbers; as text above 2^53 (default: 0)
    seed: Union[int, str]
    # `sobol`, `halton`, `saltelli`: nested uniform scrambling, or the sequence itself (default: owen)
    scramble: Literal["none", "owen"]
    # `latin_hypercube`: parts combined at random, or so that the points keep away from each other (up to 1024 points) (default:
    # plain)
    criterion: Literal["plain", "maximin"]
    # random designs: {"paths": [a, b], "rank": r}, Spearman's rank correlation of two drawn parameters
    correlation: Sequence[OmniVehicleStudyDesignCorrelationItem]
    # `nested`: what is drawn in each cell, `monte_carlo`, `latin_hypercube`, `sobol` or `halton`
    sample: Literal["monte_carlo", "latin_hypercube", "sobol", "halton"]
    # `nested`: instances in each cell
    per_cell: int
    # `nested`: every cell has the same sample, or one of its own (default: true)
    common_random_numbers: bool
    # `list`: the parameters
    paths: Sequence[PathSlidingBlock]
    # `list`: for each instance a row with a value for each of the paths
    rows: Sequence[Sequence[Union[float, str]]]
    # `table`, `posterior`: CSV or HDF5 file, its place counted from the study's folder
    file: str
    # `table`, `posterior`: what the file's hash has to be; the study kept with a result has it (default: not checked)
    hash: str
    # `saltelli`: number of groups N; N (d + 2) instances
    groups: int
    # `morris`: number of trajectories r; r (d + 1) instances
    trajectories: int
    # `morris`: number p of levels of each parameter, even; `subset_simulation`: most levels, from 1 on (default: 4; 10)
    levels: int
    # `subset_simulation`: part of a level that goes on to the next (default: 0.1)
    level_probability: Union[float, str]
    # `subset_simulation`: the criterion whose probability is wanted: see "Criteria" (default: the only one)
    fail: str


ObservableSlidingBlock = Literal[
    "final_x", "final_vx", "max_slip", "dissipated_energy", "drive_work", "energy_error", "max_speed", "max_traction_ratio",
    "stop_time", "energy_lost", "first_slip", "stuck_share", "slips", "stick_slip_period",
]


class SlidingBlockStudyOutput(TypedDict, total=False):
    # the observables to keep: see "Observables" (default: those that are on)
    observables: Sequence[ObservableSlidingBlock]
    # the instances to trace, and how often: see "Trajectories"
    trajectories: OmniVehicleStudyOutputTrajectories


class SlidingBlockStudyNeeded(TypedDict):
    # what is simulated: see "Models"
    model: Literal["sliding_block"]
    # step and duration: see "Integrator"
    integrator: UkWheelStudyIntegrator


class SlidingBlockStudy(SlidingBlockStudyNeeded, total=False):
    # stands above summary and plots
    title: str
    # kept with the study, otherwise not used
    description: Union[str, Sequence[str]]
    # axes and signs of everything in the study and its results: see "Frames" (default: y_up)
    frame: Literal["y_up", "ros"]
    # what differs from the defaults: see "Parameters"
    parameters: ParametersSlidingBlock
    # the varied parameters and their values: see "Varying parameters"
    vary: Sequence[EntrySlidingBlock]
    # how the values combine into instances: see "Designs" (default: grid)
    design: SlidingBlockStudyDesign
    # how `omniroll calibrate` fits: see "Data"
    calibrate: OmniVehicleStudyCalibrate
    # limits of the manoeuvres among which `omniroll excite` looks for the one to drive: see "Data"
    excite: OmniVehicleStudyExcite
    # observables and trajectories to keep: see "Output" (default: observables that are on)
    output: SlidingBlockStudyOutput
    # quantiles, histograms, criteria: see "Statistics"
    statistics: OmniVehicleStudyStatistics
    # backend, device, precision: see "Engine"
    engine: OmniVehicleStudyEngine
    # written by `omniroll run --nominal` and `--instance`: the study that this one was made of: see "One vehicle"
    made_of: OmniVehicleStudyMadeOf


class ParametersElasticWheelInitial(TypedDict, total=False):
    # initial velocity of the wheel centre, or of the block (m s-1; default: 0)
    speed: Union[float, str]
    # initial wheel rate; forward is positive (rad s-1; default: 0)
    rate: Union[float, str]
    # initial twist of the rim: angle of the hub less that of the tread, which turn with the same rate (rad; default: 0)
    twist: Union[float, str]


class ParametersElasticWheelRim(TypedDict, total=False):
    # part of `inertia` that turns with the tread; the rest turns with the hub. Less than 1 (default: 0.4)
    share: Union[float, str]
    # torsional stiffness c between hub and tread (N m; default: 2000)
    stiffness: Union[float, str]
    # torsional damping d between hub and tread (N m s; default: 5)
    damping: Union[float, str]


class ParametersElasticWheel(TypedDict, total=False):
    # gravitational acceleration g (m s-2; default: 9.81)
    gravity: Union[float, str]
    # mass m (kg; default: 25)
    mass: Union[float, str]
    # radius R (m; default: 0.3)
    radius: Union[float, str]
    # inertia I about the axle; source 5 prints none, the default is the solid disc m R^2/2 (kg m2; default: 1.125)
    inertia: Union[float, str]
    initial: ParametersElasticWheelInitial
    drive: ParametersUkWheelDrive
    brake: ParametersUkWheelBrake
    resistance: ParametersUkWheelResistance
    # gain k_s of the stiction parameter s (default: 1)
    stiction_gain: Union[float, str]
    # gain k_F of the friction force F_c (default: 1)
    friction_gain: Union[float, str]
    ground: ParametersUkWheelGround
    rim: ParametersElasticWheelRim
    demand: Literal["drive", "applied", "sum"]
    friction: Literal["published", "physical"]


PathElasticWheel = Literal[
    "gravity", "mass", "radius", "inertia", "initial.speed", "initial.rate", "drive.torque", "drive.rate", "brake.torque", "brake.time",
    "brake.gain", "resistance.rolling", "resistance.bearing", "stiction_gain", "friction_gain", "ground.upper", "ground.lower",
    "ground.time", "ground.width", "ground.rate", "rim.share", "rim.stiffness", "rim.damping", "initial.twist",
]


class EntryElasticWheelNeeded(TypedDict):
    # the parameter: "platform.mass", "wheel.friction" (all wheels alike), "wheels[0].friction" (one wheel) (default: required)
    path: PathElasticWheel


class EntryElasticWheel(EntryElasticWheelNeeded, total=False):
    # a path that starts with `wheel.` takes a value of its own for every wheel; not in a grid (default: false)
    each: bool
    # [...]: the listed values; a random design draws one of them, all alike
    values: Sequence[Any]
    # [first, last, count]: count values evenly spaced, both ends included; not for random designs
    linspace: Sequence[Any]
    # [low, high]: every value between alike
    uniform: Sequence[Any]
    # [low, high]: every logarithm between alike; low above 0
    log_uniform: Sequence[Any]
    # [mean, standard deviation]: not truncated
    normal: Sequence[Any]
    # [median, spread of the logarithm]: the logarithm is normal with this spread, a pure number; median above 0
    log_normal: Sequence[Any]
    # [mean, standard deviation, low, high]: normal between low and high, none beyond; the first two belong to the normal before
    # truncation
    truncated_normal: Sequence[Any]
    # [low, mode, high]: density rises to the mode and falls, in straight lines
    triangular: Sequence[Any]
    # [alpha, beta, low, high]: beta distribution stretched from low to high; alpha and beta from 0.05 to 10000
    beta: Sequence[Any]
    # [scale, shape]: probability 1 - exp(-(x/scale)^shape) below x; shape from 0.05 to 10000
    weibull: Sequence[Any]
    # [low, high]: every whole number from low to high alike
    integer: Sequence[Any]
    # [[value, weight], ...]: the listed values, with probabilities proportional to their weights
    discrete: Sequence[Any]


class ElasticWheelStudyDesignNeeded(TypedDict):
    # how values combine: the table above
    type: OmniVehicleStudyDesignType


class ElasticWheelStudyDesign(ElasticWheelStudyDesignNeeded, total=False):
    # random designs and `posterior`: number of instances; all but `monte_carlo` at most 2^32. `subset_simulation`: of a level, a
    # multiple of 1/`level_probability` and at least ten times that
    instances: int
    # random designs and `posterior`: chooses the random numbers; as text above 2^53 (default: 0)
    seed: Union[int, str]
    # `sobol`, `halton`, `saltelli`: nested uniform scrambling, or the sequence itself (default: owen)
    scramble: Literal["none", "owen"]
    # `latin_hypercube`: parts combined at random, or so that the points keep away from each other (up to 1024 points) (default:
    # plain)
    criterion: Literal["plain", "maximin"]
    # random designs: {"paths": [a, b], "rank": r}, Spearman's rank correlation of two drawn parameters
    correlation: Sequence[OmniVehicleStudyDesignCorrelationItem]
    # `nested`: what is drawn in each cell, `monte_carlo`, `latin_hypercube`, `sobol` or `halton`
    sample: Literal["monte_carlo", "latin_hypercube", "sobol", "halton"]
    # `nested`: instances in each cell
    per_cell: int
    # `nested`: every cell has the same sample, or one of its own (default: true)
    common_random_numbers: bool
    # `list`: the parameters
    paths: Sequence[PathElasticWheel]
    # `list`: for each instance a row with a value for each of the paths
    rows: Sequence[Sequence[Union[float, str]]]
    # `table`, `posterior`: CSV or HDF5 file, its place counted from the study's folder
    file: str
    # `table`, `posterior`: what the file's hash has to be; the study kept with a result has it (default: not checked)
    hash: str
    # `saltelli`: number of groups N; N (d + 2) instances
    groups: int
    # `morris`: number of trajectories r; r (d + 1) instances
    trajectories: int
    # `morris`: number p of levels of each parameter, even; `subset_simulation`: most levels, from 1 on (default: 4; 10)
    levels: int
    # `subset_simulation`: part of a level that goes on to the next (default: 0.1)
    level_probability: Union[float, str]
    # `subset_simulation`: the criterion whose probability is wanted: see "Criteria" (default: the only one)
    fail: str


ObservableElasticWheel = Literal[
    "final_x", "final_vx", "max_slip", "dissipated_energy", "drive_work", "energy_error", "min_weight", "final_rate", "max_speed",
    "max_traction_ratio", "stop_time", "braking_distance", "energy_lost", "max_twist",
]


class ElasticWheelStudyOutput(TypedDict, total=False):
    # the observables to keep: see "Observables" (default: those that are on)
    observables: Sequence[ObservableElasticWheel]
    # the instances to trace, and how often: see "Trajectories"
    trajectories: OmniVehicleStudyOutputTrajectories


class ElasticWheelStudyNeeded(TypedDict):
    # what is simulated: see "Models"
    model: Literal["elastic_wheel"]
    # step and duration: see "Integrator"
    integrator: UkWheelStudyIntegrator


class ElasticWheelStudy(ElasticWheelStudyNeeded, total=False):
    # stands above summary and plots
    title: str
    # kept with the study, otherwise not used
    description: Union[str, Sequence[str]]
    # axes and signs of everything in the study and its results: see "Frames" (default: y_up)
    frame: Literal["y_up", "ros"]
    # what differs from the defaults: see "Parameters"
    parameters: ParametersElasticWheel
    # the varied parameters and their values: see "Varying parameters"
    vary: Sequence[EntryElasticWheel]
    # how the values combine into instances: see "Designs" (default: grid)
    design: ElasticWheelStudyDesign
    # how `omniroll calibrate` fits: see "Data"
    calibrate: OmniVehicleStudyCalibrate
    # limits of the manoeuvres among which `omniroll excite` looks for the one to drive: see "Data"
    excite: OmniVehicleStudyExcite
    # observables and trajectories to keep: see "Output" (default: observables that are on)
    output: ElasticWheelStudyOutput
    # quantiles, histograms, criteria: see "Statistics"
    statistics: OmniVehicleStudyStatistics
    # backend, device, precision: see "Engine"
    engine: OmniVehicleStudyEngine
    # written by `omniroll run --nominal` and `--instance`: the study that this one was made of: see "One vehicle"
    made_of: OmniVehicleStudyMadeOf


class ParametersMultibodyValueNeeded(TypedDict):
    value: Union[float, str]


class ParametersMultibodyValue(ParametersMultibodyValueNeeded, total=False):
    meaning: str


class SystemTurn(TypedDict):
    axis: Sequence[Any]
    angle: Union[float, str]


class SystemShapes(TypedDict, total=False):
    shape: Literal["plane"]
    # centre, or a point of the plane, from the centre of mass, in the axes of the body (m; default: [0, 0, 0])
    at: Sequence[Union[float, str]]
    # outward normal (default: [0, 1, 0])
    normal: Sequence[Union[float, str]]
    # whether the body is within the surface, or around it as the race of a bearing (default: "outside")
    side: Literal["outside", "inside"]


class SystemShapes2Needed(TypedDict):
    # radius; torus: of the circle; roller: R of the wheel (m)
    radius: Union[float, str]


class SystemShapes2(SystemShapes2Needed, total=False):
    shape: Literal["sphere"]
    # centre, or a point of the plane, from the centre of mass, in the axes of the body (m; default: [0, 0, 0])
    at: Sequence[Union[float, str]]
    # whether the body is within the surface, or around it as the race of a bearing (default: "outside")
    side: Literal["outside", "inside"]


class SystemShapes3Needed(TypedDict):
    # half lengths along the axes of the body (m)
    half_axes: Sequence[Union[float, str]]


class SystemShapes3(SystemShapes3Needed, total=False):
    shape: Literal["ellipsoid"]
    # centre, or a point of the plane, from the centre of mass, in the axes of the body (m; default: [0, 0, 0])
    at: Sequence[Union[float, str]]
    # whether the body is within the surface, or around it as the race of a bearing (default: "outside")
    side: Literal["outside", "inside"]


class SystemShapes4Needed(TypedDict):
    # radius; torus: of the circle; roller: R of the wheel (m)
    radius: Union[float, str]


class SystemShapes4(SystemShapes4Needed, total=False):
    shape: Literal["disc"]
    # centre, or a point of the plane, from the centre of mass, in the axes of the body (m; default: [0, 0, 0])
    at: Sequence[Union[float, str]]
    # axis of symmetry (default: [0, 0, 1])
    axis: Sequence[Union[float, str]]
    # whether the body is within the surface, or around it as the race of a bearing (default: "outside")
    side: Literal["outside", "inside"]


class SystemShapes5Needed(TypedDict):
    # radius of the tube (m)
    tube: Union[float, str]


class SystemShapes5(SystemShapes5Needed, total=False):
    shape: Literal["torus"]
    # centre, or a point of the plane, from the centre of mass, in the axes of the body (m; default: [0, 0, 0])
    at: Sequence[Union[float, str]]
    # axis of symmetry (default: [0, 0, 1])
    axis: Sequence[Union[float, str]]
    # radius; torus: of the circle; roller: R of the wheel (m)
    radius: Union[float, str]
    # whether the body is within the surface, or around it as the race of a bearing (default: "outside")
    side: Literal["outside", "inside"]


class SystemShapes6Needed(TypedDict):
    # length (m)
    length: Union[float, str]


class SystemShapes6(SystemShapes6Needed, total=False):
    shape: Literal["cylinder"]
    # centre, or a point of the plane, from the centre of mass, in the axes of the body (m; default: [0, 0, 0])
    at: Sequence[Union[float, str]]
    # axis of symmetry (default: [0, 0, 1])
    axis: Sequence[Union[float, str]]
    # radius; torus: of the circle; roller: R of the wheel (m)
    radius: Union[float, str]
    # whether the body is within the surface, or around it as the race of a bearing (default: "outside")
    side: Literal["outside", "inside"]


class SystemShapes7Needed(TypedDict):
    # largest angle of a contact on the wheel's circle, half its share or a little more (rad)
    edge: Union[float, str]


class SystemShapes7(SystemShapes7Needed, total=False):
    shape: Literal["roller"]
    # centre, or a point of the plane, from the centre of mass, in the axes of the body (m; default: [0, 0, 0])
    at: Sequence[Union[float, str]]
    # axis of symmetry (default: [0, 0, 1])
    axis: Sequence[Union[float, str]]
    # radius; torus: of the circle; roller: R of the wheel (m)
    radius: Union[float, str]
    # distance R1 of the roller's centre and the wheel's (m)
    center: Union[float, str]
    # angle psi of the roller to the wheel's plane (rad; default: 0)
    inclination: Union[float, str]
    # whether the body is within the surface, or around it as the race of a bearing (default: "outside")
    side: Literal["outside", "inside"]


class SystemShapes8Needed(TypedDict):
    # half lengths along the axes of the body (m)
    half_axes: Sequence[Union[float, str]]


class SystemShapes8(SystemShapes8Needed, total=False):
    shape: Literal["box"]
    # centre, or a point of the plane, from the centre of mass, in the axes of the body (m; default: [0, 0, 0])
    at: Sequence[Union[float, str]]
    # whether the body is within the surface, or around it as the race of a bearing (default: "outside")
    side: Literal["outside", "inside"]


class SystemBodies(TypedDict, total=False):
    # mass
    mass: Union[float, str]
    # Ixx, Iyy, Izz, and Ixy, Ixz, Iyz of the inertia matrix (Ixy = -sum m x y), about the centre of mass, in the body's axes
    inertia: Sequence[Union[float, str]]
    # place of the centre of mass, in the axes of the group
    at: Sequence[Union[float, str]]
    # as of a group
    turned: Union[SystemTurn, Sequence[SystemTurn]]
    # in place of turned
    quaternion: Sequence[Union[float, str]]
    # of the centre of mass, on top of the group's motion, in the group's axes
    velocity: Sequence[Union[float, str]]
    # on top of the group's, in the group's axes
    angular_velocity: Sequence[Union[float, str]]
    # for pictures
    shapes: Sequence[Union[SystemShapes, SystemShapes2, SystemShapes3, SystemShapes4, SystemShapes5, SystemShapes6, SystemShapes7, SystemShapes8]]
    # for readers
    meaning: str


class SystemConstraintsNeeded(TypedDict):
    # direction of the axis, in the axes of A (upright: of B)
    axis: Sequence[Union[float, str]]


class SystemConstraints(SystemConstraintsNeeded, total=False):
    type: Literal["fixed_ideal"]
    meaning: str
    between: Sequence[str]
    # place of the joint at the start, in the axes of its group; in place of point_a and point_b (m)
    at: Sequence[Union[float, str]]
    # point of A on the axis, or of the joint, from its centre of mass, in its axes; left out: where the other point is, of rod and
    # spring_damper the centre of mass (m)
    point_a: Sequence[Union[float, str]]
    # point of B on the axis, or of the joint, from its centre of mass, in its axes; left out: like point_a (m)
    point_b: Sequence[Union[float, str]]


class SystemConstraints2Needed(TypedDict):
    # direction of the axis, in the axes of A (upright: of B)
    axis: Sequence[Union[float, str]]


class SystemConstraints2(SystemConstraints2Needed, total=False):
    type: Literal["free_ideal"]
    meaning: str
    between: Sequence[str]
    # place of the joint at the start, in the axes of its group; in place of point_a and point_b (m)
    at: Sequence[Union[float, str]]
    # point of A on the axis, or of the joint, from its centre of mass, in its axes; left out: where the other point is, of rod and
    # spring_damper the centre of mass (m)
    point_a: Sequence[Union[float, str]]
    # point of B on the axis, or of the joint, from its centre of mass, in its axes; left out: like point_a (m)
    point_b: Sequence[Union[float, str]]


class SystemConstraints3Needed(TypedDict):
    # stiffness c along the axis (N m-1)
    stiffness: Union[float, str]


class SystemConstraints3(SystemConstraints3Needed, total=False):
    type: Literal["spring_ideal"]
    meaning: str
    between: Sequence[str]
    # direction of the axis, in the axes of A (upright: of B)
    axis: Sequence[Union[float, str]]
    # place of the joint at the start, in the axes of its group; in place of point_a and point_b (m)
    at: Sequence[Union[float, str]]
    # point of A on the axis, or of the joint, from its centre of mass, in its axes; left out: where the other point is, of rod and
    # spring_damper the centre of mass (m)
    point_a: Sequence[Union[float, str]]
    # point of B on the axis, or of the joint, from its centre of mass, in its axes; left out: like point_a (m)
    point_b: Sequence[Union[float, str]]
    # damping d along the axis (N s m-1; default: 0)
    damping: Union[float, str]


class SystemConstraints4Needed(TypedDict):
    # torque on A about the axis, the opposite one on B; `angle` and `rate` are the joint's own (N m)
    torque: Union[float, str]


class SystemConstraints4(SystemConstraints4Needed, total=False):
    type: Literal["fixed_controlled"]
    meaning: str
    between: Sequence[str]
    # direction of the axis, in the axes of A (upright: of B)
    axis: Sequence[Union[float, str]]
    # place of the joint at the start, in the axes of its group; in place of point_a and point_b (m)
    at: Sequence[Union[float, str]]
    # point of A on the axis, or of the joint, from its centre of mass, in its axes; left out: where the other point is, of rod and
    # spring_damper the centre of mass (m)
    point_a: Sequence[Union[float, str]]
    # point of B on the axis, or of the joint, from its centre of mass, in its axes; left out: like point_a (m)
    point_b: Sequence[Union[float, str]]
    # angle of the joint at the start (rad; default: 0)
    angle: Union[float, str]


class SystemConstraints5Needed(TypedDict):
    # direction of the axis, in the axes of A (upright: of B)
    axis: Sequence[Union[float, str]]


class SystemConstraints5(SystemConstraints5Needed, total=False):
    type: Literal["free_slide"]
    meaning: str
    between: Sequence[str]
    # place of the joint at the start, in the axes of its group; in place of point_a and point_b (m)
    at: Sequence[Union[float, str]]
    # point of A on the axis, or of the joint, from its centre of mass, in its axes; left out: where the other point is, of rod and
    # spring_damper the centre of mass (m)
    point_a: Sequence[Union[float, str]]
    # point of B on the axis, or of the joint, from its centre of mass, in its axes; left out: like point_a (m)
    point_b: Sequence[Union[float, str]]


class SystemConstraints6Needed(TypedDict):
    # angular acceleration of B against A about the axis; `angle` and `rate` are the joint's own (rad s-2)
    acceleration: Union[float, str]


class SystemConstraints6(SystemConstraints6Needed, total=False):
    type: Literal["fixed_servo"]
    meaning: str
    between: Sequence[str]
    # direction of the axis, in the axes of A (upright: of B)
    axis: Sequence[Union[float, str]]
    # place of the joint at the start, in the axes of its group; in place of point_a and point_b (m)
    at: Sequence[Union[float, str]]
    # point of A on the axis, or of the joint, from its centre of mass, in its axes; left out: where the other point is, of rod and
    # spring_damper the centre of mass (m)
    point_a: Sequence[Union[float, str]]
    # point of B on the axis, or of the joint, from its centre of mass, in its axes; left out: like point_a (m)
    point_b: Sequence[Union[float, str]]
    # angle of the joint at the start (rad; default: 0)
    angle: Union[float, str]


class SystemConstraints7Needed(TypedDict):
    # direction of the axis, in the axes of A (upright: of B)
    axis: Sequence[Union[float, str]]


class SystemConstraints7(SystemConstraints7Needed, total=False):
    type: Literal["upright"]
    meaning: str
    between: Sequence[str]


class SystemConstraints8(TypedDict, total=False):
    type: Literal["weld"]
    meaning: str
    between: Sequence[str]


class SystemConstraints9(TypedDict, total=False):
    type: Literal["ball"]
    meaning: str
    between: Sequence[str]
    # place of the joint at the start, in the axes of its group; in place of point_a and point_b (m)
    at: Sequence[Union[float, str]]
    # point of A on the axis, or of the joint, from its centre of mass, in its axes; left out: where the other point is, of rod and
    # spring_damper the centre of mass (m)
    point_a: Sequence[Union[float, str]]
    # point of B on the axis, or of the joint, from its centre of mass, in its axes; left out: like point_a (m)
    point_b: Sequence[Union[float, str]]


class SystemConstraints10(TypedDict, total=False):
    type: Literal["rod"]
    meaning: str
    between: Sequence[str]
    # point of A on the axis, or of the joint, from its centre of mass, in its axes; left out: where the other point is, of rod and
    # spring_damper the centre of mass (m)
    point_a: Sequence[Union[float, str]]
    # point of B on the axis, or of the joint, from its centre of mass, in its axes; left out: like point_a (m)
    point_b: Sequence[Union[float, str]]
    # length of the rod, or of the spring without force; left out: the distance at the start (m)
    length: Union[float, str]


class SystemConstraints11Needed(TypedDict):
    # rate of B over rate of A; two spur gears from outside: -z_A/z_B
    ratio: Union[float, str]


class SystemConstraints11(SystemConstraints11Needed, total=False):
    type: Literal["gear"]
    meaning: str
    between: Sequence[str]
    # body that holds the axes of both (default: "base")
    carrier: str
    # axis of A, in the axes of the carrier
    axis_a: Sequence[Union[float, str]]
    # axis of B, or direction in which it moves, in the axes of the carrier
    axis_b: Sequence[Union[float, str]]


class SystemConstraints12Needed(TypedDict):
    # speed of B over rate of A, with its sign (m)
    radius: Union[float, str]


class SystemConstraints12(SystemConstraints12Needed, total=False):
    type: Literal["rack"]
    meaning: str
    between: Sequence[str]
    # point of A on the axis, or of the joint, from its centre of mass, in its axes; left out: where the other point is, of rod and
    # spring_damper the centre of mass (m)
    point_a: Sequence[Union[float, str]]
    # point of B on the axis, or of the joint, from its centre of mass, in its axes; left out: like point_a (m)
    point_b: Sequence[Union[float, str]]
    # body that holds the axes of both (default: "base")
    carrier: str
    # axis of A, in the axes of the carrier
    axis_a: Sequence[Union[float, str]]
    # axis of B, or direction in which it moves, in the axes of the carrier
    axis_b: Sequence[Union[float, str]]


class SystemConstraints13(TypedDict, total=False):
    type: Literal["prescribed_motion"]
    meaning: str
    between: Sequence[str]
    # point of A on the axis, or of the joint, from its centre of mass, in its axes; left out: where the other point is, of rod and
    # spring_damper the centre of mass (m)
    point_a: Sequence[Union[float, str]]
    # point of B on the axis, or of the joint, from its centre of mass, in its axes; left out: like point_a (m)
    point_b: Sequence[Union[float, str]]
    # point_b from point_a in the axes of A, three expressions of t; null leaves one free (m)
    place: Sequence[Union[float, str, None]]
    # angles alpha, beta, gamma of the rotation Rx(alpha) Ry(beta) Rz(gamma) from A to B; null leaves one free (rad)
    angles: Sequence[Union[float, str, None]]


class SystemConstraints14Needed(TypedDict):
    # stiffness c along the axis (N m-1)
    stiffness: Union[float, str]


class SystemConstraints14(SystemConstraints14Needed, total=False):
    type: Literal["spring_damper"]
    meaning: str
    between: Sequence[str]
    # point of A on the axis, or of the joint, from its centre of mass, in its axes; left out: where the other point is, of rod and
    # spring_damper the centre of mass (m)
    point_a: Sequence[Union[float, str]]
    # point of B on the axis, or of the joint, from its centre of mass, in its axes; left out: like point_a (m)
    point_b: Sequence[Union[float, str]]
    # damping d along the axis (N s m-1; default: 0)
    damping: Union[float, str]
    # length of the rod, or of the spring without force; left out: the distance at the start (m)
    length: Union[float, str]


SystemContactsLaw = Literal[
    "smooth", "rolls", "regularized_coulomb", "saturated_coulomb", "coulomb",
]


class SystemContacts(TypedDict, total=False):
    type: Literal["surface"]
    meaning: str
    between: Sequence[str]
    surfaces: Sequence[Union[SystemShapes, SystemShapes2, SystemShapes3, SystemShapes4, SystemShapes5, SystemShapes6, SystemShapes7, SystemShapes8]]
    # held: the surfaces stay together; unilateral: they part where the load would pull, and meet in an impact; compliant: a force of
    # the overlap (default: "unilateral")
    normal: Literal["held", "unilateral", "compliant"]
    # touching: B is moved along the normal until the surfaces touch, and does not approach; rolling: nor slip, as B turns (default:
    # "as_given")
    start: Literal["as_given", "touching", "rolling"]
    # unilateral: part of the normal speed that an impact leaves (default: 0)
    restitution: Union[float, str]
    # compliant: force per overlap to the power of `exponent`: N/m where that is 1, otherwise a number in SI (default: 0)
    stiffness: Union[float, str]
    # compliant: 1 linear, 1.5 Hertz (default: 1)
    exponent: Union[float, str]
    # compliant: N s/m or s/m, see `damping_law` (default: 0)
    damping: Union[float, str]
    # compliant: linear: N s/m, the force never pulls; hunt_crossley: force (1 + damping overlap rate), s/m (default: "linear")
    damping_law: Literal["linear", "hunt_crossley"]
    # along the surface: none; no slip; friction below and above a slip speed; the same, saturated; sticking and slipping (default:
    # "smooth")
    law: SystemContactsLaw
    # friction coefficient mu (default: 0)
    friction: Union[float, str]
    # speed below which regularised friction falls to 0 (m s-1; default: 1e-3)
    slip_speed: Union[float, str]
    # regularized_coulomb: friction below the slip speed (default: "quadratic")
    zone: Literal["quadratic", "linear"]
    # lever arm of the torque against rolling (m; default: 0)
    rolling: Union[float, str]
    # lever arm of the torque against spinning about the normal (m; default: 0)
    spinning: Union[float, str]
    # rate at which violations of rigid conditions decay; 0: they are only measured (s-1; default: 0)
    baumgarte: Union[float, str]
    # force against the slip per slip speed, without the load (N s m-1; default: 0)
    viscous: Union[float, str]


class SystemContacts2Needed(TypedDict):
    # R of the wheel, to the outside of its rollers (m)
    radius: Union[float, str]


class SystemContacts2(SystemContacts2Needed, total=False):
    type: Literal["roller"]
    meaning: str
    between: Sequence[str]
    # friction coefficient mu (default: 0)
    friction: Union[float, str]
    # speed below which regularised friction falls to 0 (m s-1; default: 1e-3)
    slip_speed: Union[float, str]
    # regularized_coulomb: friction below the slip speed (default: "quadratic")
    zone: Literal["quadratic", "linear"]
    # rate at which violations of rigid conditions decay; 0: they are only measured (s-1; default: 0)
    baumgarte: Union[float, str]
    # body that carries the roller; its z axis is the axle, with its centre of mass on it. Contacts with one wheel take turns
    wheel: str
    # how the contact point is found: formulas of the contact angle; vectors alone; nearest points; their differential equations
    # (default: "explicit")
    tracking: Literal["explicit", "implicit", "general", "general_differential"]
    # along the floor: no slip, with an impact where rollers change; friction below and above a slip speed; the same, saturated
    # (default: "saturated_coulomb")
    law: Literal["rolls", "regularized_coulomb", "saturated_coulomb"]
    # rolling: the roller that is down at the start gets the spin about its axis that leaves the least slip (default: "as_given")
    start: Literal["as_given", "rolling"]


class SystemContacts3Needed(TypedDict):
    # module m: pitch diameter over number of teeth (m)
    module: Union[float, str]


class SystemContacts3(SystemContacts3Needed, total=False):
    type: Literal["gear_teeth"]
    meaning: str
    between: Sequence[str]
    # rigid: a condition, which pulls too; compliant: each pair of teeth on the path of contact pushes by its stiffness (default:
    # "compliant")
    teeth: Literal["rigid", "compliant"]
    # axis of A, in its axes; that of B is parallel
    axis: Sequence[Union[float, str]]
    # centre of gear A, from its centre of mass (m; default: [0, 0, 0])
    center_a: Sequence[Union[float, str]]
    # centre of gear B, from its centre of mass (m; default: [0, 0, 0])
    center_b: Sequence[Union[float, str]]
    # number of teeth of A
    teeth_a: Union[float, str]
    # number of teeth of B
    teeth_b: Union[float, str]
    # of the tool; the working one follows from the centres' distance (rad; default: "20 deg")
    pressure_angle: Union[float, str]
    # height of the teeth over the pitch circle, in modules (default: 1)
    addendum: Union[float, str]
    # compliant: of a pair of teeth along the line of action (N m-1; default: 0)
    stiffness: Union[float, str]
    # compliant: of a pair of teeth (N s m-1; default: 0)
    damping: Union[float, str]
    # compliant: along the line of action, at the start (m; default: 0)
    backlash: Union[float, str]
    # place of a pair of teeth on the line of action at the start, from the pitch point (m; default: 0)
    phase: Union[float, str]
    # amplitude of a sinusoidal deviation of the profiles, along the line of action, positive where material is missing (m; default:
    # 0)
    deviation: Union[float, str]
    # its length on the line of action (m; default: 1)
    deviation_length: Union[float, str]
    # its phase at the pitch point (rad; default: 0)
    deviation_phase: Union[float, str]


class SystemForces(TypedDict, total=False):
    type: Literal["wrench"]
    meaning: str
    between: Sequence[str]
    # point of B at which the force acts, from its centre of mass, in its axes (m; default: [0, 0, 0])
    at: Sequence[Union[float, str]]
    # force on B (N; default: [0, 0, 0])
    force: Sequence[Union[float, str]]
    # torque on B (N m; default: [0, 0, 0])
    torque: Sequence[Union[float, str]]
    # axes of force and torque: of the world, or of B (default: "world")
    axes: Literal["world", "body"]


class SystemGroups(TypedDict, total=False):
    # how many copies, NAME[0], NAME[1] ...; it must not vary
    count: Union[float, str]
    # name of the number of the copy in expressions, "i" where it is left out
    index: str
    # bodies around the group, under the names that they have in the class
    ports: Dict[str, str]
    # place of the group's axes
    at: Sequence[Union[float, str]]
    # {"axis": [0, 1, 0], "angle": "30 deg"}, or several, one after the other about axes that stay
    turned: Union[SystemTurn, Sequence[SystemTurn]]
    # in place of turned
    quaternion: Sequence[Union[float, str]]
    # of the group's axes; what is in the group moves along
    velocity: Sequence[Union[float, str]]
    # of the group's axes, in the axes around it
    angular_velocity: Sequence[Union[float, str]]


class SystemClasses(TypedDict, total=False):
    # own names with defaults; null: each use gives it
    parameters: Dict[str, Union[float, str, None]]
    # as of the system
    bodies: Dict[str, SystemBodies]
    # as of the system
    constraints: Dict[str, Union[SystemConstraints, SystemConstraints2, SystemConstraints3, SystemConstraints4, SystemConstraints5, SystemConstraints6, SystemConstraints7, SystemConstraints8, SystemConstraints9, SystemConstraints10, SystemConstraints11, SystemConstraints12, SystemConstraints13, SystemConstraints14]]
    # as of the system
    contacts: Dict[str, Union[SystemContacts, SystemContacts2, SystemContacts3]]
    # as of the system
    forces: Dict[str, SystemForces]
    # uses of other classes within this one
    groups: Dict[str, SystemGroups]
    # for readers
    meaning: str


class SystemMeasuresNeeded(TypedDict):
    # what is measured
    of: Union[float, str]


class SystemMeasures(SystemMeasuresNeeded, total=False):
    take: Literal["final"]
    meaning: str


class SystemMeasures2Needed(TypedDict):
    # what is measured
    of: Union[float, str]


class SystemMeasures2(SystemMeasures2Needed, total=False):
    take: Literal["start"]
    meaning: str


class SystemMeasures3Needed(TypedDict):
    # what is measured
    of: Union[float, str]


class SystemMeasures3(SystemMeasures3Needed, total=False):
    take: Literal["min"]
    meaning: str


class SystemMeasures4Needed(TypedDict):
    # what is measured
    of: Union[float, str]


class SystemMeasures4(SystemMeasures4Needed, total=False):
    take: Literal["max"]
    meaning: str


class SystemMeasures5Needed(TypedDict):
    # what is measured
    of: Union[float, str]


class SystemMeasures5(SystemMeasures5Needed, total=False):
    take: Literal["mean"]
    meaning: str


class SystemMeasures6Needed(TypedDict):
    # what is measured
    of: Union[float, str]


class SystemMeasures6(SystemMeasures6Needed, total=False):
    take: Literal["rms"]
    meaning: str


class SystemMeasures7Needed(TypedDict):
    # what is measured
    of: Union[float, str]


class SystemMeasures7(SystemMeasures7Needed, total=False):
    take: Literal["integral"]
    meaning: str


class SystemMeasures8Needed(TypedDict):
    # the condition
    when: Union[float, str]


class SystemMeasures8(SystemMeasures8Needed, total=False):
    take: Literal["first"]
    meaning: str


class SystemMeasures9Needed(TypedDict):
    # the condition
    when: Union[float, str]


class SystemMeasures9(SystemMeasures9Needed, total=False):
    take: Literal["count"]
    meaning: str


class SystemSampleNeeded(TypedDict):
    of: Union[float, str]


class SystemSample(SystemSampleNeeded, total=False):
    meaning: str


class MultibodyStudySystem(TypedDict, total=False):
    # acceleration of gravity, [0, -9.81, 0] where it is left out
    gravity: Sequence[Union[float, str]]
    # what may be used several times: bodies and edges with parameters
    classes: Dict[str, SystemClasses]
    # uses of classes
    groups: Dict[str, SystemGroups]
    # rigid bodies, the vertices of the graph; "base" is at rest and need not be listed
    bodies: Dict[str, SystemBodies]
    # edges: joints, gears, springs
    constraints: Dict[str, Union[SystemConstraints, SystemConstraints2, SystemConstraints3, SystemConstraints4, SystemConstraints5, SystemConstraints6, SystemConstraints7, SystemConstraints8, SystemConstraints9, SystemConstraints10, SystemConstraints11, SystemConstraints12, SystemConstraints13, SystemConstraints14]]
    # edges: surfaces that touch
    contacts: Dict[str, Union[SystemContacts, SystemContacts2, SystemContacts3]]
    # edges: forces and torques that expressions give
    forces: Dict[str, SystemForces]
    # observables: one value of an instance each
    measures: Dict[str, Union[SystemMeasures, SystemMeasures2, SystemMeasures3, SystemMeasures4, SystemMeasures5, SystemMeasures6, SystemMeasures7, SystemMeasures8, SystemMeasures9]]
    # what a trajectory holds, "stone.wy" or {"of": "stone.wy", "meaning": "..."}; the poses of all bodies are in it anyway
    samples: Dict[str, Union[float, str, SystemSample]]
    # for readers
    meaning: str


class MultibodyStudyIntegrator(TypedDict, total=False):
    # method of integration; with a tolerance an embedded pair, by default that of the law: see "Methods" (default: rk4, or a pair)
    method: Literal["adams", "bdf"]
    # step h, the same for all, unless `tolerance` stands in its place: see "Choosing the step" (s)
    step: Union[float, str]
    # in place of `step`: every instance takes the steps that this accuracy asks for, from 1e-10 on, in single precision from 1e-5 on,
    # of `multibody` from 1e-14 on: see "Error-controlled steps"
    tolerance: Union[float, str]
    # time simulated, a whole number of fixed steps; with `data` it may be left out: that of the measured run (s)
    duration: Union[float, str]
    # what to do where the step is too long for the method: see "Choosing the step" (default: warn)
    stability: Literal["warn", "refuse", "ignore"]
    # most passes that an instance may take, as a multiple of the number of fixed steps; with a tolerance their number, by default a
    # million and as many in each second: see "Instances that fail"
    budget: float
    # `measure`: some instances are run again with shorter steps, which tells the error of the study's step: see "The step error";
    # `off`: they are not (default: measure)
    step_error: Literal["measure", "off"]
    # error by the step that is accepted of observables and criteria, a larger one is warned of: {"vibration_rms": "2 %",
    # "fail.slides": "1 %"}; by default 2 % of the thresholds in criteria: see "The step error" (default: from criteria)
    accept: Dict[str, Union[float, str]]
    # what becomes of an instance that fails: see "Instances that fail" (default: record)
    on_failure: Literal["record", "retry_half_step", "abort"]
    # with `retry_half_step`: how often an instance is run again, each time with half the step, or a tenth of the tolerance (default:
    # 1)
    retries: int


class MultibodyStudyOutput(TypedDict, total=False):
    # the observables to keep: see "Observables" (default: those that are on)
    observables: Sequence[str]
    # the instances to trace, and how often: see "Trajectories"
    trajectories: OmniVehicleStudyOutputTrajectories


class MultibodyStudyEngine(TypedDict, total=False):
    # `openmp`: packs of instances in vector registers, on all cores; `scalar`: the same, one instance at a time; `opencl`: a device;
    # `auto`: `opencl` where there is a GPU that has the precision, otherwise `openmp`, and says which; `reference`: each instance as
    # a multibody system, 100 to 7000 times slower: see "A whole study on the reference" (default: auto)
    backend: Literal["auto", "reference"]
    # OpenCL: `platform:device` numbers or part of the device's name, or of its platform's where no device has it; OpenMP: `avx512`,
    # `avx2`, `baseline`; `omniroll devices` lists them (default: chosen)
    device: str
    # of all arithmetic in the kernels; `single` counts up to 2^24 steps (default: double)
    precision: Literal["double", "single"]
    # `exact`: the same bits on every backend; `fast`: other bits on each, on some sooner; not with `scalar`: see "Fast numerics"
    # (default: exact)
    numerics: Literal["exact", "fast"]
    # `openmp`: whether the kernels are compiled for this run's settings by the system's C compiler, beside the run and with the same
    # bits; `auto`: where the work ahead pays for it; `always`: the run waits for it; see "Compiled for the run" (default: auto)
    compile: Literal["auto", "always", "never"]
    # OpenMP threads; default: all cores, or `OMP_NUM_THREADS` (default: all cores)
    threads: int
    # OpenCL: instances of a pack (default: chosen)
    lanes: Literal[1, 2, 4, 8, 16]
    # instances of a chunk, and the most that a device holds at a time; default: about 5e8 instance-steps, a power of two from 1024 to
    # 65536; fewer, down to 64, where trajectories would need more than 64 MiB: see "Long runs" (default: chosen)
    chunk: float
    # time that one kernel launch should take; progress and Ctrl-C act between launches (s; default: 0.25)
    launch_seconds: Union[float, str]
    # OpenCL: time between two checks of the device while it runs, besides those before and after: some instances on the device and by
    # the scalar build: see "A wrong device" (s; default: 600)
    check_seconds: Union[float, str]
    # OpenCL: the device counts as hanging when a launch takes longer than this and than 30 times as long as it should (s; default:
    # 60)
    hang_seconds: Union[float, str]
    # OpenCL, NVIDIA: most registers of a work-item (`-cl-nv-maxrregcount`); fewer let more of them run at a time and spill more; 0:
    # no limit (default: 0)
    max_registers: int
    # OpenCL: packs of a work-group; 0: chosen, 1 on a processor; on a GPU its preferred multiple (a warp), twice or four times as
    # many where each compute unit still gets 32 groups (default: 0)
    work_group: int


class MultibodyStudyNeeded(TypedDict):
    # of the model multibody, which needs it: its bodies, and the constraints, contacts and forces between them: see "multibody"
    system: MultibodyStudySystem


class MultibodyStudy(MultibodyStudyNeeded, total=False):
    # stands above summary and plots
    title: str
    # kept with the study, otherwise not used
    description: Union[str, Sequence[str]]
    # what is simulated: see "Models"
    model: Literal["multibody"]
    # axes and signs of everything in the study and its results: see "Frames" (default: y_up)
    frame: Literal["y_up"]
    # what differs from the defaults: see "Parameters"
    parameters: Dict[str, Union[float, str, ParametersMultibodyValue]]
    # the varied parameters and their values: see "Varying parameters"
    vary: Sequence[EntryOmniVehicle]
    # how the values combine into instances: see "Designs" (default: grid)
    design: OmniVehicleStudyDesign
    # how `omniroll calibrate` fits: see "Data"
    calibrate: OmniVehicleStudyCalibrate
    # limits of the manoeuvres among which `omniroll excite` looks for the one to drive: see "Data"
    excite: OmniVehicleStudyExcite
    # step and duration: see "Integrator"
    integrator: MultibodyStudyIntegrator
    # observables and trajectories to keep: see "Output" (default: observables that are on)
    output: MultibodyStudyOutput
    # quantiles, histograms, criteria: see "Statistics"
    statistics: OmniVehicleStudyStatistics
    # backend, device, precision: see "Engine"
    engine: MultibodyStudyEngine
    # written by `omniroll run --nominal` and `--instance`: the study that this one was made of: see "One vehicle"
    made_of: OmniVehicleStudyMadeOf


StudyDict = Union[
    OmniVehicleStudy,
    OmniWheelStudy,
    DiscVehicleStudy,
    UkWheelStudy,
    RollingDiscStudy,
    WheelsetStudy,
    SnakeboardStudy,
    SlidingBlockStudy,
    ElasticWheelStudy,
    MultibodyStudy,
]

// The views: the vehicle from above, a wheel from the side, and its contact seen through it from above.

const SECTION_POINTS = 20;
const TINY = { slip: 1e-6, force: 1e-6 }; // m/s, N: below that nothing is drawn

function colors() {
  return palette({ ink: "--ink", soft: "--ink-2", paper: "--paper", surface: "--surface", grid: "--grid", empty: "--empty",
    slip: "--series-1", force: "--series-0", load: "--series-2", active: "--series-5", patch: "--series-4", chosen: "--series-3",
    failed: "--failed" });
}

function begin(canvas) {
  return { ...penOf(canvas), color: colors() };
}

function dot(pen, at, radius, fill, edge) {
  pen.beginPath();
  pen.arc(at[0], at[1], radius, 0, 2 * Math.PI);
  pen.fillStyle = fill;
  pen.fill();
  if (edge) stroke(pen, edge, 1);
}

function words(pen, text, at, color, align, halo) {
  pen.textAlign = align || "left";
  pen.textBaseline = "middle";
  if (halo) { // readable over what is drawn below it
    pen.strokeStyle = halo;
    pen.lineWidth = 4;
    pen.strokeText(text, at[0], at[1]);
  }
  pen.fillStyle = color;
  pen.fillText(text, at[0], at[1]);
}

function arrow(pen, from, by, color, width) {
  const length = Math.hypot(by[0], by[1]);
  if (!(length > 1)) return;
  const to = [from[0] + by[0], from[1] + by[1]], head = Math.min(9, 0.6 * length);
  const ux = by[0] / length, uy = by[1] / length, back = [to[0] - head * ux, to[1] - head * uy];
  line(pen, [from, back], color, width);
  const sides = [[back[0] - 0.45 * head * uy, back[1] + 0.45 * head * ux], [back[0] + 0.45 * head * uy, back[1] - 0.45 * head * ux]];
  area(pen, [to, ...sides], { fill: color });
}

function shortNumber(value) {
  return String(Number(value.toPrecision(3)));
}

// How many pixels a unit has, so that the largest arrow is `pixels` long; 0 where there is nothing to draw.
function arrowScale(most, least, pixels) {
  return most > least ? pixels / most : 0;
}

// Scale bars, one above the other: [text of the unit, pixels per unit, color].
function scaleBars(view, bars) {
  let y = view.height - 12;
  bars.filter((bar) => bar[1] > 0).forEach((bar) => {
    const value = nice(70 / bar[1]);
    line(view.pen, [[8, y], [12 + value * bar[1], y]], view.color.paper, 7);
    line(view.pen, [[10, y], [10 + value * bar[1], y]], bar[2], 3);
    words(view.pen, `${shortNumber(value)} ${bar[0]}`, [16 + value * bar[1], y], bar[2], "left", view.color.paper);
    y -= 17;
  });
}

// --- rollers ------------------------------------------------------------------------------------------------------------------

const SIDE = { across: 0, up: 1, depth: 2 }; // i to the right, j up, k towards the viewer
const ABOVE = { across: 0, up: 2, depth: 1 }; // i to the right, k down, j towards the viewer

function cross(a, b) {
  return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
}

function rollerPose(wheel, roller, q) {
  const c = Math.cos(wheel.inclination), s = Math.sin(wheel.inclination);
  return { centre: [wheel.center * Math.sin(q), -wheel.center * Math.cos(q), rowShift(wheel, roller)],
    axis: [c * Math.cos(q), c * Math.sin(q), s] };
}

// Two directions across the axis, the first in the plane of the axis and the line of sight.
function acrossAxis(axis, depth) {
  const sight = [0, 0, 0];
  sight[depth] = 1;
  const along = axis[depth], size = Math.sqrt(Math.max(1 - along * along, 0));
  const other = Math.abs(axis[0]) < 0.9 ? [1, 0, 0] : [0, 1, 0];
  const u = size > 1e-6 ? sight.map((d, i) => (d - along * axis[i]) / size) : normal(cross(axis, other));
  return { u: u, v: cross(axis, u), along: along, size: size };
}

function normal(a) {
  const size = Math.hypot(a[0], a[1], a[2]);
  return a.map((x) => x / size);
}

// Points of a roller whose hull is its outline: of every section the two where the surface turns away from the viewer (its normal
// cos t u + sin t v - r' e is square to the line of sight), and the circles of the ends and the middle.
function outlinePoints(wheel, pose, view, from, to) {
  const frame = acrossAxis(pose.axis, view.depth), points = [];
  const add = (s, r, c, t) => {
    const p = pose.centre.map((x, i) => x + s * pose.axis[i] + r * (c * frame.u[i] + t * frame.v[i]));
    points.push([p[view.across], p[view.up]]);
  };
  const circle = (s, r) => {
    for (let k = 0; k < SECTION_POINTS; k++) {
      const t = 2 * Math.PI * k / SECTION_POINTS;
      add(s, r, Math.cos(t), Math.sin(t));
    }
  };
  wheel.profile.forEach((section) => {
    if (section[0] < from - 1e-12 || section[0] > to + 1e-12) return;
    const c = frame.size > 1e-6 ? section[2] * frame.along / frame.size : 2;
    if (Math.abs(c) <= 1) {
      add(section[0], section[1], c, Math.sqrt(1 - c * c));
      add(section[0], section[1], c, -Math.sqrt(1 - c * c));
    }
  });
  const inside = wheel.profile.filter((section) => section[0] >= from - 1e-12 && section[0] <= to + 1e-12);
  const widest = inside.reduce((most, section) => (section[1] > most[1] ? section : most));
  [inside[0], widest, inside[inside.length - 1]].forEach((section) => circle(section[0], section[1]));
  return points;
}

function hull(points) {
  const sorted = points.slice().sort((a, b) => a[0] - b[0] || a[1] - b[1]);
  const half = (list) => {
    const kept = [];
    list.forEach((p) => {
      while (kept.length > 1 && turn(kept[kept.length - 2], kept[kept.length - 1], p) <= 0) kept.pop();
      kept.push(p);
    });
    kept.pop();
    return kept;
  };
  return half(sorted).concat(half(sorted.reverse()));
}

function turn(a, b, c) {
  return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
}

// The rollers of a wheel with their angles from straight down.
function rollersOf(wheel, angle) {
  return Array.from({ length: wheel.rollers }, (_, j) => ({ number: j, q: angle + 2 * Math.PI * j / wheel.rollers }));
}

function fillRoller(pen, wheel, roller, view, put, range, style) {
  const points = hull(outlinePoints(wheel, rollerPose(wheel, roller.number, roller.q), view, range[0], range[1]));
  if (points.length >= 3) area(pen, points.map(put), style);
}

function rollerStyle(view, wheel, roller, active) {
  const carries = roller.number === active, odd = wheel.row > 0 && roller.number % 2 === 1;
  const fill = carries ? view.color.active : odd ? view.color.empty : view.color.surface;
  return { fill: fill, edge: view.color.soft, width: carries ? 1.6 : 1 };
}

// --- from above ---------------------------------------------------------------------------------------------------------------

function axesOf(wheel) {
  return { i: [wheel.axis_z, -wheel.axis_x], k: [wheel.axis_x, wheel.axis_z] };
}

function camera(view, scene, state, whole) {
  const half = scene.size * (scene.wheels.length ? 1.55 : 1.9);
  let box = { x: state.x, z: state.z, height: 2 * half, width: 2 * half };
  if (whole) {
    const low = scene.extent[0], high = scene.extent[1];
    box = { x: (low[0] + high[0]) / 2, z: (low[1] + high[1]) / 2, height: high[0] - low[0] + 2 * half, width: high[1] - low[1] + 2 * half };
  }
  const scale = Math.min(view.width / box.width, view.height / box.height);
  const half_x = view.height / 2 / scale, half_z = view.width / 2 / scale;
  return { scale: scale, put: (p) => [view.width / 2 + (p[1] - box.z) * scale, view.height / 2 - (p[0] - box.x) * scale],
    low: [box.x - half_x, box.z - half_z], high: [box.x + half_x, box.z + half_z] };
}

function floorGrid(view, cam) {
  const step = nice(90 / cam.scale);
  const draw = (from, to) => line(view.pen, [cam.put(from), cam.put(to)], view.color.grid, 1);
  for (let x = Math.ceil(cam.low[0] / step) * step; x <= cam.high[0]; x += step) draw([x, cam.low[1]], [x, cam.high[1]]);
  for (let z = Math.ceil(cam.low[1] / step) * step; z <= cam.high[1]; z += step) draw([cam.low[0], z], [cam.high[0], z]);
}

// Ground with a friction of its own.
function patchesOf(view, cam, scene) {
  (scene.patches || []).forEach((patch) => {
    const corners = patch.corners.map(cam.put);
    area(view.pen, corners, { fill: view.color.patch, opacity: 0.22, edge: view.color.patch, width: 1 });
    const inside = (axis, most) => {
      const low = Math.max(Math.min(...corners.map((p) => p[axis])), 0), high = Math.min(Math.max(...corners.map((p) => p[axis])), most);
      return low < high ? (low + high) / 2 : -100;
    };
    words(view.pen, `μ ${shortNumber(patch.friction)}`, [inside(0, view.width), inside(1, view.height)], view.color.soft, "center");
  });
}

function pathSoFar(view, cam, scene, state) {
  const points = [], stride = Math.max(1, Math.floor(state.index / 1500));
  for (let k = 0; k < state.index; k += stride) points.push(cam.put([sampleAt(scene, "x", k), sampleAt(scene, "z", k)]));
  points.push(cam.put([state.x, state.z]));
  line(view.pen, points, view.color.soft, 1.5);
  dot(view.pen, points[0], 3, view.color.paper, view.color.soft);
}

function heading(view, cam, scene, state) {
  const from = cam.put([state.x, state.z]), to = cam.put(toWorld(state, 0.75 * scene.size, 0));
  arrow(view.pen, from, [to[0] - from[0], to[1] - from[1]], view.color.ink, 2);
}

function platform(view, cam, scene, state) {
  const ring = scene.platform.map((p) => cam.put(toWorld(state, p[0], p[1])));
  if (ring.length >= 3) area(view.pen, ring, { fill: view.color.surface, opacity: 0.75, edge: view.color.soft, width: 1.5 });
}

function wheelFromAbove(view, cam, scene, state, number, chosen) {
  const now = state.wheels[number], wheel = now.wheel, axes = axesOf(wheel);
  const put = (p) => cam.put(toWorld(state, wheel.x + p[0] * axes.i[0] + p[1] * axes.k[0], wheel.z + p[0] * axes.i[1] + p[1] * axes.k[1]));
  const long = wheel.rollers ? wheel.hub : wheel.radius, wide = wheel.half_width;
  const edge = chosen ? view.color.chosen : view.color.soft, style = { fill: view.color.surface, edge: edge, width: 1 };
  area(view.pen, [[long, wide], [-long, wide], [-long, -wide], [long, -wide]].map(put),
    { fill: view.color.empty, edge: edge, width: chosen ? 2.5 : 1 });
  const upper = rollersOf(wheel, now.angle).filter((r) => Math.cos(r.q) < 0.2).sort((a, b) => Math.cos(b.q) - Math.cos(a.q));
  upper.forEach((r) => fillRoller(view.pen, wheel, r, ABOVE, put, [-Infinity, Infinity], style));
  if (!wheel.rollers && wheel.inclination !== null) paintedAxis(view, wheel, put);
}

// Of a disc instead of rollers: the direction of the painted roller's axis at the contact.
function paintedAxis(view, wheel, put) {
  const c = 0.7 * wheel.radius * Math.cos(wheel.inclination), s = 0.7 * wheel.radius * Math.sin(wheel.inclination);
  line(view.pen, [put([-c, -s]), put([c, s])], view.color.soft, 1.5);
}

function wheelName(view, cam, scene, state, number, chosen) {
  const wheel = state.wheels[number].wheel, k = axesOf(wheel).k, side = wheel.x * k[0] + wheel.z * k[1] < 0 ? -1 : 1; // beyond its outer face
  const out = side * (wheel.reach + 9 / cam.scale);
  const at = cam.put(toWorld(state, wheel.x + out * k[0], wheel.z + out * k[1]));
  words(view.pen, String(number), at, chosen ? view.color.chosen : view.color.soft, "center", view.color.paper);
}

// A vector (i, k) of a wheel as pixels.
function wheelVector(state, wheel, vector, scale) {
  const axes = axesOf(wheel), zero = { x: 0, z: 0, yaw: state.yaw };
  const world = toWorld(zero, vector[0] * axes.i[0] + vector[1] * axes.k[0], vector[0] * axes.i[1] + vector[1] * axes.k[1]);
  return [world[1] * scale, -world[0] * scale];
}

function contactFromAbove(view, cam, scene, state, number, scales) {
  const now = state.wheels[number], wheel = now.wheel, at = cam.put(now.contact);
  arrow(view.pen, at, wheelVector(state, wheel, now.force, scales.force), view.color.force, 2.4);
  arrow(view.pen, at, wheelVector(state, wheel, now.slip, scales.slip), view.color.slip, 2.4);
  dot(view.pen, at, 3.5, view.color.active, view.color.ink);
}

function legendAbove(view, cam, scales, ros) {
  const corner = [view.width - 20, view.height - 16], length = 22, at = ros ? corner[0] : corner[0] - length;
  arrow(view.pen, [at, corner[1]], [0, -length], view.color.soft, 1.2);
  arrow(view.pen, [at, corner[1]], [ros ? -length : length, 0], view.color.soft, 1.2);
  words(view.pen, "x", [at + (ros ? 9 : -9), corner[1] - length + 4], view.color.soft, "center");
  words(view.pen, ros ? "y" : "z", [ros ? at - length - 8 : corner[0] + 8, corner[1]], view.color.soft, "center");
  const slip = ["m/s slip", scales.slip, view.color.slip], force = ["N force", scales.force, view.color.force];
  scaleBars(view, [["m", cam.scale, view.color.soft], slip, force]);
}

function drawAbove(canvas, scene, state, chosen, whole) {
  const view = begin(canvas), cam = camera(view, scene, state, whole), pixels = 0.2 * Math.min(view.width, view.height);
  const scales = { slip: arrowScale(scene.usual.slip, TINY.slip, pixels), force: arrowScale(scene.most.force, TINY.force, pixels) };
  floorGrid(view, cam);
  patchesOf(view, cam, scene);
  if (scene.parts || scene.disc) pathSoFar(view, cam, scene, state);
  if (scene.parts) drawParts(view, cam, scene, state, scales);
  else if (scene.disc) drawDisc(view, cam, scene, state, scales);
  else {
    platform(view, cam, scene, state);
    pathSoFar(view, cam, scene, state);
    scene.wheels.forEach((_, i) => wheelFromAbove(view, cam, scene, state, i, i === chosen));
    heading(view, cam, scene, state);
    scene.wheels.forEach((_, i) => wheelName(view, cam, scene, state, i, i === chosen));
    scene.wheels.forEach((_, i) => contactFromAbove(view, cam, scene, state, i, scales));
  }
  legendAbove(view, cam, scales, scene.frame === "ros");
  return cam;
}

// --- models of bodies alone: wheelset, snakeboard, rolling disc ----------------------------------------------------------------

// Where a point of a part lies: turned by its own angles about its place, then with the body.
function partPoint(state, part, p) {
  const angle = part.turn.reduce((sum, name) => sum + state.value(name), 0);
  const own = toWorld({ x: part.at[0], z: part.at[1], yaw: angle }, p[0], p[1]);
  return toWorld(state, own[0], own[1]);
}

function drawParts(view, cam, scene, state, scales) {
  scene.parts.forEach((part) => {
    area(view.pen, part.outline.map((p) => cam.put(partPoint(state, part, p))),
      { fill: view.color[part.fill], edge: view.color.soft, width: 1.2 });
  });
  heading(view, cam, scene, state);
  scene.arrows.forEach((one) => {
    const from = cam.put(partPoint(state, one, [0, 0])), size = state.value(one.channel) * scales.force / cam.scale;
    const to = cam.put(partPoint(state, one, [one.along[0] * size, one.along[1] * size]));
    arrow(view.pen, from, [to[0] - from[0], to[1] - from[1]], view.color.force, 2.4);
    dot(view.pen, from, 3, view.color.active, view.color.ink);
  });
}

// A disc of radius R with axis w1: R long across the axis' trace on the plane, R |w1_y| short along it.
function drawDisc(view, cam, scene, state, scales) {
  const ax = state.value("axis_x"), ay = state.value("axis_y"), az = state.value("axis_z");
  const flat = Math.hypot(ax, az) || 1, radius = scene.disc.radius;
  const points = Array.from({ length: 48 }, (_, k) => {
    const along = radius * Math.abs(ay) * Math.cos(k * Math.PI / 24) / flat, across = radius * Math.sin(k * Math.PI / 24) / flat;
    return cam.put([state.x + along * ax - across * az, state.z + along * az + across * ax]);
  });
  area(view.pen, points, { fill: view.color.empty, opacity: 0.6, edge: view.color.ink, width: 1.5 });
  discContact(view, cam, state, scales);
}

function discContact(view, cam, state, scales) {
  const yaw = Math.atan2(state.value("heading_sin"), state.value("heading_cos"));
  const at = cam.put([state.value("contact_x"), state.value("contact_z")]);
  const pixels = (long, lateral) => { // along w2 = (cos, -sin) and w_lat = (-sin, -cos) in (x, z)
    const x = long * Math.cos(yaw) - lateral * Math.sin(yaw), z = -long * Math.sin(yaw) - lateral * Math.cos(yaw);
    return [z, -x];
  };
  arrow(view.pen, at, pixels(1, 0).map((p) => 40 * p), view.color.ink, 1.6);
  arrow(view.pen, at, pixels(state.value("force_long"), state.value("force_lat")).map((p) => p * scales.force), view.color.force, 2.4);
  arrow(view.pen, at, pixels(state.value("slip_long"), state.value("slip_lat")).map((p) => p * scales.slip), view.color.slip, 2.4);
  dot(view.pen, at, 3.5, view.color.active, view.color.ink);
}

// --- a wheel from the side ------------------------------------------------------------------------------------------------------

function drawFloor(view, put, wheel, now, scale) {
  const level = put([0, -wheel.radius])[1], step = nice(60 / scale), first = -now.travel - Math.floor((-now.travel) / step) * step;
  line(view.pen, [[0, level], [view.width, level]], view.color.ink, 1.5);
  for (let i = first - 30 * step; i < 30 * step; i += step) { // marks of the floor pass by as the wheel's centre moves along i
    const x = put([i, 0])[0];
    if (x > -10 && x < view.width + 10) line(view.pen, [[x, level], [x - 6, level + 8]], view.color.soft, 1.2);
  }
}

function hubFromSide(view, put, wheel, now, scale) {
  const centre = put([0, 0]);
  dot(view.pen, centre, wheel.hub * scale, view.color.empty, view.color.soft);
  const spoke = (q, far, width) => line(view.pen, [centre, put([far * Math.sin(q), -far * Math.cos(q)])], view.color.soft, width);
  rollersOf(wheel, now.angle).forEach((r) => spoke(r.q, wheel.hub, r.number ? 1 : 3));
  if (!wheel.rollers) spoke(now.angle, wheel.radius, 3);
  dot(view.pen, centre, 3, view.color.ink);
}

// With inclined rollers each covers its neighbour on one side: all are drawn, then their halves towards the viewer once more.
function rollersFromSide(view, put, wheel, now) {
  const all = rollersOf(wheel, now.angle), style = (r) => rollerStyle(view, wheel, r, now.roller);
  const draw = (r) => fillRoller(view.pen, wheel, r, SIDE, put, [-Infinity, Infinity], style(r));
  all.filter((r) => rowShift(wheel, r.number) < 0).concat(all.filter((r) => rowShift(wheel, r.number) >= 0)).forEach(draw);
  if (Math.abs(wheel.inclination) < 1e-9) return;
  const near = wheel.inclination > 0 ? [0, Infinity] : [-Infinity, 0];
  const clipped = (r) => {
    const half = hull(outlinePoints(wheel, rollerPose(wheel, r.number, r.q), SIDE, near[0], near[1])).map(put);
    view.pen.save();
    trace(view.pen, widened(half, 1));
    view.pen.clip();
    draw(r);
    view.pen.restore();
  };
  if (wheel.row > 0) all.filter((r) => rowShift(wheel, r.number) < 0).forEach(clipped);
  if (wheel.row > 0) all.filter((r) => rowShift(wheel, r.number) >= 0).forEach(draw);
  all.filter((r) => rowShift(wheel, r.number) >= 0).forEach(clipped);
}

// A polygon with its corners `by` farther from its middle, so that a line along its edge is inside.
function widened(points, by) {
  const middle = [0, 1].map((axis) => points.reduce((sum, p) => sum + p[axis], 0) / points.length);
  return points.map((p) => {
    const away = [p[0] - middle[0], p[1] - middle[1]], size = Math.hypot(away[0], away[1]) || 1;
    return [p[0] + by * away[0] / size, p[1] + by * away[1] / size];
  });
}

function rollerNumbers(view, put, wheel, now, scale) {
  if (wheel.center * scale * 2 * Math.PI / wheel.rollers < 22) return;
  rollersOf(wheel, now.angle).forEach((r) => {
    const at = put([wheel.center * Math.sin(r.q), -wheel.center * Math.cos(r.q)]);
    words(view.pen, String(r.number), at, r.number === now.roller ? "#1d2125" : view.color.soft, "center");
  });
}

function drawSide(canvas, scene, state, chosen) {
  const view = begin(canvas), now = state.wheels[chosen], wheel = now.wheel;
  const scale = Math.min(view.width / (2.5 * wheel.radius), view.height / (2.95 * wheel.radius));
  const put = (p) => [view.width / 2 + p[0] * scale, view.height * 0.42 - p[1] * scale];
  const scales = { load: arrowScale(scene.most.load, TINY.force, 0.9 * wheel.radius * scale),
    slip: arrowScale(scene.usual.slip, TINY.slip, 0.3 * view.width) };
  drawFloor(view, put, wheel, now, scale);
  if (wheel.rollers) rollersFromSide(view, put, wheel, now);
  else dot(view.pen, put([0, 0]), wheel.radius * scale, view.color.surface, view.color.soft);
  hubFromSide(view, put, wheel, now, scale);
  if (wheel.rollers) rollerNumbers(view, put, wheel, now, scale);
  const contact = put([0, -wheel.radius]);
  arrow(view.pen, contact, [0, -now.load * scales.load], view.color.load, 2.6);
  arrow(view.pen, contact, [now.force[0] * scales.load, 0], view.color.force, 2.6);
  arrow(view.pen, [contact[0], contact[1] + 5], [now.slip[0] * scales.slip, 0], view.color.slip, 2.6);
  dot(view.pen, contact, 3.5, view.color.active, view.color.ink);
  sideLegend(view, scene, wheel, scales);
}

// Where i points, by the axis angle: i = (cos, -sin) in (x, z).
function wayOf(wheel) {
  const left = Math.round(Math.atan2(wheel.axis_x, wheel.axis_z) * 180 / Math.PI);
  if (left === 0) return "i, forward";
  return Math.abs(left) === 180 ? "i, backward" : `i, ${Math.abs(left)}° ${left > 0 ? "left" : "right"} of forward`;
}

function sideLegend(view, scene, wheel, scales) {
  arrow(view.pen, [view.width - 46, 14], [28, 0], view.color.soft, 1.2);
  words(view.pen, scene.forward || wayOf(wheel), [view.width - 52, 14], view.color.soft, "right", view.color.paper);
  scaleBars(view, [["m/s slip", scales.slip, view.color.slip], ["N", scales.load, view.color.load]]);
}

// --- its contact, seen through the wheel from above --------------------------------------------------------------------------------

function drawContact(canvas, scene, state, chosen) {
  const view = begin(canvas), now = state.wheels[chosen], wheel = now.wheel, half = wheel.footprint;
  const scale = Math.min(view.width, view.height) / (2 * half);
  const put = (p) => [view.width / 2 + p[0] * scale, view.height / 2 + p[1] * scale];
  const scales = { force: arrowScale(scene.most.grip, TINY.force, 0.3 * Math.min(view.width, view.height)),
    slip: arrowScale(scene.usual.slip, TINY.slip, 0.3 * Math.min(view.width, view.height)) };
  rollersOf(wheel, now.angle).filter((r) => Math.cos(r.q) > 0.3).sort((a, b) => Math.cos(a.q) - Math.cos(b.q)).forEach((r) =>
    fillRoller(view.pen, wheel, r, ABOVE, put, [-Infinity, Infinity], rollerStyle(view, wheel, r, now.roller)));
  if (!wheel.rollers && wheel.inclination !== null) paintedAxis(view, wheel, put);
  line(view.pen, [put([0, -half]), put([0, half])], view.color.grid, 1);
  const at = put([0, -now.offset]);
  frictionCircle(view, at, now.friction * now.load * scales.force);
  arrow(view.pen, at, [now.force[0] * scales.force, now.force[1] * scales.force], view.color.force, 2.6);
  arrow(view.pen, at, [now.slip[0] * scales.slip, now.slip[1] * scales.slip], view.color.slip, 2.6);
  dot(view.pen, at, 3.5, view.color.active, view.color.ink);
  contactLegend(view, scales, scene.frame === "ros");
}

// The force ends on it where friction is used up.
function frictionCircle(view, at, radius) {
  if (!(radius > 0)) return;
  view.pen.beginPath();
  view.pen.setLineDash([4, 4]);
  view.pen.arc(at[0], at[1], radius, 0, 2 * Math.PI);
  stroke(view.pen, view.color.force, 1.2);
  view.pen.setLineDash([]);
}

function contactLegend(view, scales, ros) {
  const down = ros ? -1 : 1, corner = [view.width - 44, ros ? 44 : 14]; // k to the left of the wheel, or to its right
  arrow(view.pen, corner, [24, 0], view.color.soft, 1.2);
  arrow(view.pen, corner, [0, 24 * down], view.color.soft, 1.2);
  words(view.pen, "i", [corner[0] + 32, corner[1]], view.color.soft, "center");
  words(view.pen, "k", [corner[0], corner[1] + 32 * down], view.color.soft, "center");
  scaleBars(view, [["m/s slip", scales.slip, view.color.slip], ["N force", scales.force, view.color.force]]);
}

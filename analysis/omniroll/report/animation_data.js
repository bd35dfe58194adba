// Samples as the file has them, quantised to integers by report/scenes.py, and the state between two of them.

const MISSING = { 2: -32768, 4: -2147483648 };

function integers(base64, bytes) {
  const raw = new DataView(bytesOf(base64).buffer);
  const read = bytes === 4 ? (at) => raw.getInt32(at, true) : (at) => raw.getInt16(at, true);
  return Array.from({ length: raw.byteLength / bytes }, (_, k) => read(k * bytes));
}

function decoded(channel) {
  const values = Float64Array.from(integers(channel.data, channel.bytes), (n) =>
    n === MISSING[channel.bytes] ? NaN : channel.offset + channel.scale * n);
  return { values: values, wide: channel.wide };
}

// Instances are decoded when they are first shown.
function prepare(scene) {
  if (scene.samples) return scene;
  scene.samples = {};
  Object.keys(scene.channels).forEach((name) => { scene.samples[name] = decoded(scene.channels[name]); });
  scene.end = scene.start + scene.step * (scene.count - 1);
  return scene;
}

function sampleAt(scene, name, index, wheel) {
  const channel = scene.samples[name];
  return channel ? channel.values[index * channel.wide + (wheel || 0)] : NaN;
}

// Cubic through both samples with their rates: right between samples that lie many rollers apart.
function hermite(scene, name, rate, at, wheel) {
  const y0 = sampleAt(scene, name, at.index, wheel);
  if (at.part === 0) return y0;
  const y1 = sampleAt(scene, name, at.index + 1, wheel), h = scene.step, s = at.part;
  const d0 = h * sampleAt(scene, rate, at.index, wheel), d1 = h * sampleAt(scene, rate, at.index + 1, wheel);
  const c2 = 3 * (y1 - y0) - 2 * d0 - d1, c3 = d0 + d1 - 2 * (y1 - y0);
  return y0 + s * (d0 + s * (c2 + s * c3));
}

// What jumps when the next roller takes over is not smeared over the jump: nearest is 0 or 1 there, and null where a line is right.
function between(scene, name, at, wheel, nearest) {
  const y0 = sampleAt(scene, name, at.index, wheel);
  if (at.part === 0 || nearest === 0) return y0;
  const y1 = sampleAt(scene, name, at.index + 1, wheel);
  if (nearest === 1 || isNaN(y0)) return y1;
  return isNaN(y1) ? y0 : y0 + at.part * (y1 - y0);
}

function place(scene, time) {
  const whole = Math.min(Math.max((time - scene.start) / scene.step, 0), scene.count - 1);
  const index = Math.min(Math.floor(whole + 1e-9), scene.count - 1);
  const part = Math.max(whole - index, 0);
  return { index: index, part: part < 1e-9 ? 0 : part };
}

// Which roller carries the wheel, counted over all turns, and its angle q (geometry.Wheel.active_roller).
function passedRollers(rollers, angle, rate) {
  const turns = angle * rollers / (2 * Math.PI);
  return rate < 0 ? Math.ceil(turns - 0.5) : Math.floor(turns + 0.5);
}

function contactOf(wheel, angle, rate) {
  if (!wheel.rollers) return { passed: 0, roller: -1, q: 0, offset: 0 };
  const passed = passedRollers(wheel.rollers, angle, rate), n = wheel.rollers;
  const q = angle - passed * 2 * Math.PI / n, roller = ((-passed % n) + n) % n;
  return { passed: passed, roller: roller, q: q,
    offset: wheel.center * Math.tan(q) * Math.tan(wheel.inclination) - rowShift(wheel, roller) };
}

function rowShift(wheel, roller) {
  return (roller % 2 === 0 ? 0.5 : -0.5) * wheel.row;
}

// The sample whose roller is in contact now, where the two samples have different ones.
function nearestSample(scene, wheel, at, i, passed) {
  if (!wheel.rollers || at.part === 0) return null;
  const of = (k) => passedRollers(wheel.rollers, sampleAt(scene, "angle", at.index + k, i), sampleAt(scene, "rate", at.index + k, i));
  const first = of(0), last = of(1);
  if (first === last) return null;
  if (passed === first) return 0;
  return passed === last ? 1 : Math.round(at.part);
}

// The wheel where its fork has turned it: its axle, and its centre behind the swivel axis (appendix/vehicle.md, Kinds).
function steered(scene, i, at) {
  const wheel = scene.wheels[i];
  if (!scene.samples.steer) return wheel;
  const angle = between(scene, "steer", at, i, null), c = Math.cos(angle), s = Math.sin(angle), trail = wheel.trail || 0;
  const axis = { x: wheel.axis_x * c + wheel.axis_z * s, z: wheel.axis_z * c - wheel.axis_x * s };
  return { ...wheel, axis_x: axis.x, axis_z: axis.z, x: wheel.x - trail * axis.z, z: wheel.z + trail * axis.x };
}

function wheelState(scene, i, at, pose) {
  const wheel = steered(scene, i, at);
  const angle = hermite(scene, "angle", "rate", at, i), rate = between(scene, "rate", at, i, null);
  const contact = contactOf(wheel, angle, rate);
  const nearest = nearestSample(scene, wheel, at, i, contact.passed);
  const value = (name) => between(scene, name, at, i, nearest);
  const a = wheel.x - contact.offset * wheel.axis_x, b = wheel.z - contact.offset * wheel.axis_z;
  return { wheel: wheel, angle: angle, rate: rate, passed: contact.passed, roller: contact.roller, q: contact.q, offset: contact.offset,
    slip: [value("slip_i"), value("slip_k")], force: [value("force_i"), value("force_k")], load: value("load"),
    friction: value("friction"), travel: hermite(scene, "travel", "along", at, i), contact: toWorld(pose, a, b) };
}

// Body axes to world (docs/reference/study-file.md, Axes and signs).
function toWorld(pose, a, b) {
  const c = Math.cos(pose.yaw), s = Math.sin(pose.yaw);
  return [pose.x + a * c + b * s, pose.z + b * c - a * s];
}

function stateAt(scene, time) {
  const at = place(scene, time);
  const state = { time: time, index: at.index, x: hermite(scene, "x", "dx", at, 0), z: hermite(scene, "z", "dz", at, 0),
    yaw: scene.samples.yaw ? hermite(scene, "yaw", "dyaw", at, 0) : 0 };
  state.wheels = scene.wheels.map((_, i) => wheelState(scene, i, at, state));
  state.value = (name) => between(scene, name, at, 0, null);
  return state;
}

function sizes(scene, names) {
  const count = scene.count * scene.samples[names[0]].wide;
  return Array.from({ length: count }, (_, k) => Math.hypot(...names.map((name) => scene.samples[name].values[k])) || 0);
}

function largest(scene, names) {
  return sizes(scene, names).reduce((most, size) => Math.max(most, size), 0);
}

// What 98 % of the samples do not exceed, at least a twentieth of the largest.
function usual(scene, names) {
  const sorted = sizes(scene, names).sort((a, b) => a - b), count = sorted.length;
  return count ? Math.max(sorted[Math.floor(0.98 * (count - 1))], sorted[count - 1] / 20) : 0;
}

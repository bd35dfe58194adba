// The player: what is shown, when, and by which keys. The views stand in animation_draw.js, the samples in animation_data.js.

const player = { scenes: [], scene: null, chosen: 0, time: 0, speed: 1, playing: false, loop: false, whole: false, last: 0, camera: null };
const root = document.getElementById("animation-player");
const part = (name) => root.querySelector(`[data-part="${name}"]`);

function seconds(value) {
  return value.toFixed(player.scene.step < 0.002 ? 4 : 3);
}

function signed(value, digits) {
  return isNaN(value) ? "–" : (value < 0 ? "−" : "") + Math.abs(value).toFixed(digits);
}

// --- what the numbers beside the views say ---------------------------------------------------------------------------------------

function degrees(angle) {
  return angle * 180 / Math.PI;
}

function saidOf(one, state) {
  const side = one.channel === "z" && player.scene.frame === "ros"; // y, to the left
  const value = signed(state.value(one.channel) * one.factor * (side ? -1 : 1), one.digits);
  return `${side ? "y" : one.label} ${value}${one.unit === "°" ? "" : " "}${one.unit}`;
}

function bodyText(state) {
  return `instance ${player.scene.number} · t ${seconds(state.time)} s · ${poseText(state)}`;
}

function poseText(state) {
  if (player.scene.readout) return player.scene.readout.map((one) => saidOf(one, state)).join(" · ");
  const side = player.scene.frame === "ros" ? `y ${signed(-state.z, 3)}` : `z ${signed(state.z, 3)}`;
  return `x ${signed(state.x, 3)} m · ${side} m · yaw ${signed(degrees(state.yaw), 1)}°`;
}

function wheelText(state) {
  const now = state.wheels[player.chosen], wheel = player.scene.wheels[player.chosen];
  if (!now) return "";
  const force = Math.hypot(now.force[0], now.force[1]), slip = Math.hypot(now.slip[0], now.slip[1]), limit = now.friction * now.load;
  const roller = wheel.rollers ? `roller ${now.roller} at ${signed(degrees(player.scene.frame === "ros" ? -now.q : now.q), 1)}° · ` : "";
  const use = limit > 0 ? ` (${(100 * force / limit).toFixed(0)} % of μN)` : "";
  const forward = player.scene.forward || player.scene.frame === "ros"; // a positive rate drives forward
  const name = player.scene.wheels.length > 1 ? `wheel ${player.chosen}` : "wheel";
  return `${name}: ${roller}rate ${signed(forward ? -now.rate : now.rate, 2)} rad/s · slip ${signed(1000 * slip, 2)} mm/s · ` +
    `load ${signed(now.load, 1)} N · contact force ${signed(force, 2)} N${use}`;
}

// --- drawing one moment -----------------------------------------------------------------------------------------------------------

function show() {
  const scene = player.scene, state = stateAt(scene, player.time);
  if (scene.above) player.camera = drawAbove(part("above"), scene, state, player.chosen, player.whole);
  if (scene.wheels.length) {
    drawSide(part("side"), scene, state, player.chosen);
    drawContact(part("contact"), scene, state, player.chosen);
  }
  part("time").textContent = `${seconds(player.time)} s`;
  part("body").textContent = bodyText(state);
  part("wheel-state").textContent = wheelText(state);
  const ended = scene.failed && player.time >= scene.end - 1e-9;
  part("failed").textContent = ended ? scene.failed : "";
  part("slider").value = String(player.time);
  part("slider").setAttribute("aria-valuetext", `${seconds(player.time)} s`);
  return state;
}

// Where the next roller of the chosen wheel takes over, as marks above the slider.
function drawMarks() {
  const view = begin(part("marks")), scene = player.scene, wheel = scene.wheels[player.chosen];
  const x = (time) => 8 + (view.width - 16) * (time - scene.start) / Math.max(scene.end - scene.start, 1e-12);
  if (wheel && wheel.rollers) {
    const times = exchangeTimes(scene, wheel, player.chosen), crowd = times.length > view.width / 3;
    view.pen.globalAlpha = crowd ? 0.35 : 1;
    times.forEach((time) => line(view.pen, [[x(time), 3], [x(time), view.height - 1]], view.color.active, 1.2));
    view.pen.globalAlpha = 1;
  }
  if (scene.failed) line(view.pen, [[x(scene.end), 0], [x(scene.end), view.height]], view.color.failed, 3);
}

function exchangeTimes(scene, wheel, number) {
  const found = [], turns = (k) => sampleAt(scene, "angle", k, number) * wheel.rollers / (2 * Math.PI) - 0.5;
  for (let k = 0; k + 1 < scene.count; k++) {
    const a = turns(k), b = turns(k + 1), low = Math.min(a, b), high = Math.max(a, b);
    for (let edge = Math.floor(low) + 1; edge <= high; edge++) found.push(scene.start + scene.step * (k + (edge - a) / (b - a)));
  }
  return found;
}

// --- time -------------------------------------------------------------------------------------------------------------------------

function seek(time) {
  player.time = Math.min(Math.max(time, player.scene.start), player.scene.end);
  return show();
}

function tick(now) {
  if (!player.playing) return;
  const passed = Math.min((now - player.last) / 1000, 0.25) * player.speed; // a tab that slept does not jump
  player.last = now;
  let time = player.time + Math.max(passed, 0);
  if (time >= player.scene.end) {
    if (player.loop) time = player.scene.start;
    else { seek(player.scene.end); pause(); return; }
  }
  seek(time);
  requestAnimationFrame(tick);
}

function play() {
  if (player.playing) return;
  if (player.time >= player.scene.end) player.time = player.scene.start;
  player.playing = true;
  player.last = performance.now();
  labelPlay();
  requestAnimationFrame(tick);
}

function pause() {
  player.playing = false;
  labelPlay();
}

function labelPlay() {
  part("play").textContent = player.playing ? "Pause" : "Play";
}

// To the next stored sample, or several of them.
function step(samples) {
  pause();
  const whole = Math.round((player.time - player.scene.start) / player.scene.step + (samples > 0 ? -0.499 : 0.499));
  seek(player.scene.start + (whole + samples) * player.scene.step);
}

// --- choosing ---------------------------------------------------------------------------------------------------------------------

function chooseInstance(number) {
  player.scene = prepare(player.scenes[number]);
  measure(player.scene);
  player.chosen = Math.min(player.chosen, Math.max(player.scene.wheels.length - 1, 0));
  fillWheels();
  part("slider").min = String(player.scene.start);
  part("slider").max = String(player.scene.end);
  part("slider").step = String(player.scene.step / 20);
  part("about").textContent = player.scene.about;
  root.classList.toggle("no-above", !player.scene.above);
  root.classList.toggle("no-marks", !player.scene.failed && !player.scene.wheels.some((wheel) => wheel.rollers));
  root.classList.toggle("no-wheels", !player.scene.wheels.length);
  player.whole = player.scene.whole;
  labelCamera();
  part("end").textContent = `of ${seconds(player.scene.end)} s`;
  pause();
  seek(player.scene.start);
  drawMarks();
}

// The scale of slip goes by what all but the shortest peaks reach: their arrows are longer than the view.
function measure(scene) {
  const most = (names) => (scene.samples[names[0]] ? largest(scene, names) : 0);
  if (scene.usual) return;
  scene.usual = { slip: scene.most ? scene.most.slip : usual(scene, ["slip_i", "slip_k"]) };
  if (scene.most) return;
  scene.most = { slip: most(["slip_i", "slip_k"]), force: most(["force_i", "force_k"]), load: most(["load"]), grip: gripOf(scene) };
}

function gripOf(scene) {
  if (!scene.samples.load) return 0;
  let found = 0;
  for (let k = 0; k < scene.samples.load.values.length; k++) {
    const force = Math.hypot(scene.samples.force_i.values[k], scene.samples.force_k.values[k]);
    found = Math.max(found, force || 0, (scene.samples.load.values[k] * scene.samples.friction.values[k]) || 0);
  }
  return found;
}

function fillWheels() {
  const list = part("wheel");
  list.textContent = "";
  player.scene.wheels.forEach((_, i) => {
    const entry = document.createElement("option");
    entry.value = String(i);
    entry.textContent = `wheel ${i}`;
    list.appendChild(entry);
  });
  list.value = String(player.chosen);
  list.parentElement.hidden = player.scene.wheels.length < 2;
}

function chooseWheel(number) {
  player.chosen = Math.min(Math.max(number, 0), player.scene.wheels.length - 1);
  part("wheel").value = String(player.chosen);
  drawMarks();
  return show();
}

function labelCamera() {
  part("camera").textContent = player.whole ? "Follow" : "Whole path";
}

function touchWheel(event) {
  if (!player.camera || player.scene.wheels.length < 2) return;
  const box = part("above").getBoundingClientRect(), state = stateAt(player.scene, player.time);
  const far = player.scene.wheels.map((wheel) => {
    const at = player.camera.put(toWorld(state, wheel.x, wheel.z));
    return Math.hypot(at[0] - event.clientX + box.left, at[1] - event.clientY + box.top) / (player.camera.scale * wheel.radius + 12);
  });
  const nearest = far.indexOf(Math.min(...far));
  if (far[nearest] < 1.2) chooseWheel(nearest);
}

// --- keys, and the rest of the page -----------------------------------------------------------------------------------------------

const KEYS = {
  " ": () => (player.playing ? pause() : play()),
  ArrowRight: (event) => step(event.shiftKey ? 10 : 1),
  ArrowLeft: (event) => step(event.shiftKey ? -10 : -1),
  Home: () => seek(player.scene.start),
  End: () => seek(player.scene.end),
};

// Buttons and lists keep the keys that are theirs.
function onKey(event) {
  const kind = event.target.tagName, pressed = kind === "BUTTON" || event.target.type === "checkbox";
  const own = kind === "SELECT" || (pressed && event.key === " ");
  if (!KEYS[event.key] || own || event.ctrlKey || event.altKey || event.metaKey) return;
  event.preventDefault();
  KEYS[event.key](event);
}

function connect() {
  part("play").addEventListener("click", () => (player.playing ? pause() : play()));
  part("back").addEventListener("click", () => step(-1));
  part("forward").addEventListener("click", () => step(1));
  part("slider").addEventListener("input", (event) => { pause(); seek(Number(event.target.value)); });
  part("speed").addEventListener("change", (event) => { player.speed = Number(event.target.value); });
  part("loop").addEventListener("change", (event) => { player.loop = event.target.checked; });
  part("camera").addEventListener("click", () => { player.whole = !player.whole; labelCamera(); show(); });
  part("instance").addEventListener("change", (event) => chooseInstance(Number(event.target.value)));
  part("wheel").addEventListener("change", (event) => chooseWheel(Number(event.target.value)));
  part("above").addEventListener("pointerdown", touchWheel);
  root.addEventListener("keydown", onKey);
  const again = () => { drawMarks(); show(); };
  document.addEventListener("themechange", again);
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", again);
  window.addEventListener("beforeprint", again);
  new ResizeObserver(again).observe(root);
}

// Nothing moves before it is asked to: that is also what prefers-reduced-motion wants.
function start() {
  player.scenes = JSON.parse(document.getElementById("animation-data").textContent);
  root.hidden = false;
  player.speed = Number(part("speed").value);
  chooseInstance(0);
  connect();
  window.omniroll = window.omniroll || {};
  window.omniroll.animation = {
    state: () => Object.assign(stateAt(player.scene, player.time),
      { playing: player.playing, wheel: player.chosen, instance: player.scene.number }),
    seek: seek, play: play, pause: pause, wheel: chooseWheel, instance: chooseInstance,
  };
}

start();

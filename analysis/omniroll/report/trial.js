// Sliders, and the run that they ask for: it is integrated a few milliseconds in each frame, and drawn as far as it is.

const data = JSON.parse(document.getElementById("trial-data").textContent);
const root = document.getElementById("trial");
const part = (name) => root.querySelector(`[data-part="${name}"]`);
const BUDGET = { most: 11, least: 2, late: 30 }; // ms of a frame: less after one that came late
const trial = { module: null, stops: data.sliders.map((slider) => slider.start), now: null, base: null, work: null, at: 0, playing: false,
  last: 0, frames: 0, budget: BUDGET.most, refused: "" };
const times = data.controlled ? numbersOf(data.time) : null;
const stored = { x: numbersOf(data.path.x), z: numbersOf(data.path.z), yaw: numbersOf(data.path.yaw), count: data.kept.length };

function atStudy() {
  return trial.stops.every((stop, at) => stop === data.sliders[at].start);
}

// --- the run ----------------------------------------------------------------------------------------------------------------------

// Samples so far, and what is summed up of them.
function begun() {
  const columns = columnsAt(data, trial.stops);
  if (!columns) return null;
  const room = () => new Float64Array(data.count);
  const sums = {};
  Object.keys(data.sums).forEach((name) => { sums[name] = sumOf(); });
  return { run: runOf(trial.module, data, columns), x: room(), z: room(), yaw: room(), count: 0, slip: 0, sums: sums, done: false, piece: 8,
    started: performance.now(), took: 0 };
}

function goal(k) {
  return times ? times[k] : k * data.stride;
}

// Where a quantity stands among the samples.
function placeOf(name, wheel) {
  return name in data.of_vehicle ? data.of_vehicle[name] : data.columns[0] + wheel * data.columns[1] + data.of_wheel[name];
}

function note(work) {
  const s = work.run.sample(), k = work.count;
  ["x", "z", "yaw"].forEach((name) => { work[name][k] = s[placeOf(name, 0)]; });
  work.count = k + 1;
  for (let i = 0; i < data.wheels; i++) {
    work.slip = Math.max(work.slip, Math.hypot(s[placeOf("slip_i", i)], s[placeOf("slip_k", i)]));
  }
  if (k >= data.stored) return;
  for (const name in work.sums) {
    const many = name in data.of_wheel ? data.wheels : 1;
    for (let i = 0; i < many; i++) work.sums[name].add(s[placeOf(name, i)]);
  }
}

// Goes on for a few milliseconds, in pieces whose length follows from the time that they take.
function goOn(work) {
  const begin = performance.now(), unit = times ? data.interval : 1;
  let now = begin;
  if (!work.count) note(work);
  while (!work.done && now - begin < trial.budget) {
    const next = Math.min(work.run.clock + work.piece * unit, goal(work.count));
    work.run.advance(next);
    const ended = work.run.ended();
    if (next === goal(work.count) && (!ended || clockOf(work) >= next)) note(work);
    work.done = ended || work.count === data.count;
    const after = performance.now();
    if (after - now > 2 && work.piece > 0.01) work.piece = times ? work.piece / 2 : Math.max(1, Math.floor(work.piece / 2));
    else if (after - now < 0.5) work.piece *= 2;
    now = after;
  }
  work.took += now - begin;
  if (work.done) work.end = numbersAt(work);
}

// How far the motion is, where it ended before its time.
function clockOf(work) {
  return work.run.state[data.places.clock] + work.run.state[data.places.fraction];
}

function numbersAt(work) {
  const last = work.count - 1, state = work.run.state;
  return { x: work.x[last], z: data.frame === "ros" ? -work.z[last] : work.z[last], yaw: work.yaw[last] * 180 / Math.PI,
    work: state[data.places.work], dissipated: state[data.places.dissipated], slip: 1000 * work.slip, end: timeOf(last),
    status: state[data.places.status] };
}

function timeOf(k) {
  return data.start + k * data.interval;
}

// Whether all stored samples are the same numbers as those of the run in this page.
function differing(work) {
  if (work.count < data.stored) return ["the end"];
  return Object.keys(work.sums).filter((name) => work.sums[name].sums.some((sum, k) => sum !== data.sums[name][k]));
}

// --- what is shown ----------------------------------------------------------------------------------------------------------------

function poseAt(path, index, kept) {
  let k = index;
  if (kept) { // of the samples in this page the two around it
    let high = kept.findIndex((sample) => sample >= index);
    if (high < 0) high = kept.length - 1;
    const low = Math.max(high - 1, 0), span = kept[high] - kept[low];
    const part = span ? Math.min(Math.max((index - kept[low]) / span, 0), 1) : 0;
    const mix = (values) => values[low] + part * (values[high] - values[low]);
    return { x: mix(path.x), z: mix(path.z), yaw: mix(path.yaw) };
  }
  k = Math.min(k, path.count - 1);
  return k < 0 ? null : { x: path.x[k], z: path.z[k], yaw: path.yaw[k] };
}

function show() {
  drawTrial(part("view"), data, { run: stored, runPose: poseAt(stored, trial.at, data.kept), now: trial.now,
    nowPose: trial.now ? poseAt(trial.now, trial.at) : null });
  part("clock").value = String(trial.at);
  part("time").textContent = `${timeOf(trial.at).toFixed(2)} s`;
  part("clock").setAttribute("aria-valuetext", part("time").textContent);
}

function said(value, digits) {
  return value === undefined || isNaN(value) ? "–" : (value < 0 ? "−" : "") + Number(Math.abs(value).toPrecision(digits));
}

function showTable() {
  const before = trial.base && trial.base.end, now = trial.now && trial.now.end;
  const early = [before, now].some((one) => one && one.end < timeOf(data.count - 1));
  root.querySelector('[data-row="end"]').hidden = !early; // else both end with the study
  root.querySelectorAll("[data-row]").forEach((row) => {
    const name = row.dataset.row, cells = row.querySelectorAll(".number");
    const difference = before && now ? now[name] - before[name] : NaN;
    cells[0].textContent = before ? said(before[name], 6) : "…";
    cells[1].textContent = trial.refused ? "–" : now ? said(now[name], 6) : "…";
    cells[2].textContent = before && now ? (difference === 0 ? "0" : (difference > 0 ? "+" : "") + said(difference, 4)) : "";
  });
}

function outcome() {
  if (trial.refused) return `These values make no vehicle: ${trial.refused}`;
  const now = trial.now;
  if (!now || !now.end) return "Integrating …";
  const rate = 1000 * (now.end.end - data.start) / Math.max(now.took, 1e-3);
  const speed = `Integrated ${rate >= 10 ? Math.round(rate) : rate.toFixed(1)} times as fast as real time.`;
  const ended = now.end.status ? `It ended: ${data.statuses[now.end.status] || "failed"}. ` : "";
  if (!atStudy()) return ended + speed;
  const other = differing(now);
  if (other.length) return `Not the numbers of the run: ${other.join(", ")} differ. The file is of another version, or of a run with other steps. ${speed}`;
  return `${ended}Same numbers as the run: ${data.stored} samples of ${Object.keys(data.sums).length} quantities, to the last bit. ${speed}`;
}

function showAll() {
  data.sliders.forEach((slider, at) => {
    const value = slider.stops[trial.stops[at]];
    const words = `${Number(value.toPrecision(6))}${slider.unit ? ` ${slider.unit}` : ""}`;
    part(`value-${at}`).textContent = words + (trial.stops[at] === slider.start ? " (as run)" : "");
    part(`slider-${at}`).value = String(trial.stops[at]);
    part(`slider-${at}`).setAttribute("aria-valuetext", words);
  });
  part("back").disabled = atStudy();
  part("said").textContent = outcome();
  part("said").classList.toggle("failed", Boolean(trial.refused));
  showTable();
  show();
}

// --- time -------------------------------------------------------------------------------------------------------------------------

function begin() {
  trial.refused = refusal(data, trial.stops);
  trial.now = trial.work = null;
  if (atStudy() && trial.base) trial.now = trial.base;
  else if (!trial.refused && trial.module) trial.now = trial.work = begun();
  showAll();
  wake();
}

let awake = false;
function wake() {
  if (awake || !trial.module) return;
  awake = true;
  trial.last = performance.now();
  requestAnimationFrame(frame);
}

function frame(time) {
  const passed = Math.min(Math.max(time - trial.last, 0), 250) / 1000;
  trial.budget = 1000 * passed > BUDGET.late ? Math.max(BUDGET.least, 0.7 * trial.budget) : Math.min(BUDGET.most, 1.1 * trial.budget);
  trial.last = time;
  trial.frames += 1;
  const work = trial.work;
  if (work) {
    goOn(work);
    if (!trial.playing) trial.at = Math.max(work.count - 1, 0);
    if (work.done) finish(work);
  }
  if (trial.playing) step(passed);
  show();
  awake = Boolean(trial.work || trial.playing);
  if (awake) requestAnimationFrame(frame);
}

function finish(work) {
  trial.work = null;
  if (atStudy()) trial.base = work;
  showAll();
}

// In real time, as far as the run is there.
let ahead = 0;
function step(passed) {
  ahead = Math.min(ahead + passed / data.interval, trial.now ? trial.now.count - 1 : 0);
  trial.at = Math.max(Math.floor(ahead), 0);
  if (!trial.work && trial.now && trial.at >= trial.now.count - 1) pause();
}

function play() {
  if (trial.playing) return pause();
  if (!trial.now || trial.at >= trial.now.count - 1) trial.at = 0;
  ahead = trial.at;
  trial.playing = true;
  part("play").textContent = "Pause";
  wake();
}

function pause() {
  trial.playing = false;
  part("play").textContent = "Play";
}

function choose(at, stop) {
  trial.stops[at] = stop;
  begin();
}

function connect() {
  data.sliders.forEach((_, at) => part(`slider-${at}`).addEventListener("input", (event) => choose(at, Number(event.target.value))));
  part("play").addEventListener("click", play);
  part("back").addEventListener("click", () => { trial.stops = data.sliders.map((slider) => slider.start); begin(); });
  part("clock").addEventListener("input", (event) => { pause(); trial.at = Number(event.target.value); show(); });
  document.addEventListener("themechange", show);
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", show);
  window.addEventListener("beforeprint", show);
  new ResizeObserver(show).observe(part("view"));
}

// The run in the page begins when the reader comes near it.
function start() {
  root.hidden = false;
  part("clock").max = String(data.count - 1);
  trial.at = data.stored - 1;
  connect();
  showAll();
  const near = new IntersectionObserver(async (entries) => {
    if (!entries.some((entry) => entry.isIntersecting)) return;
    near.disconnect();
    trial.module = await kernelsOf(data.kernels);
    begin();
  }, { rootMargin: "200px" });
  near.observe(root);
  window.omniroll = window.omniroll || {};
  window.omniroll.trial = {
    state: () => ({ stops: trial.stops.slice(), done: Boolean(trial.now && trial.now.done), frames: trial.frames, at: trial.at,
      playing: trial.playing, refused: trial.refused, end: trial.now && trial.now.end, took: trial.now && trial.now.took,
      differing: trial.now && trial.now.done ? differing(trial.now) : null }),
    choose: choose, play: play, module: () => trial.module,
  };
}

start();

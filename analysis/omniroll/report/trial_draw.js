// The paths of the vehicle from above: as it was run, grey, and with the values of the sliders.

function trialColors() {
  const style = getComputedStyle(document.documentElement);
  const get = (name) => style.getPropertyValue(name).trim();
  return { now: get("--series-0"), run: get("--ink-2"), grid: get("--grid"), ink: get("--ink-2"), mark: get("--series-1") };
}

// What the view holds: both paths, with room for the vehicle around them; x is up.
function cameraOf(paths, size, view) {
  let low = [Infinity, Infinity], high = [-Infinity, -Infinity];
  for (const path of paths) {
    for (let k = 0; k < path.count; k++) {
      const at = [path.z[k], path.x[k]];
      if (!isFinite(at[0]) || !isFinite(at[1])) continue;
      low = low.map((value, j) => Math.min(value, at[j]));
      high = high.map((value, j) => Math.max(value, at[j]));
    }
  }
  const scale = Math.min(view.width / (high[0] - low[0] + 2.6 * size), view.height / (high[1] - low[1] + 2.6 * size));
  const middle = [(low[0] + high[0]) / 2, (low[1] + high[1]) / 2];
  return { scale: scale, put: (x, z) => [view.width / 2 + scale * (z - middle[0]), view.height / 2 - scale * (x - middle[1])] };
}

function drawPath(pen, camera, path, until, color, width) {
  pen.beginPath();
  for (let k = 0; k < until; k++) {
    const at = camera.put(path.x[k], path.z[k]);
    if (k) pen.lineTo(at[0], at[1]);
    else pen.moveTo(at[0], at[1]);
  }
  pen.strokeStyle = color;
  pen.lineWidth = width;
  pen.stroke();
}

// Each wheel is a bar in its plane; a line leads from the middle forward.
function drawVehicle(pen, camera, shapes, pose, color) {
  const c = Math.cos(pose.yaw), s = Math.sin(pose.yaw);
  const put = (a, b) => camera.put(pose.x + a * c + b * s, pose.z + b * c - a * s);
  const stroke = (from, to, width) => {
    pen.beginPath();
    pen.moveTo(from[0], from[1]);
    pen.lineTo(to[0], to[1]);
    pen.lineWidth = width;
    pen.stroke();
  };
  pen.strokeStyle = color;
  let ahead = 0;
  for (const wheel of shapes) {
    const r = wheel.radius;
    ahead = Math.max(ahead, Math.hypot(wheel.x, wheel.z));
    stroke(put(wheel.x + r * wheel.axis_z, wheel.z - r * wheel.axis_x), put(wheel.x - r * wheel.axis_z, wheel.z + r * wheel.axis_x), 4);
  }
  stroke(put(0, 0), put(0.7 * ahead, 0), 2);
}

// A bar of a round length in a corner.
function drawScale(view, camera, color) {
  const most = 0.3 * view.width / camera.scale, power = Math.pow(10, Math.floor(Math.log10(most)));
  const length = [5, 2, 1].find((step) => step * power <= most) * power, y = view.height - 10;
  view.pen.fillStyle = color;
  view.pen.fillRect(10, y, length * camera.scale, 2);
  view.pen.fillText(`${Number(length.toPrecision(1))} m`, 10, y - 6);
}

function drawTrial(canvas, data, shown) {
  const view = penOf(canvas), color = trialColors();
  const size = Math.max(...data.shapes.map((wheel) => Math.hypot(wheel.x, wheel.z) + wheel.radius));
  const camera = cameraOf(shown.now ? [shown.run, shown.now] : [shown.run], size, view);
  drawScale(view, camera, color.ink);
  view.pen.globalAlpha = 0.45;
  drawPath(view.pen, camera, shown.run, shown.run.count, color.run, 3);
  if (shown.runPose) drawVehicle(view.pen, camera, data.shapes, shown.runPose, color.run);
  view.pen.globalAlpha = 1;
  if (!shown.now || !shown.now.count) return;
  drawPath(view.pen, camera, shown.now, shown.now.count, color.now, 2);
  if (shown.nowPose) drawVehicle(view.pen, camera, data.shapes, shown.nowPose, color.now);
}

// The paths of the vehicle from above: as it was run, grey, and with the values of the sliders.

function trialColors() {
  return palette({ now: "--series-0", run: "--ink-2", ink: "--ink-2" });
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

function drawPath(pen, camera, path, color, width) {
  line(pen, Array.from({ length: path.count }, (_, k) => camera.put(path.x[k], path.z[k])), color, width);
}

// Each wheel is a bar in its plane; a line leads from the middle forward.
function drawVehicle(pen, camera, shapes, pose, color) {
  const c = Math.cos(pose.yaw), s = Math.sin(pose.yaw);
  const put = (a, b) => camera.put(pose.x + a * c + b * s, pose.z + b * c - a * s);
  let ahead = 0;
  for (const wheel of shapes) {
    const r = wheel.radius;
    ahead = Math.max(ahead, Math.hypot(wheel.x, wheel.z));
    const ends = [1, -1].map((side) => put(wheel.x + side * r * wheel.axis_z, wheel.z - side * r * wheel.axis_x));
    line(pen, ends, color, 4);
  }
  line(pen, [put(0, 0), put(0.7 * ahead, 0)], color, 2);
}

// A bar of a round length in a corner.
function drawScale(view, camera, color) {
  const length = nice(0.3 * view.width / camera.scale), y = view.height - 10;
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
  drawPath(view.pen, camera, shown.run, color.run, 3);
  if (shown.runPose) drawVehicle(view.pen, camera, data.shapes, shown.runPose, color.run);
  view.pen.globalAlpha = 1;
  if (!shown.now || !shown.now.count) return;
  drawPath(view.pen, camera, shown.now, color.now, 2);
  if (shown.nowPose) drawVehicle(view.pen, camera, data.shapes, shown.nowPose, color.now);
}

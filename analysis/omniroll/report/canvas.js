// What the animation and the page that plays share: colours of the page, bytes of its data, and drawing.

// Variables of the style sheet, by names of one's own.
function palette(names) {
  const style = getComputedStyle(document.documentElement);
  return Object.fromEntries(Object.entries(names).map(([name, variable]) => [name, style.getPropertyValue(variable).trim()]));
}

function bytesOf(base64) {
  const text = atob(base64), bytes = new Uint8Array(text.length);
  for (let i = 0; i < text.length; i++) bytes[i] = text.charCodeAt(i);
  return bytes;
}

// A canvas as sharp as the screen; drawing is in CSS pixels.
function penOf(canvas) {
  const ratio = window.devicePixelRatio || 1, box = canvas.getBoundingClientRect();
  const width = Math.max(box.width, 1), height = Math.max(box.height, 1);
  if (canvas.width !== Math.round(width * ratio) || canvas.height !== Math.round(height * ratio)) {
    canvas.width = Math.round(width * ratio);
    canvas.height = Math.round(height * ratio);
  }
  const pen = canvas.getContext("2d");
  pen.setTransform(ratio, 0, 0, ratio, 0, 0);
  pen.clearRect(0, 0, width, height);
  pen.font = "12px system-ui, -apple-system, 'Segoe UI', 'DejaVu Sans', sans-serif";
  pen.lineJoin = "round";
  return { pen: pen, width: width, height: height };
}

function trace(pen, points) {
  pen.beginPath();
  points.forEach((p, i) => (i ? pen.lineTo(p[0], p[1]) : pen.moveTo(p[0], p[1])));
}

function stroke(pen, color, width) {
  pen.strokeStyle = color;
  pen.lineWidth = width;
  pen.stroke();
}

function line(pen, points, color, width) {
  trace(pen, points);
  stroke(pen, color, width);
}

// A polygon; style: fill, its opacity where it is not 1, and edge and width of the line around it, where there is one.
function area(pen, points, style) {
  trace(pen, points);
  pen.closePath();
  pen.globalAlpha = style.opacity || 1;
  pen.fillStyle = style.fill;
  pen.fill();
  pen.globalAlpha = 1;
  if (style.edge) stroke(pen, style.edge, style.width);
}

// 1, 2 or 5 times a power of ten, at most `limit`.
function nice(limit) {
  const power = Math.pow(10, Math.floor(Math.log10(limit)));
  return power * [5, 2, 1].find((step) => step * power <= limit * 1.0000001);
}

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

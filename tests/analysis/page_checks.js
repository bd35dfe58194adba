// What page_checks.py measures in a page, as it is laid out at the moment. An expression: a promise of the findings.
(async paper => {
  const root = document.documentElement, wide = root.clientWidth, SLACK = 1.5; // px that rounding may take
  const round = value => Math.round(value * 100) / 100;

  // --- elements that are seen ---------------------------------------------------------------------------------------------
  const seen = e => e.checkVisibility({visibilityProperty: true, opacityProperty: true}) && e.getClientRects().length > 0;
  const styles = new Map();
  const style = e => { if (!styles.has(e)) styles.set(e, getComputedStyle(e)); return styles.get(e); };
  const scrolls = e => /auto|scroll/.test(style(e).overflowX);
  const scroller = e => { for (let at = e.parentElement; at && at !== document.body; at = at.parentElement) if (scrolls(at)) return at; return null; };
  const told = e => {
    const at = e.nodeType === 3 ? e.parentElement : e;
    const words = (e.textContent || "").trim().replace(/\s+/g, " ").slice(0, 50);
    const near = at.closest("[id]");
    const names = typeof at.className === "string" ? at.className : at.className.baseVal;
    return `<${at.localName}${names ? "." + names.split(" ")[0] : ""}>${near ? " in #" + near.id : ""}: ${words}`;
  };
  const elements = [...document.body.querySelectorAll("*")].filter(e => !e.closest("script, style, template, defs, clipPath") && seen(e));
  const html = elements.filter(e => !(e instanceof SVGElement) || e.localName === "svg" && !e.parentElement.closest("svg"));

  // --- wider than the page, or than the box it stands in ------------------------------------------------------------------------
  const overflows = [];
  if (root.scrollWidth > wide + SLACK) overflows.push(`the page is ${root.scrollWidth} px wide`);
  for (const e of html) {
    const box = e.getBoundingClientRect();
    if (!scroller(e) && box.width > 0 && (box.right > wide + SLACK || box.left < -SLACK))
      overflows.push(`${told(e)} from ${round(box.left)} to ${round(box.right)} px`);
    else if (e.clientWidth && e.scrollWidth > e.clientWidth + SLACK && style(e).overflowX === "visible" && style(e).display !== "inline"
             && !["svg", "canvas", "input", "select", "table"].includes(e.localName))
      overflows.push(`${told(e)} sticks out of its box by ${e.scrollWidth - e.clientWidth} px`);
  }

  // --- text that is not all to be seen ------------------------------------------------------------------------------------------
  const cut = [], cueless = [], broken = [];
  for (const e of html) {
    const rules = style(e);
    const hidden = axis => /hidden|clip/.test(rules[`overflow${axis}`]);
    const box = e.getBoundingClientRect();
    if (box.width <= 1 || box.height <= 1) continue; // for readers of the screen alone
    if (e.textContent.trim() && !["svg", "canvas", "select", "option", "button", "input"].includes(e.localName) &&
        (hidden("X") && e.scrollWidth > e.clientWidth + SLACK || hidden("Y") && e.scrollHeight > e.clientHeight + SLACK)) cut.push(told(e));
    if (scrolls(e) && e.scrollWidth > e.clientWidth + SLACK) {
      if (paper) cut.push(`${told(e)}: paper does not scroll`);
      const cue = rules.backgroundImage !== "none" || rules.boxShadow !== "none" || rules.maskImage !== "none";
      if (!cue || e.tabIndex < 0) cueless.push(told(e));
    }
  }

  // --- pieces of text -----------------------------------------------------------------------------------------------------------
  // A piece: corners of a line of text, in px of the page, somewhat smaller than the letters' boxes, of which glyphs fill a part.
  const pieces = [];
  const add = (owner, corners, size) => pieces.push({owner, corners, size, scroller: scroller(owner), left: Math.min(...corners.map(c => c[0])),
    right: Math.max(...corners.map(c => c[0])), top: Math.min(...corners.map(c => c[1])), bottom: Math.max(...corners.map(c => c[1]))});
  const shrunk = (x, y, w, h) => { const a = Math.min(1, 0.05 * w), b = 0.22 * h; return [[x + a, y + b], [x + w - a, y + b], [x + w - a, y + h - b], [x + a, y + h - b]]; };
  const range = document.createRange();
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node; (node = walker.nextNode());) {
    const e = node.parentElement;
    if (!node.data.trim() || e.closest("svg, script, style, option") || !seen(e)) continue;
    range.selectNodeContents(node);
    const lines = [...range.getClientRects()].filter(r => r.width > 1), size = parseFloat(style(e).fontSize);
    if (lines.length > 3 && node.data.trim().length < 3.5 * lines.length && lines.every(r => r.width < 2.5 * size)) cut.push(`${told(e)} is broken into letters`);
    if (lines.length > 1 && /^\s*[+−]?[\d.]+\s*$/.test(node.data)) cut.push(`${told(e)} is a number on ${lines.length} lines`);
    if (lines.length > 1 && !paper && !e.closest("pre")) // names wrap at blanks, underscores and dots; hashes are too long to, and paper does not scroll
      for (const word of node.data.matchAll(/[\p{L}\d]{2,}/gu)) {
        if (word[0].length > 24) continue;
        range.setStart(node, word.index); range.setEnd(node, word.index + word[0].length);
        const tops = [...range.getClientRects()].filter(r => r.width > 1).map(r => r.top);
        if (tops.length > 1 && Math.max(...tops) - Math.min(...tops) > size / 2) broken.push(`${word[0]} in ${told(e)}`);
      }
    for (const r of lines) if (r.width > 1 && r.height > 1) add(e, shrunk(r.x, r.y, r.width, r.height), parseFloat(style(e).fontSize));
  }
  const svgTexts = elements.filter(e => e.localName === "text" && e.textContent.trim() && e.closest("svg"));
  for (const e of svgTexts) {
    const b = e.getBBox(), m = e.getScreenCTM();
    if (!(b.width > 0)) continue;
    add(e, shrunk(b.x, b.y, b.width, b.height).map(([x, y]) => [m.a * x + m.c * y + m.e, m.b * x + m.d * y + m.f]),
        parseFloat(style(e).fontSize) * Math.sqrt(Math.abs(m.a * m.d - m.b * m.c)));
    let frame = e.closest("svg");
    while (frame.parentElement.closest("svg")) frame = frame.parentElement.closest("svg");
    const outer = frame.getBoundingClientRect(), p = pieces[pieces.length - 1];
    if (style(frame).overflow !== "visible" && (p.left < outer.left - SLACK || p.right > outer.right + SLACK || p.top < outer.top - SLACK || p.bottom > outer.bottom + SLACK))
      cut.push(`${told(e)} leaves its picture`);
  }

  // --- text on text: no line parts the corners of two pieces (separating axes) --------------------------------------------------------
  const apart = (p, q) => [p, q].some(one => [0, 1].some(k => {
    const [a, b] = [one.corners[k], one.corners[k + 1]], axis = [b[0] - a[0], b[1] - a[1]], length = Math.hypot(...axis) || 1;
    const span = piece => { const at = piece.corners.map(c => (c[0] * axis[0] + c[1] * axis[1]) / length); return [Math.min(...at), Math.max(...at)]; };
    const [s, t] = [span(p), span(q)];
    return Math.min(s[1], t[1]) - Math.max(s[0], t[0]) < 1;
  }));
  const overlaps = [];
  pieces.sort((p, q) => p.top - q.top);
  for (let i = 0; i < pieces.length; i++)
    for (let j = i + 1; j < pieces.length && pieces[j].top < pieces[i].bottom; j++) {
      const [p, q] = [pieces[i], pieces[j]];
      if (p.owner !== q.owner && p.scroller === q.scroller && p.left < q.right && q.left < p.right && !apart(p, q))
        overlaps.push(`${told(p.owner)} and ${told(q.owner)}`);
    }

  // --- contrast, by WCAG 2: (lighter + 0.05)/(darker + 0.05) of relative luminances -------------------------------------------------
  const parse = color => { const found = (color.match(/[\d.]+/g) || [0, 0, 0, 0]).map(Number); return found.length < 4 ? [...found.slice(0, 3), 1] : found; };
  const over = (top, below) => [0, 1, 2].map(k => top[3] * top[k] + (1 - top[3]) * below[k]);
  const linear = v => (v /= 255) <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4;
  const light = c => 0.2126 * linear(c[0]) + 0.7152 * linear(c[1]) + 0.0722 * linear(c[2]);
  const ratio = (a, b) => (Math.max(light(a), light(b)) + 0.05) / (Math.min(light(a), light(b)) + 0.05);
  const grounds = new Map();
  const ground = e => { // the opaque colour behind an element of HTML, its own background included
    if (!e) return [255, 255, 255];
    if (!grounds.has(e)) { const c = parse(style(e).backgroundColor); grounds.set(e, c[3] === 1 ? c.slice(0, 3) : over(c, ground(e.parentElement))); }
    return grounds.get(e);
  };
  const opacity = e => { let o = 1; for (let at = e; at instanceof SVGElement; at = at.parentElement) o *= parseFloat(style(at).opacity); return o; };
  const images = new Map();
  const pixels = async e => { // of a picture inside a picture
    if (!images.has(e)) {
      const loaded = new Image();
      loaded.src = e.href.baseVal;
      await loaded.decode();
      const canvas = document.createElement("canvas");
      canvas.width = loaded.naturalWidth; canvas.height = loaded.naturalHeight;
      const context = canvas.getContext("2d", {willReadFrequently: true});
      context.drawImage(loaded, 0, 0);
      images.set(e, context.getImageData(0, 0, canvas.width, canvas.height));
    }
    return images.get(e);
  };
  const imageAt = async (e, x, y) => {
    const data = await pixels(e), p = new DOMPoint(x, y).matrixTransform(e.getScreenCTM().inverse());
    const u = Math.floor((p.x - e.x.baseVal.value) / e.width.baseVal.value * data.width), v = Math.floor((p.y - e.y.baseVal.value) / e.height.baseVal.value * data.height);
    if (u < 0 || v < 0 || u >= data.width || v >= data.height) return null;
    const at = 4 * (v * data.width + u);
    return [data.data[at], data.data[at + 1], data.data[at + 2], data.data[at + 3] / 255];
  };
  const shapes = new Map();
  const shapesOf = frame => { // what is filled in a picture, in the order of painting
    if (!shapes.has(frame))
      shapes.set(frame, [...frame.querySelectorAll("rect, path, circle, ellipse, polygon, use, image")].filter(e => !e.closest("defs, clipPath") && seen(e))
        .map(e => ({e, box: e.getBoundingClientRect(), fill: e.localName === "image" ? "" : style(e).fill})).filter(s => s.fill !== "none" && s.box.width > 2 && s.box.height > 2));
    return shapes.get(frame);
  };
  const behind = async (text, x, y) => { // the colour below a point of a text in a picture
    const frame = text.closest("svg");
    let color = ground(frame);
    for (const {e, box, fill} of shapesOf(frame)) {
      if (x < box.left || x > box.right || y < box.top || y > box.bottom || !(e.compareDocumentPosition(text) & 4)) continue;
      if (e.localName === "image") { const c = await imageAt(e, x, y); if (c) color = over([...c.slice(0, 3), c[3] * opacity(e)], color); continue; }
      if (/^url/.test(fill)) continue; // hatches: lines on a ground of their own
      const p = new DOMPoint(x, y).matrixTransform(e.getScreenCTM().inverse());
      if (e.isPointInFill && !e.isPointInFill(p)) continue;
      const c = parse(fill);
      color = over([...c.slice(0, 3), c[3] * parseFloat(style(e).fillOpacity) * opacity(e)], color);
    }
    return color;
  };
  let lowest = [21, ""];
  const faint = [];
  const judged = (found, large, words) => {
    if (found < (large ? 3 : 4.5) - 0.005) faint.push(`${round(found)}: ${words}`);
    const equal = large ? found * 1.5 : found; // on the scale of small text
    if (equal < lowest[0]) lowest = [equal, words];
  };
  const tried = new Set();
  for (const p of pieces) {
    const rules = style(p.owner), large = p.size >= 24 || p.size >= 18.66 && parseFloat(rules.fontWeight) >= 700;
    if (p.owner instanceof SVGElement) {
      const c = parse(rules.fill), [a, b, , d] = p.corners;
      for (const share of [0.1, 0.5, 0.9]) {
        const x = a[0] + share * (b[0] - a[0]) + 0.5 * (d[0] - a[0]), y = a[1] + share * (b[1] - a[1]) + 0.5 * (d[1] - a[1]);
        const below = await behind(p.owner, x, y);
        judged(ratio(over([...c.slice(0, 3), c[3] * opacity(p.owner)], below), below), large, told(p.owner));
      }
    } else if (!tried.has(p.owner)) {
      tried.add(p.owner);
      const below = ground(p.owner);
      judged(ratio(over(parse(rules.color), below), below), large, told(p.owner));
    }
  }

  // --- figures of matplotlib: labels in a row that run into each other, nothing drawn in one half -------------
  const crowded = [], halves = [];
  for (const frame of document.querySelectorAll("figure svg")) {
    if (!seen(frame) || frame.parentElement.closest("svg")) continue;
    const outer = frame.getBoundingClientRect();
    for (const axis of frame.querySelectorAll("[id*=matplotlib\\.axis_]")) {
      const labels = pieces.filter(p => axis.contains(p.owner)).sort((p, q) => p.left - q.left);
      for (let k = 1; k < labels.length; k++) {
        const [p, q] = [labels[k - 1], labels[k]], level = Math.abs(p.corners[0][1] - p.corners[1][1]) < 1;
        if (level && Math.min(p.bottom, q.bottom) > Math.max(p.top, q.top) && q.left - p.right < 0.3 * p.size)
          crowded.push(`${told(p.owner)} and ${q.owner.textContent.trim()}: ${round(q.left - p.right)} px between`);
      }
    }
    const drawn = [...frame.querySelectorAll("text, path, rect, circle, ellipse, polygon, polyline, line, image, use")]
      .filter(e => !e.closest("defs, clipPath") && seen(e) && (style(e).fill !== "none" || style(e).stroke !== "none")).map(e => e.getBoundingClientRect());
    if (!drawn.length || outer.width < 100) continue;
    const reach = [Math.max(...drawn.map(b => b.right)) - Math.min(...drawn.map(b => b.left)), Math.max(...drawn.map(b => b.bottom)) - Math.min(...drawn.map(b => b.top))];
    if (reach[0] < 0.5 * outer.width || reach[1] < 0.5 * outer.height) halves.push(`${told(frame.closest("figure"))}: ${reach.map(Math.round)} of ${[outer.width, outer.height].map(Math.round)} px`);
  }

  // --- lines and marks in the colours of series: 3 to 1 ---------------------------------------------------------------------------
  const series = new Map(Array.from({length: 8}, (_, k) => [`--series-${k}`, style(root).getPropertyValue(`--series-${k}`).trim()]).filter(each => each[1]));
  for (const [name, color] of series) {
    const c = [1, 3, 5].map(k => parseInt(color.slice(k, k + 2), 16)), found = ratio(c, ground(document.body));
    if (found < 3) faint.push(`${round(found)}: ${name} ${color} as a line`);
  }

  // --- pictures with nothing beside them ------------------------------------------------------------------------------------------
  const empty = [];
  const main = document.querySelector("main") || document.body;
  const room = main.getBoundingClientRect(), inner = room.width - parseFloat(style(main).paddingLeft) - parseFloat(style(main).paddingRight);
  const inSight = e => { // a table that is wider than its scroller does not reach below what stands beside that
    const box = e.getBoundingClientRect(), frame = scroller(e)?.getBoundingClientRect();
    return frame ? {top: box.top, bottom: box.bottom, left: Math.max(box.left, frame.left), right: Math.min(box.right, frame.right)} : box;
  };
  const beside = [...main.querySelectorAll("figure > *, figure > .scroll > svg, canvas, p, li, dl, table, h3, pre")].filter(seen).map(e => [e, inSight(e)]);
  for (const e of main.querySelectorAll("figure svg, figure img, figure canvas")) {
    if (!seen(e) || e.parentElement.closest("svg")) continue;
    const box = e.getBoundingClientRect();
    if (box.width < 100) continue;
    let left = box.left, right = box.right;
    for (const [other, r] of beside)
      if (other !== e && !other.contains(e) && !e.contains(other) && Math.min(r.bottom, box.bottom) - Math.max(r.top, box.top) > 8 && (r.left >= box.right - 2 || r.right <= box.left + 2)) {
        left = Math.min(left, r.left); right = Math.max(right, r.right);
      }
    if (right - left < 0.6 * inner) empty.push(`${told(e.closest("figure"))}: ${Math.round(right - left)} of ${Math.round(inner)} px`);
  }

  const smallest = pieces.reduce((least, p) => p.size < least[0] ? [p.size, told(p.owner)] : least, [99, ""]);
  return {overflows, cut, cueless, broken, overlaps, crowded, halves, faint, empty, contrast: round(lowest[0]), faintest: lowest[1], smallest: round(smallest[0]), smallest_where: smallest[1],
          texts: pieces.length, height: root.scrollHeight};
})

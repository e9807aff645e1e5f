// The picture of the network: wires, the calls of one step, and nodes whose colours say what they hold.

const svgSpace = byId("network").namespaceURI;
const LONG_COLOURS = 8;
const MOST_COUNTED = 120;
const LEAST_GAP_COUNTED = 40;
const LONGEST_LABEL = 10;
const LABEL_SIZE = 10;
const LABEL_GROUND = document.createElement("canvas").getContext("2d");
const MOST_CARRIED = 24;
const SMALLEST_GAP = 5;
const SMALLEST_GAP_IN_LINE = 9;

/** An SVG element with attributes, appended to a parent. */
function draw(parent, name, attributes = {}, text = "") {
  const element = document.createElementNS(svgSpace, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  if (text) element.textContent = text;
  parent.appendChild(element);
  return element;
}

const round = (x) => Math.round(x * 10) / 10;
const nodeElements = [];
let place = [];
let radius = 8;
let gap = 30;
let centre = [0, 0];
let isNarrow = false;
let bends = new Map();

const nearest = (() => {
  let least = Infinity;
  const { points } = trace;
  for (let i = 0; i < nodeCount; i += 1) {
    for (let j = i + 1; j < nodeCount; j += 1) {
      least = Math.min(least, (points[i][0] - points[j][0]) ** 2 + (points[i][1] - points[j][1]) ** 2);
    }
  }
  return nodeCount > 1 ? Math.max(0.2, Math.sqrt(least)) : 1;
})();

/** Places the nodes in a picture that fits the window; one that would get too small for that is wider and scrolls in its frame. */
function placeNodes() {
  const xs = trace.points.map((p) => p[0]), ys = trace.points.map((p) => p[1]);
  const [left, top] = [Math.min(...xs), Math.max(...ys)];
  const [across, up] = [Math.max(...xs) - left, top - Math.min(...ys)];
  const width = byId("picture").clientWidth || 600;
  const height = Math.max(240, Math.min(window.innerHeight * 0.55, width * 0.95));
  isNarrow = width < 500;
  const margin = isNarrow ? 34 : 40;
  const wanted = Math.min((width - 2 * margin) / (across || 1), (height - 2 * margin) / (up || 1), (isNarrow ? 70 : 110) / nearest);
  const scale = Math.max(wanted, (up > across / 3 ? SMALLEST_GAP : SMALLEST_GAP_IN_LINE) / nearest);
  const stretch = up > 0 && across > 1.8 * up ? Math.max(1, Math.min(1.7, (height - 2 * margin) / (up * scale))) : 1;
  gap = nearest * scale;
  radius = Math.max(2, Math.min(18, gap * 0.3));
  const least = margin + (up > 0 ? 0 : 14);
  place = trace.points.map(([x, y]) => [margin + (x - left) * scale, least + (top - y) * scale * stretch]);
  bends = new Map();
  const size = [Math.ceil(across * scale + 2 * margin), Math.ceil(up * scale * stretch + 2 * least)];
  centre = [size[0] / 2, size[1] / 2];
  return size;
}

/** How far the line between two nodes must swerve so that it does not run through others; 0 when it is free. */
function bendOf(u, v) {
  const key = u < v ? u * nodeCount + v : v * nodeCount + u;
  if (!bends.has(key)) bends.set(key, isBlocked(u, v) ? inwards(Math.min(u, v), Math.max(u, v)) : 0);
  return u < v ? bends.get(key) : -bends.get(key);
}

/** The swerve between two nodes that leads to the middle of the picture: outside are the counts. */
function inwards(u, v) {
  const size = Math.min(0.16 * distance(place[u], place[v]), 0.42 * gap) + radius * 0.5;
  const [one, other] = [size, -size].map((bend) => distance(control(place[u], place[v], bend), centre));
  return one < other + 0.01 ? size : -size;
}

const distance = (a, b) => Math.hypot(b[0] - a[0], b[1] - a[1]);

function isBlocked(u, v) {
  const [ax, ay] = place[u];
  const [dx, dy] = [place[v][0] - ax, place[v][1] - ay];
  const square = dx * dx + dy * dy;
  if (square < gap * gap * 1.5) return false;
  for (let w = 0; w < nodeCount; w += 1) {
    if (w === u || w === v) continue;
    const [px, py] = [place[w][0] - ax, place[w][1] - ay];
    const along = (px * dx + py * dy) / square;
    if (along > 0 && along < 1 && Math.abs(px * dy - py * dx) < radius * 1.1 * Math.sqrt(square)) return true;
  }
  return false;
}

/** The middle control point of the curve between two points that swerves by so much to its left. */
function control(a, b, bend) {
  const length = distance(a, b) || 1;
  return [(a[0] + b[0]) / 2 + (2 * bend * (b[1] - a[1])) / length, (a[1] + b[1]) / 2 - (2 * bend * (b[0] - a[0])) / length];
}

/** A point moved towards another one. */
function towards(a, b, step) {
  const length = distance(a, b) || 1;
  return [a[0] + ((b[0] - a[0]) * step) / length, a[1] + ((b[1] - a[1]) * step) / length];
}

const at = ([x, y]) => `${round(x)} ${round(y)}`;
const segment = (middle, b, bend) => (bend ? `Q${at(middle)} ${at(b)}` : `L${at(b)}`);

function wirePath() {
  return trace.edges.map(([u, v]) => {
    const bend = bendOf(u, v);
    return `M${at(place[u])}${segment(control(place[u], place[v], bend), place[v], bend)}`;
  }).join("");
}

/** The heads of the arcs of a directed network. */
function wireHeadsPath() {
  const size = Math.max(3, Math.min(7, radius * 0.5));
  return trace.edges.map(([u, v]) => {
    const middle = control(place[u], place[v], bendOf(u, v));
    return headPath(towards(place[v], middle, sizeOf(v) + 1), middle, size);
  }).join("");
}

/** A triangle whose tip is here, coming from there. */
function headPath(tip, from, size) {
  const base = towards(tip, from, size);
  const [nx, ny] = [((base[1] - tip[1]) * 0.45), (-(base[0] - tip[0]) * 0.45)];
  return `M${at(tip)}L${at([base[0] + nx, base[1] + ny])}L${at([base[0] - nx, base[1] - ny])}Z`;
}

/** A point moved to the side of the line between two nodes; the side is the same for both directions. */
function sideways(u, v, step, [x, y]) {
  const [a, b] = u < v ? [place[u], place[v]] : [place[v], place[u]];
  const length = distance(a, b) || 1;
  return step ? [x + (step * (b[1] - a[1])) / length, y - (step * (b[0] - a[0])) / length] : [x, y];
}

/** Whether the calls of a step lie side by side and have colours: some are long, or colours say what they carry. */
const hasLanes = (transfers) => transfers.some(([nodes, , , colour]) => nodes.length > 2 || colour !== undefined);

/** For a step with lanes: gives every call over a wire that several use its own place beside the others. */
function lanes(transfers, thickness) {
  const users = new Map();
  const wire = (u, v) => Math.min(u, v) * nodeCount + Math.max(u, v);
  if (!hasLanes(transfers)) return () => 0;
  for (const [nodes] of transfers) {
    for (let i = 1; i < nodes.length; i += 1) users.set(wire(nodes[i - 1], nodes[i]), (users.get(wire(nodes[i - 1], nodes[i])) ?? 0) + 1);
  }
  const taken = new Map();
  return (u, v) => {
    const [count, index] = [users.get(wire(u, v)), taken.get(wire(u, v)) ?? 0];
    taken.set(wire(u, v), index + 1);
    return (index - (count - 1) / 2) * Math.min(thickness + 1, (1.6 * radius) / count);
  };
}

/** A transfer as the paths of its line and of its heads, and the place for a word. */
function transferPaths([nodes, twoWay], opposed, laneOf) {
  const size = Math.max(4, Math.min(11, radius * 0.7));
  const last = nodes.length - 1;
  let line = "", heads = "", middleOf = null;
  for (let i = 0; i < last; i += 1) {
    const [u, v] = [nodes[i], nodes[i + 1]];
    const bend = bendOf(u, v) || (opposed ? Math.min(radius * 0.4, 5) : 0);
    const lane = laneOf(u, v);
    let [a, b] = [sideways(u, v, lane, place[u]), sideways(u, v, lane, place[v])];
    const middle = control(a, b, bend);
    middleOf ??= [(a[0] + 2 * middle[0] + b[0]) / 4, (a[1] + 2 * middle[1] + b[1]) / 4];
    if (i === 0) {
      a = towards(a, middle, radius + 1);
      if (twoWay) {
        heads += headPath(a, middle, size);
        a = towards(a, middle, size * 0.8);
      }
    }
    line += `M${at(a)}`;
    if (i === last - 1) {
      b = towards(b, middle, radius + 1);
      heads += headPath(b, middle, size);
      b = towards(b, middle, size * 0.8);
    }
    line += segment(middle, b, bend);
  }
  return { line, heads, middle: middleOf };
}

/** The colour class of a step's transfer: that of what it carries; otherwise long calls get different ones, so that each can be followed. */
function colourOf(transfers, index) {
  if (isBroken(transfers, index)) return "broken";
  if (trace.colours.length) return transfers[index][3] === undefined ? "" : `c${transfers[index][3] % LONG_COLOURS}`;
  return hasLanes(transfers) ? `c${index % LONG_COLOURS}` : "";
}

function drawCalls(t) {
  const old = byId("network").querySelector(".calls");
  const group = document.createElementNS(svgSpace, "g");
  group.setAttribute("class", "calls");
  old.replaceWith(group);
  if (t === 0) return;
  const { transfers } = trace.steps[t - 1];
  const oneWay = new Set(transfers.filter(([nodes, twoWay]) => nodes.length === 2 && !twoWay).map(([[u, v]]) => u * nodeCount + v));
  const layers = new Map();
  const words = [];
  const thickness = radius < 7 ? 1.6 : 2.6;
  const laneOf = lanes(transfers, thickness);
  transfers.forEach((transfer, index) => {
    const colour = colourOf(transfers, index);
    const paths = transferPaths(transfer, !hasLanes(transfers) && transfer[0].length === 2 && oneWay.has(transfer[0][1] * nodeCount + transfer[0][0]), laneOf);
    const layer = layers.get(colour) ?? { line: "", heads: "" };
    layers.set(colour, { line: layer.line + paths.line, heads: layer.heads + paths.heads });
    if (transfer[2]) words.push([paths.middle, transfer[2], colour]);
  });
  for (const [colour, { line, heads }] of layers) {
    draw(group, "path", { class: `call ${colour}`, d: line, "stroke-width": thickness });
    draw(group, "path", { class: `head ${colour}`, d: heads });
  }
  const room = hasLanes(transfers) ? 0.4 * gap : gap - 20;
  if (words.length <= MOST_CARRIED && words.every(([, text]) => text.length * 6.6 < room)) {
    for (const [[x, y], text, colour] of words) draw(group, "text", { class: `carried ${colour}`, x: round(x), y: round(y + 4), "font-size": 11 }, text);
  }
}

/** A label's font size inside a node; 0 when it does not fit there. */
function fontInside(label) {
  const size = Math.min(13, radius * 0.95, (1.75 * radius) / (0.62 * label.length));
  return size >= 8 ? size : 0;
}

function drawNodes(network) {
  nodeElements.length = 0;
  const widest = Math.max(...trace.labels.map((label) => label.length));
  const inside = fontInside("8".repeat(widest));
  trace.labels.forEach((label, v) => {
    const [x, y] = place[v];
    const group = draw(network, "g", { class: "node", transform: `translate(${round(x)} ${round(y)})`, tabindex: "-1", role: "button" });
    const parts = { group, state: "", isNamed: Boolean(inside) };
    draw(group, "circle", { class: "dot", r: round(sizeOf(v)) });
    parts.share = draw(group, "path", { class: "share" });
    draw(group, "circle", { class: "ring", r: round(radius + 4) });
    if (inside && !isRelay[v]) draw(group, "text", { class: "inside", y: round(inside * 0.36), "font-size": round(inside) }, label);
    nodeElements.push(parts);
  });
  const labels = draw(network, "g", { class: "labels", "aria-hidden": "true" });
  for (const parts of nodeElements) parts.count = draw(labels, "text", { class: "outside count", "font-size": LABEL_SIZE });
}

const sizeOf = (v) => (isRelay[v] ? Math.max(3, radius * 0.6) : radius);

const shortLabel = (label) => (label.length > LONGEST_LABEL ? `${label.slice(0, LONGEST_LABEL - 1)}…` : label);

/** The place of a text above or below a node, inside the picture. */
function labelBox(v, text, isAbove) {
  const half = Math.min(centre[0], LABEL_GROUND.measureText(text).width / 2 + 3);
  const x = Math.max(half, Math.min(2 * centre[0] - half, place[v][0]));
  const y = place[v][1] + (isAbove ? -radius - 4 : radius + 12);
  return { v, text, isAbove, x, y, left: x - half, right: x + half, top: y - LABEL_SIZE, bottom: y + 3 };
}

const overlap = (a, b) => a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;

/** Whether a label lies on the dot of another node. */
function coversDot({ v, left, right, top, bottom }) {
  return place.some(([x, y], w) => w !== v && distance([Math.max(left, Math.min(right, x)), Math.max(top, Math.min(bottom, y))], [x, y]) < 0.8 * sizeOf(w));
}

/** Places the labels beside the nodes: no two overlap, and those without room are left out; the longer texts only where there is room. */
function placeLabels(texts, longer) {
  const middle = centre[1] - 1;
  const chosen = chosenNode();
  const first = chosen < 0 ? trace.order : [chosen, ...trace.order.filter((v) => v !== chosen)];
  const boxes = [];
  const isFree = (box) => boxes.every((other) => other.v === box.v || !overlap(box, other));
  LABEL_GROUND.font = `${LABEL_SIZE}px ${getComputedStyle(document.body).fontFamily}`;
  for (const v of first) {
    if (!texts[v]) continue;
    const sides = [true, false].map((isAbove) => labelBox(v, texts[v], isAbove === place[v][1] < middle));
    const free = sides.filter(isFree);
    const box = free.find((one) => !coversDot(one)) ?? free[0];
    if (box) boxes.push(box);
  }
  boxes.forEach((box, index) => {
    const long = longer[box.v] && labelBox(box.v, longer[box.v], box.isAbove);
    if (long && isFree(long) && !coversDot(long)) boxes[index] = long;
  });
  for (const { count } of nodeElements) count.textContent = "";
  for (const { v, x, y, text } of boxes) {
    const { count } = nodeElements[v];
    count.textContent = text;
    count.setAttribute("x", round(x));
    count.setAttribute("y", round(y));
  }
}

/** The part of a circle that a share of the whole turn covers, from the top, clockwise. */
function sharePath(share) {
  const r = radius - 0.5;
  const angle = 2 * Math.PI * share;
  return `M0 0L0 ${-r}A${r} ${r} 0 ${share > 0.5 ? 1 : 0} 1 ${round(r * Math.sin(angle))} ${round(-r * Math.cos(angle))}Z`;
}

function colourNodes(t) {
  const counted = trace.items.length > 1 && nodeCount <= MOST_COUNTED && gap >= LEAST_GAP_COUNTED;
  const named = gap > (nodeCount <= MOST_COUNTED ? 12 : 26);
  const [texts, longer] = [[], []];
  nodeElements.forEach((parts, v) => {
    const has = held[v][t];
    const share = has / trace.items.length;
    const part = isDone(v, t) ? "done" : isRelay[v] ? "relay" : has ? "shared" : "";
    const wanted = goalsDiffer && trace.must[v] ? " wanted" : "";
    const state = `node ${part}${wanted}${isFresh(v, t) ? " fresh" : ""}${v === chosenNode() ? " chosen" : ""}`;
    if (parts.state !== state) parts.group.setAttribute("class", (parts.state = state));
    parts.share.setAttribute("d", part === "shared" ? sharePath(share) : "");
    parts.group.setAttribute("aria-label", `node ${trace.labels[v]}: ${holdingText(v, t)}`);
    if (isRelay[v]) return;
    const name = parts.isNamed || !named ? "" : v === chosenNode() ? trace.labels[v] : shortLabel(trace.labels[v]);
    const count = counted ? countText(v, t) : "";
    texts[v] = name || count;
    longer[v] = name && count && !isNarrow ? `${name} · ${count}` : "";
  });
  placeLabels(texts, longer);
}

/** Draws everything again, for the size that the window has now. */
function drawNetwork() {
  const network = byId("network");
  network.replaceChildren();
  const [width, height] = placeNodes();
  for (const [name, value] of [["width", width], ["height", height], ["viewBox", `0 0 ${width} ${height}`]]) network.setAttribute(name, value);
  network.classList.toggle("small", radius < 7);
  const dense = trace.edges.length > 4 * nodeCount;
  draw(network, "path", { class: "wires", d: wirePath(), "stroke-width": dense ? 0.5 : radius < 7 ? 0.7 : 1.2, opacity: dense ? 0.6 : 1 });
  if (trace.directed) draw(network, "path", { class: "arcs", d: wireHeadsPath() });
  draw(network, "g", { class: "calls" });
  drawNodes(network);
}

/** The node under a pointer, or near it for a finger; -1 for none. */
function nodeAt(event) {
  const box = byId("network").getBoundingClientRect();
  const here = [event.clientX - box.left, event.clientY - box.top];
  let [best, least] = [-1, event.pointerType === "touch" ? Math.max(24, radius) : radius + 5];
  place.forEach((point, v) => {
    const far = distance(point, here);
    if (far < least) [best, least] = [v, far];
  });
  return best;
}

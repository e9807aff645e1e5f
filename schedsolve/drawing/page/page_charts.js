// Charts of the whole schedule: progress by round, and for every node and item when it arrived. Both can be clicked to jump.

const PROGRESS_HEIGHT = 70;
const MOST_MATRIX_SIDE = 600;
const hasMatrix = trace.items.length > 1 && Math.max(holders.length, trace.items.length) <= MOST_MATRIX_SIDE;
const hasLargest = trace.steps.some((step) => step.largest > 0);

/** After every step: how many nodes hold all they must, and how many hold something but not all. */
const progressCounts = Array.from({ length: stepCount + 1 }, (_, t) => {
  let [complete, some] = [0, 0];
  for (let v = 0; v < nodeCount; v += 1) {
    if (isComplete(v, t)) complete += 1;
    else if (trace.must[v] && held[v][t] > 0) some += 1;
  }
  return [complete, some];
});
let progressStep = 10;

function drawProgress() {
  const chart = byId("progress");
  chart.replaceChildren();
  const room = byId("progress").parentElement.clientWidth || 600;
  progressStep = Math.max(3, Math.min(46, (room - 2) / (stepCount + 1)));
  const width = Math.ceil(progressStep * (stepCount + 1)) + 2;
  const heights = hasLargest ? PROGRESS_HEIGHT + 44 : PROGRESS_HEIGHT;
  for (const [name, value] of [["width", width], ["height", heights + 18], ["viewBox", `0 0 ${width} ${heights + 18}`]]) chart.setAttribute(name, value);
  const needing = Math.max(1, trace.must.filter(Boolean).length);
  const bar = Math.max(2, progressStep * 0.8);
  const most = Math.max(1, ...trace.steps.map((step) => step.largest));
  const stride = Math.ceil(26 / progressStep);
  // A time 0 is a step of its own, after the start.
  const startText = !isClocked ? "0" : progressStep >= 32 ? "start" : "";
  progressCounts.forEach(([complete, some], t) => {
    const x = round(1 + t * progressStep + (progressStep - bar) / 2);
    const [high, higher] = [(PROGRESS_HEIGHT * complete) / needing, (PROGRESS_HEIGHT * some) / needing];
    draw(chart, "rect", { class: "complete", x, y: round(PROGRESS_HEIGHT - high), width: round(bar), height: round(high) });
    draw(chart, "rect", { class: "some", x, y: round(PROGRESS_HEIGHT - high - higher), width: round(bar), height: round(higher) });
    if (hasLargest && t > 0) {
      const tall = (34 * trace.steps[t - 1].largest) / most;
      draw(chart, "rect", { class: "largest", x, y: round(heights - tall), width: round(bar), height: round(tall) });
    }
    const label = t ? String(stepNumber(t)) : startText;
    if ((isClocked && t ? t - 1 : t) % stride === 0) draw(chart, "text", { x: round(x + bar / 2), y: heights + 13, "text-anchor": "middle" }, label);
  });
  draw(chart, "path", { class: "axis", d: `M0 ${PROGRESS_HEIGHT + 0.5}H${width}` });
  draw(chart, "rect", { class: "current", y: 1, width: round(progressStep), height: heights - 2 });
  byId("progress-note").textContent = `Nodes by ${isClocked ? "time" : "round"}: green hold all they must, yellow something.${hasLargest ? ` Blue: the largest message, up to ${plural(most, "packet")}.` : ""} Click a bar to jump.`;
}

const markProgress = (t) => byId("progress").querySelector(".current").setAttribute("x", round(1 + t * progressStep));
const progressStepAt = (event) => Math.floor((event.clientX - byId("progress").getBoundingClientRect().left - 1) / progressStep);

const matrix = { cell: 8, left: 0, top: 0 };

function sizeMatrix() {
  const canvas = byId("matrix");
  const room = canvas.parentElement.clientWidth || 600;
  const context = canvas.getContext("2d");
  context.font = "10px sans-serif";
  const wide = (names) => Math.min(70, Math.max(...names.map((name) => context.measureText(name).width)) + 6);
  matrix.left = Math.ceil(wide(holders.map((v) => shortLabel(trace.labels[v]))));
  matrix.cell = Math.floor(Math.max(2, Math.min(20, (room - matrix.left) / trace.items.length)));
  matrix.top = matrix.cell >= 9 ? Math.ceil(wide(trace.items.map((_, i) => shortLabel(shortName(i))))) : 4;
  const [width, height] = [matrix.left + matrix.cell * trace.items.length, matrix.top + matrix.cell * holders.length];
  const ratio = window.devicePixelRatio || 1;
  [canvas.width, canvas.height] = [Math.round(width * ratio), Math.round(height * ratio)];
  [canvas.style.width, canvas.style.height] = [`${width}px`, `${height}px`];
}

function drawMatrix(t) {
  if (!hasMatrix) return;
  const canvas = byId("matrix");
  const context = canvas.getContext("2d");
  const style = getComputedStyle(document.documentElement);
  const colour = (name) => style.getPropertyValue(`--${name}`).trim();
  const [fresh, known, empty, ink, chosen] = ["call", "done", "panel", "quiet", "accent"].map(colour);
  const { cell, left, top } = matrix;
  const size = cell > 5 ? cell - 1 : cell;
  const ratio = window.devicePixelRatio || 1;
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  context.clearRect(0, 0, canvas.width, canvas.height);
  context.font = "10px sans-serif";
  holders.forEach((v, row) => {
    trace.columns.forEach((item, column) => {
      const when = trace.arrivals[v][item];
      const here = when >= 0 && when <= t;
      context.fillStyle = !here ? empty : when === t && t > 0 ? fresh : known;
      context.globalAlpha = here && when < t ? 1 - 0.55 * (when / Math.max(1, t)) : 1;
      context.fillRect(left + column * cell, top + row * cell, size, size);
    });
  });
  context.globalAlpha = 1;
  context.fillStyle = ink;
  const every = cell >= 9 ? 1 : Math.ceil(11 / cell);
  context.textAlign = "right";
  holders.forEach((v, row) => {
    if (row % every === 0) context.fillText(shortLabel(trace.labels[v]), left - 4, top + row * cell + Math.min(cell, 20) * 0.5 + 3, left - 4);
  });
  context.textAlign = "left";
  if (cell >= 9) {
    trace.columns.forEach((item, column) => {
      context.save();
      context.translate(left + column * cell + cell / 2 + 3, top - 4);
      context.rotate(-Math.PI / 2);
      context.fillText(shortLabel(shortName(item)), 0, 0, top - 4);
      context.restore();
    });
  }
  const row = holders.indexOf(chosenNode());
  if (row >= 0) {
    context.strokeStyle = chosen;
    context.lineWidth = 2;
    context.strokeRect(left, top + row * cell - 0.5, cell * trace.items.length, cell);
  }
}

/** The node of the matrix's row under a pointer; -1 for none. */
function matrixNodeAt(event) {
  const y = event.clientY - byId("matrix").getBoundingClientRect().top - matrix.top;
  return holders[Math.floor(y / matrix.cell)] ?? -1;
}

function describeMatrix() {
  if (hasMatrix) {
    byId("matrix-note").textContent = `A row for every node${relays.size ? " that does not only pass on" : ""}, a column for every ${unit}: orange came just now, green is held, the longer the stronger.`;
  } else if (trace.items.length === 1) {
    byId("matrix-section").hidden = true;
  } else {
    byId("matrix-note").textContent = `${holders.length} nodes and ${trace.items.length} ${unit}s are too many for this table (limit: ${MOST_MATRIX_SIDE} of each).`;
    byId("matrix").hidden = true;
  }
}

// Playing: the current step, the chosen node, and everything that follows from them.

const MOST_CALLS = 60;
const MOST_LOADS = 10;
const TICK = 1100;
let current = 0;
let pinned = -1;
let hovered = -1;
let timer = 0;

const chosenNode = () => (hovered >= 0 ? hovered : pinned);

/** Replaces what is in an element by elements with a text each. */
function fill(parent, name, texts) {
  parent.replaceChildren(...texts.map((text) => {
    const element = document.createElement(name);
    element.textContent = text;
    return element;
  }));
}

function showNode() {
  const panel = byId("node");
  const v = chosenNode();
  if (v < 0) return fill(panel, "p", ["Point at a node, tap it, or go to it with the keyboard, to see what it holds, since when, and from whom."]);
  const title = document.createElement("h2");
  title.textContent = `Node ${trace.labels[v]}`;
  const text = document.createElement("p");
  text.textContent = `${isClocked ? "At" : "After"} ${stepTitle(current)}: ${holdingText(v, current)}${sinceText(v)}.`;
  if (current === 0) text.textContent = `At the start: ${holdingText(v, 0)}.`;
  const list = document.createElement("ul");
  fill(list, "li", historyLines(v, current));
  panel.replaceChildren(title, text, list);
}

const sinceText = (v) => (isComplete(v, current) ? `, since ${completeAt[v] ? stepTitle(completeAt[v]) : "the start"}` : "");

function showCalls(limit = MOST_CALLS) {
  const transfers = current ? trace.steps[current - 1].transfers : [];
  byId("calls-title").textContent = current ? stepTitle(current)[0].toUpperCase() + stepTitle(current).slice(1) : "Start";
  byId("calls-note").textContent = stepNote(current);
  const list = byId("calls-list");
  fill(list, "li", transfers.slice(0, limit).map(transferText));
  [...list.children].forEach((entry, index) => (entry.className = colourOf(transfers, index)));
  if (transfers.length > limit) {
    const [entry, button] = [document.createElement("li"), document.createElement("button")];
    entry.className = "more";
    button.type = "button";
    button.textContent = `show ${transfers.length - limit} more`;
    button.addEventListener("click", () => showCalls(Infinity));
    entry.append(button);
    list.append(entry);
  }
  list.hidden = !transfers.length;
}

/** When the channels are as full as a step says: a step of the clock ends at the time of the same number. */
function loadsWhen() {
  if (!current) return "";
  if (!isClocked) return ` in ${stepTitle(current)}`;
  const [first, last] = [current > 1 ? stepNumber(current - 1) + 1 : 0, stepNumber(current)];
  if (!last) return "";
  return first < last && first ? ` in steps ${first} to ${last}` : ` in step ${last}`;
}

function showLoads() {
  const loads = current ? trace.steps[current - 1].loads : [];
  byId("loads-title").textContent = `Fullest channels${loadsWhen()}`;
  byId("loads").hidden = !trace.steps.some((step) => step.loads.length);
  const fullest = [...loads].sort((a, b) => b[1] / b[2] - a[1] / a[2]).slice(0, MOST_LOADS);
  const list = byId("loads-list");
  fill(list, "li", fullest.length ? [] : ["nothing is in the channels"]);
  for (const [name, load, capacity] of fullest) {
    const entry = document.createElement("li");
    fill(entry, "span", [name]);
    const trough = draw(entry, "svg", { viewBox: "0 0 80 10", "aria-hidden": "true" });
    draw(trough, "rect", { class: "trough", width: 80, height: 10, rx: 3 });
    draw(trough, "rect", { class: "load", width: round(80 * Math.min(1, load / capacity)), height: 10, rx: 3 });
    const share = document.createElement("span");
    share.className = "share";
    share.textContent = `${load} / ${capacity}`;
    entry.append(share);
    list.append(entry);
  }
}

function showKey() {
  const isSingle = trace.items.length === 1;
  const all = isSingle ? `holds ${trace.items[0]}` : goalsDiffer ? "all it must, or all there is" : "all it must";
  const entries = [["", "holds nothing"], ["done", all], ["fresh", "learnt just now"]];
  if (!isSingle) entries.splice(1, 0, ["partly", "something"]);
  if (goalsDiffer) entries.push(["wanted", isSingle ? `must get ${trace.items[0]}` : `must hold certain ${unit}s in the end`]);
  if (relays.size) entries.push(["relay", "switch, without a name: only passes on"]);
  if (trace.directed) entries.push(["arc", "directed: calls go along the arrowheads"]);
  const meanings = trace.colours.slice(0, LONG_COLOURS).map((name, i) => [`carries c${i}`, trace.colours.filter((_, j) => j % LONG_COLOURS === i)]);
  if (trace.broken) entries.push(["carries broken", "breaks a rule"]);
  for (const [name, texts] of meanings) entries.push([name, cutList(texts)]);
  byId("key").replaceChildren(...entries.map(([name, text]) => {
    const [entry, dot] = [document.createElement("span"), document.createElement("i")];
    dot.className = name;
    entry.append(dot, text);
    return entry;
  }));
}

/** Goes to a step; 0 is the start. */
function show(t) {
  current = Math.max(0, Math.min(stepCount, t));
  const period = trace.period && current ? `, ${((current - 1) % trace.period) + 1} of the period` : "";
  const text = current ? `${stepTitle(current)} of ${stepNumber(stepCount)}${period}` : "start";
  byId("now").textContent = text;
  byId("scrubber").value = String(current);
  byId("scrubber").setAttribute("aria-valuetext", text);
  for (const id of ["first", "back"]) byId(id).disabled = current === 0;
  for (const id of ["forward", "last"]) byId(id).disabled = current === stepCount;
  drawCalls(current);
  showCalls();
  showLoads();
  markProgress(current);
  showState();
}

/** Shows what depends on the chosen node too. */
function showState() {
  colourNodes(current);
  drawMatrix(current);
  showNode();
  remember();
}

/** Makes the page's address a link to what is shown: #step=3&node=Paris. */
function remember() {
  if (timer || window.parent !== window || (!location.hash && !current && pinned < 0)) return;
  const said = new URLSearchParams({ step: String(current) });
  if (pinned >= 0) said.set("node", trace.labels[pinned]);
  if (location.hash !== `#${said}`) history.replaceState(null, "", `#${said}`);
}

/** Takes the step and the chosen node from the page's address. */
function recall() {
  const said = new URLSearchParams(location.hash.slice(1));
  current = Math.max(0, Math.min(stepCount, Math.trunc(Number(said.get("step"))) || 0));
  pinned = said.has("node") ? trace.labels.indexOf(said.get("node")) : -1;
}

function choose(hover, pin = pinned) {
  if (hover === hovered && pin === pinned) return;
  [hovered, pinned] = [hover, pin];
  showState();
}

function setPlaying(playing) {
  window.clearTimeout(timer);
  timer = playing ? window.setTimeout(tick, TICK / Number(byId("speed").value)) : 0;
  byId("play").classList.toggle("playing", playing);
  byId("play").setAttribute("aria-label", playing ? "pause" : "play");
  // A screen reader would read every round of a schedule that plays.
  byId("calls").setAttribute("aria-live", playing ? "off" : "polite");
  remember();
}

function tick() {
  show(current + 1);
  setPlaying(current < stepCount);
}

function togglePlay() {
  if (!timer && current === stepCount) show(0);
  setPlaying(!timer && stepCount > 0);
}

/** Goes to a step because somebody asked for it, which ends the playing. */
function seek(t) {
  setPlaying(false);
  show(t);
}

/** Moves the focus from node to node; only one of them is in the order of the tab key. */
function focusNode(v) {
  nodeElements.forEach(({ group }) => group.setAttribute("tabindex", "-1"));
  nodeElements[v].group.setAttribute("tabindex", "0");
  nodeElements[v].group.focus({ preventScroll: false });
}

function onKey(event) {
  if (event.altKey || event.ctrlKey || event.metaKey) return;
  const target = event.target instanceof Element ? event.target : document.body;
  if (target.closest("select") || (target.closest("button, summary, a") && (event.key === " " || event.key === "Enter"))) return;
  const steps = { ArrowLeft: current - 1, ArrowRight: current + 1, Home: 0, End: stepCount };
  const onNode = nodeElements.findIndex(({ group }) => group === target);
  if (event.key === " ") togglePlay();
  else if (event.key in steps) seek(steps[event.key]);
  else if (onNode >= 0 && (event.key === "ArrowDown" || event.key === "ArrowUp")) {
    const position = trace.order.indexOf(onNode) + (event.key === "ArrowDown" ? 1 : nodeCount - 1);
    focusNode(trace.order[position % nodeCount]);
  } else if (onNode >= 0 && event.key === "Enter") choose(onNode, pinned === onNode ? -1 : onNode);
  else if (event.key === "Escape") choose(-1, -1);
  else return;
  event.preventDefault();
}

function listen() {
  const buttons = { first: () => seek(0), back: () => seek(current - 1), play: togglePlay, forward: () => seek(current + 1), last: () => seek(stepCount) };
  for (const [id, action] of Object.entries(buttons)) byId(id).addEventListener("click", action);
  byId("scrubber").addEventListener("input", (event) => seek(Number(event.target.value)));
  byId("speed").addEventListener("change", () => timer && setPlaying(true));
  document.addEventListener("keydown", onKey);
  const network = byId("network");
  network.addEventListener("pointermove", (event) => event.pointerType === "mouse" && choose(nodeAt(event)));
  network.addEventListener("pointerleave", () => choose(-1));
  network.addEventListener("click", (event) => {
    const v = nodeAt(event);
    choose(event.pointerType === "mouse" ? v : -1, v === pinned ? -1 : v);
  });
  // On the frame: a listener on the picture itself would make it a stop of the tab key in Chromium.
  const frame = byId("picture");
  frame.addEventListener("focusin", (event) => choose(nodeElements.findIndex(({ group }) => group === event.target)));
  frame.addEventListener("focusout", () => choose(-1));
  byId("progress").addEventListener("click", (event) => seek(progressStepAt(event)));
  byId("matrix").addEventListener("pointermove", (event) => event.pointerType === "mouse" && choose(matrixNodeAt(event)));
  byId("matrix").addEventListener("pointerleave", () => choose(-1));
  byId("matrix").addEventListener("click", (event) => choose(-1, matrixNodeAt(event)));
  window.matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => drawMatrix(current));
  window.addEventListener("hashchange", () => {
    recall();
    setPlaying(false);
    show(current);
  });
  let width = window.innerWidth;
  window.addEventListener("resize", () => {
    // The bars of a phone's browser come and go while it scrolls; only the width changes the picture.
    if (window.innerWidth !== width) layOut();
    width = window.innerWidth;
  });
}

/** Draws everything for the size of the window. */
function layOut() {
  drawNetwork();
  drawProgress();
  if (hasMatrix) sizeMatrix();
  nodeElements[trace.order[0]].group.setAttribute("tabindex", "0");
  show(current);
}

byId("scrubber").setAttribute("aria-label", isClocked ? "time" : "round");
byId("scrubber").max = String(stepCount);
byId("play").disabled = stepCount === 0;
showKey();
describeMatrix();
listen();
recall();
layOut();
// A page that frames this one can make the frame as tall as what is in it (frames.js).
if (window.parent !== window) new ResizeObserver(() => window.parent.postMessage({ schedsolveHeight: document.body.offsetHeight }, "*")).observe(document.body);

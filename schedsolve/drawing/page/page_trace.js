"use strict";
// What the schedule says: who holds what when, from whom, and in words.

const trace = JSON.parse(document.getElementById("data").textContent);
const byId = (id) => document.getElementById(id);
const nodeCount = trace.labels.length;
const stepCount = trace.steps.length;
const MOST_NAMES = 12;

/** Of every node, how many items it holds at the start and after every step. */
const held = trace.arrivals.map((row) => {
  const counts = new Int32Array(stepCount + 1);
  for (const when of row) if (when >= 0) counts[when] += 1;
  for (let t = 1; t <= stepCount; t += 1) counts[t] += counts[t - 1];
  return counts;
});

/** Of every node, the step after which it holds all that it must; -1 when it must hold nothing, Infinity when that never happens. */
const completeAt = trace.must.map((must, v) => {
  const items = must === 1 ? trace.items.map((_, i) => i) : must || [];
  return items.reduce((latest, i) => Math.max(latest, trace.arrivals[v][i] < 0 ? Infinity : trace.arrivals[v][i]), items.length ? 0 : -1);
});
const relays = new Set(trace.relays);
const isRelay = trace.labels.map((_, v) => relays.has(v));
/** The nodes that can hold something, in the order of the diagrams. */
const holders = trace.order.filter((v) => !isRelay[v]);
/** Whether some nodes must hold something and others need not, so that it is worth showing which. */
const goalsDiffer = holders.some((v) => trace.must[v]) && holders.some((v) => !trace.must[v]);
const isComplete = (v, t) => completeAt[v] >= 0 && completeAt[v] <= t;
/** Whether a node's colour says that it needs no more: it holds all it must, or, where it must hold nothing, all there is. */
const isDone = (v, t) => isComplete(v, t) || (!trace.must[v] && held[v][t] === trace.items.length);
const isFresh = (v, t) => t > 0 && held[v][t] > held[v][t - 1];

/** Whether a transfer is the call with which the schedule breaks a rule: the last one that is shown. */
const isBroken = (transfers, index) => trace.broken && transfers === trace.steps.at(-1).transfers && index === transfers.length - 1;

/** The nodes that a transfer brings something to, each with where it comes from. */
const deliveries = ([nodes, twoWay]) => {
  const from = nodes[0], to = nodes[nodes.length - 1];
  return twoWay ? [[from, to], [to, from]] : [[from, to]];
};

/** Who sends something to a node in a step. */
function sendersTo(v, t) {
  const { transfers } = trace.steps[t - 1];
  const senders = transfers.filter((_, index) => !isBroken(transfers, index)).flatMap(deliveries).filter(([from, to]) => to === v && from !== v);
  return [...new Set(senders.map(([from]) => from))];
}

/** Who brought an item that a node has since a step: of those who sent there in it, or in an earlier one, who held it then. */
function bringers(v, item, t) {
  const hadIt = (u, latest) => trace.arrivals[u][item] >= 0 && trace.arrivals[u][item] <= latest;
  const now = sendersTo(v, t);
  const knew = now.filter((u) => hadIt(u, t - 1));
  if (knew.length) return knew;
  for (let earlier = t - 1; earlier > 0; earlier -= 1) {
    const before = sendersTo(v, earlier).filter((u) => hadIt(u, earlier));
    if (before.length) return before;
  }
  return now;
}

const plural = (count, word) => `${count} ${word}${count === 1 ? "" : "s"}`;
const unit = trace.packets ? trace.noun : "item";
const stepTitle = (t) => (t === 0 ? "start" : trace.steps[t - 1].title);
/** The number of a step: of its round, or its time on the clock. */
const stepNumber = (t) => trace.steps[t - 1].number;
const isClocked = trace.clocked;
const cutList = (names) => (names.length <= MOST_NAMES + 1 ? names : [...names.slice(0, MOST_NAMES), `${names.length - MOST_NAMES} more`]).join(", ");

/** What all names of items begin with, up to their last words; empty when they differ. */
const commonHead = (() => {
  const head = (name) => name.slice(0, name.lastIndexOf(" ") + 1);
  const first = head(trace.items[0] ?? "");
  return trace.items.length > 1 && trace.items.every((name) => head(name) === first) ? first : "";
})();
const shortName = (item) => trace.items[item].slice(commonHead.length);

/** Several items by name: "items of 3, 4, 7". */
function itemNames(items) {
  if (items.length === 1 || !commonHead) return cutList(items.map((i) => trace.items[i]));
  return `${commonHead.replace(" ", "s ")}${cutList(items.map(shortName))}`;
}

/** The items that a node must hold and does not hold yet. */
function lacking(v, t) {
  const items = trace.must[v] === 1 ? trace.items.map((_, i) => i) : trace.must[v] || [];
  return items.filter((i) => trace.arrivals[v][i] < 0 || trace.arrivals[v][i] > t);
}

/** How much a node holds, as short as it goes: "3/7" where it must hold all, "2, lacks 1" where it must hold some, "2" elsewhere. */
function countText(v, t) {
  if (!goalsDiffer && trace.must[v] === 1) return `${held[v][t]}/${trace.items.length}`;
  const missing = lacking(v, t).length;
  return `${held[v][t]}${missing ? `, lacks ${missing}` : ""}`;
}

/** What a node holds and what it lacks, in one sentence. */
function holdingText(v, t) {
  const [has, must] = [held[v][t], trace.must[v]];
  if (isRelay[v]) return "passes on what others send; it must hold nothing itself";
  if (trace.items.length === 1) {
    const what = trace.items[0];
    if (has && !must && !trace.arrivals[v][0]) return `holds ${what} from the start`;
    if (has) return must ? `holds ${what}` : `holds ${what}, though it need not`;
    return must ? `does not hold ${what} yet` : `does not hold ${what}, and need not`;
  }
  if (must === 1) return `holds ${has} of ${plural(trace.items.length, unit)}${isComplete(v, t) ? ": all that it must" : "; it must hold all"}`;
  const amount = `holds ${has ? plural(has, unit) : "nothing"}`;
  if (!must) return amount;
  if (isComplete(v, t)) return has === must.length ? `${amount}: all that it must` : `${amount}, among them all that it must`;
  const missing = lacking(v, t);
  const share = missing.length === must.length ? "what it must hold" : `${missing.length} of the ${must.length} that it must hold`;
  return `${amount}; it lacks ${share}: ${itemNames(missing)}`;
}

/** A line for every step in which something came to a node: when, from whom, what. */
function historyLines(v, t) {
  const byStep = new Map();
  trace.arrivals[v].forEach((when, item) => {
    if (when < 0 || when > t) return;
    if (!byStep.has(when)) byStep.set(when, []);
    byStep.get(when).push(item);
  });
  return [...byStep.keys()].sort((a, b) => a - b).map((when) => {
    const items = byStep.get(when);
    const senders = when ? [...new Set(items.flatMap((item) => bringers(v, item, when)))].map((u) => trace.labels[u]) : [];
    const source = senders.length ? `, from ${cutList(senders)}` : "";
    return `${stepTitle(when)}${source}: ${itemNames(items)}`;
  });
}

/** A transfer in words: "0 → 4 → 5: 2 packets". */
function transferText([nodes, twoWay, text]) {
  const arrow = twoWay && nodes.length === 2 ? " ↔ " : " → ";
  const way = nodes.map((v) => trace.labels[v]).join(arrow);
  return `${way}${twoWay && nodes.length > 2 ? " and back" : ""}${text ? `: ${text}` : ""}`;
}

/** What happens in a step, in one line. */
function stepNote(t) {
  const needing = trace.must.reduce((count, must) => count + (must ? 1 : 0), 0);
  const complete = completeAt.reduce((count, when) => count + (when >= 0 && when <= t ? 1 : 0), 0);
  const done = `${complete} of ${plural(needing, "node")} ${needing === 1 ? "holds" : "hold"} all that ${needing === 1 ? "it" : "they"} must.`;
  if (t === 0) return `At the start. ${done}`;
  const { transfers, largest } = trace.steps[t - 1];
  const cost = trace.packets ? `; the largest message has ${largest} of ${plural(trace.packets, "packet")}` : "";
  const starts = isClocked ? ` ${transfers.length === 1 ? "starts" : "start"}` : "";
  const broken = isBroken(transfers, transfers.length - 1) ? ` The last call breaks a rule: ${trace.broken}.` : "";
  return `${plural(transfers.length, "call")}${starts}${cost}. ${done}${broken}`;
}

// The page of many networks: which are shown, in which order, as a table or as pictures; one of them in a dialog.

const byId = (id) => document.getElementById(id);
const { columns, values, networks } = JSON.parse(byId("data").textContent);
const rows = networks.map((network, i) => ({ network, cells: [...values.map((column) => column[i])] }));
const numbers = new Map(columns.flatMap((column, i) => [column.name, ...(column.aliases ?? [])].map((name) => [name, i])));
const CHUNK = 100;
const SMALL = 44;
const MEDIUM = 104;
const LARGE = 340;
const NAME = numbers.get("network");
const state = { where: "", sort: "", down: false, pictures: false, chosen: new Set(columns.filter((c) => c.shown).map((c) => c.name)) };
let found = rows;
let shown = 0;
let current = -1;

/** An element with a text, appended to a parent. */
function put(parent, name, text = "", attributes = {}) {
  const element = document.createElement(name);
  element.textContent = text;
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  parent.append(element);
  return element;
}

/** A column's name, which may break after its underscores. */
function putName(parent, name) {
  name.split(/(?<=_)/).forEach((part, i) => {
    if (i) put(parent, "wbr");
    parent.append(part);
  });
}

function cellText(column, value) {
  if (value === null) return "";
  if (column.kind === "truth") return value ? "yes" : "no";
  return String(column.fractions?.[value] ?? value);
}

/** Numbers before texts, missing values last whichever way the rest goes. */
function byColumn(number) {
  const sign = state.down ? -1 : 1;
  return (a, b) => {
    const [x, y] = [a.cells[number], b.cells[number]];
    if (x === null || y === null) return (x === null) - (y === null);
    return sign * (Number(x > y) - Number(x < y));
  };
}

/** Find and order what is shown, and say how many there are; an error in the condition leaves what was there. */
function update() {
  const field = byId("where");
  const count = byId("count");
  try {
    const condition = state.where.trim() ? conditionOf(state.where, numbers) : () => true;
    found = rows.filter((row) => condition(row.cells));
  } catch (error) {
    field.classList.add("wrong");
    count.textContent = error.message;
    count.className = "failed";
    return;
  }
  field.classList.remove("wrong");
  count.className = "";
  if (numbers.has(state.sort)) found.sort(byColumn(numbers.get(state.sort)));
  count.textContent = found.length === rows.length ? `all ${rows.length} networks` : `${found.length} of ${rows.length} networks`;
  byId("sort").value = state.sort;
  byId("direction").textContent = state.down ? "↓" : "↑";
  byId("direction").title = state.down ? "greatest first" : "least first";
  byId("as-table").setAttribute("aria-pressed", String(!state.pictures));
  byId("as-pictures").setAttribute("aria-pressed", String(state.pictures));
  byId("table-view").hidden = state.pictures;
  byId("picture-view").hidden = !state.pictures;
  shown = 0;
  byId("rows").replaceChildren();
  byId("picture-view").replaceChildren();
  heads();
  more();
  remember();
}

/** The address says what is shown. */
function remember() {
  const said = new URLSearchParams();
  if (state.where.trim()) said.set("where", state.where);
  if (state.sort) said.set("sort", (state.down ? "-" : "") + state.sort);
  if (state.pictures) said.set("view", "pictures");
  const text = said.toString();
  try {
    history.replaceState(null, "", text ? `#${text}` : "#");
  } catch {
    // A page in a frame of a notebook has no address of its own.
  }
}

function recall() {
  const said = new URLSearchParams(location.hash.slice(1));
  const sort = said.get("sort") ?? "";
  state.where = said.get("where") ?? "";
  state.down = sort.startsWith("-");
  state.sort = sort.replace(/^-/, "");
  state.pictures = said.get("view") === "pictures";
  byId("where").value = state.where;
  update();
}

function sortBy(name) {
  state.down = state.sort === name ? !state.down : false;
  state.sort = name;
  update();
}

function heads() {
  const line = byId("heads");
  line.replaceChildren();
  columns.forEach((column, i) => {
    if (i !== NAME && !state.chosen.has(column.name)) return;
    const cell = put(line, "th", "", { scope: "col", class: column.kind === "text" ? "text" : "" });
    if (column.name === state.sort) cell.setAttribute("aria-sort", state.down ? "descending" : "ascending");
    const arrow = column.name === state.sort ? (state.down ? " ↓" : " ↑") : "";
    const button = put(cell, "button", "", { type: "button", title: column.meaning });
    putName(button, column.name + arrow);
    button.addEventListener("click", () => sortBy(column.name));
  });
}

function opener(parent, row, place, size) {
  const button = put(parent, "button", "", { type: "button", class: "open" });
  button.append(drawing(row.network, size, false));
  put(button, "span", row.cells[NAME].replace(/^graph6:/, ""), { class: "name" });
  button.addEventListener("click", () => open(place));
  return button;
}

function tableRow(row, place) {
  const line = put(byId("rows"), "tr");
  columns.forEach((column, i) => {
    if (i === NAME) opener(put(line, "td"), row, place, SMALL);
    else if (state.chosen.has(column.name)) put(line, "td", cellText(column, row.cells[i]), { class: column.kind === "text" ? "text" : "" });
  });
  line.addEventListener("click", (event) => event.target.closest("button") || open(place));
}

function picture(row, place) {
  const button = opener(byId("picture-view"), row, place, MEDIUM);
  const number = numbers.get(state.sort);
  if (number !== undefined && number !== NAME) {
    put(button, "span", `${state.sort} ${cellText(columns[number], row.cells[number]) || "–"}`, { class: "value" });
  }
}

function more() {
  const end = Math.min(shown + CHUNK, found.length);
  for (; shown < end; shown += 1) (state.pictures ? picture : tableRow)(found[shown], shown);
  byId("more").hidden = shown === found.length;
}

/** Show one network with all that is known of it. */
function open(place) {
  current = place;
  const { network, cells } = found[place];
  byId("network-name").textContent = cells[NAME];
  byId("network-picture").replaceChildren(drawing(network, LARGE, true));
  const tasks = byId("network-tasks");
  const list = byId("network-values");
  tasks.replaceChildren();
  list.replaceChildren();
  const table = put(put(tasks, "table"), "tbody");
  columns.forEach((column, i) => {
    if (cells[i] === null || i === NAME) return;
    if (!column.command) {
      putName(put(list, "dt"), column.name);
      put(list, "dd", cellText(column, cells[i]));
      return;
    }
    const line = put(table, "tr");
    putName(put(line, "td"), column.name);
    put(line, "td").append(put(line, "strong", cellText(column, cells[i])));
    const words = [column.command[0], `'${cells[NAME]}'`, column.command[1]].join(" ").trim();
    put(put(line, "td"), "code", network.posed ? `schedsolve solve ${words}` : "");
  });
  byId("previous").disabled = place === 0;
  byId("next").disabled = place === found.length - 1;
  if (!byId("network").open) byId("network").showModal();
}

columns.forEach((column) => {
  putName(put(byId("meanings"), "dt"), column.name);
  put(byId("meanings"), "dd", column.meaning);
  put(byId("sort"), "option", column.name, { value: column.name });
  if (column.name === "network") return;
  const label = put(byId("columns"), "label");
  const box = put(label, "input", "", { type: "checkbox" });
  box.checked = state.chosen.has(column.name);
  label.append(` ${column.name}`);
  box.addEventListener("change", () => {
    state.chosen[box.checked ? "add" : "delete"](column.name);
    update();
  });
});
byId("sort").prepend(put(byId("sort"), "option", "size", { value: "" }));
byId("controls").addEventListener("submit", (event) => event.preventDefault());
byId("where").addEventListener("input", (event) => {
  state.where = event.target.value;
  update();
});
byId("sort").addEventListener("change", (event) => {
  state.sort = event.target.value;
  update();
});
byId("direction").addEventListener("click", () => {
  state.down = !state.down;
  update();
});
for (const [id, pictures] of [["as-table", false], ["as-pictures", true]]) {
  byId(id).addEventListener("click", () => {
    state.pictures = pictures;
    update();
  });
}
byId("previous").addEventListener("click", () => open(current - 1));
byId("next").addEventListener("click", () => open(current + 1));
byId("network").addEventListener("keydown", (event) => {
  if (event.key === "ArrowLeft" && current > 0) open(current - 1);
  if (event.key === "ArrowRight" && current < found.length - 1) open(current + 1);
});
byId("network").addEventListener("click", (event) => event.target === byId("network") && byId("network").close());
byId("show-more").addEventListener("click", more);
new IntersectionObserver((entries) => entries.some((entry) => entry.isIntersecting) && more(), { rootMargin: "600px" }).observe(byId("more"));
addEventListener("hashchange", recall);
recall();

// Drawings of networks: lines and dots.

const SVG = "http://www.w3.org/2000/svg";

/** An SVG element with attributes, appended to a parent. */
function shape(parent, name, attributes, text = "") {
  const element = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.textContent = text;
  parent.append(element);
  return element;
}

/** An arrow's head at the rim of the dot where an arc ends. */
function head(svg, from, to, radius) {
  const [dx, dy] = [to[0] - from[0], to[1] - from[1]];
  const length = Math.hypot(dx, dy) || 1;
  const [x, y] = [dx / length, dy / length];
  const tip = [to[0] - x * radius, to[1] - y * radius];
  const size = radius * 1.3;
  const side = (sign) => `${tip[0] - x * size + sign * y * size * 0.5},${tip[1] - y * size - sign * x * size * 0.5}`;
  shape(svg, "polygon", { class: "dot", points: `${tip[0]},${tip[1]} ${side(1)} ${side(-1)}` });
}

/** A drawing of a network, at most so many pixels wide and high; with the numbers of its nodes when it is large. */
function drawing(network, size, numbered) {
  const { edges, points, directed, labels } = network;
  const radius = numbered ? 13 : Math.max(2, size / 17);
  const span = Math.max(...points) || 1;
  const scale = (size - 2 * radius - 2) / span;
  const place = [];
  for (let i = 0; i < points.length; i += 2) place.push([radius + 1 + points[i] * scale, radius + 1 + points[i + 1] * scale]);
  const width = Math.max(...place.map(([x]) => x)) + radius + 1;
  const height = Math.max(...place.map(([, y]) => y)) + radius + 1;
  const side = numbered ? [width, height] : [size, size];
  const box = numbered ? [0, 0, width, height] : [(width - size) / 2, (height - size) / 2, size, size];
  const svg = document.createElementNS(SVG, "svg");
  for (const [key, value] of [["width", side[0]], ["height", side[1]], ["viewBox", box.join(" ")], ["aria-hidden", "true"]]) svg.setAttribute(key, value);
  for (let i = 0; i < edges.length; i += 2) {
    const [[x1, y1], [x2, y2]] = [place[edges[i]], place[edges[i + 1]]];
    shape(svg, "line", { class: "wire", x1, y1, x2, y2 });
    if (directed) head(svg, [x1, y1], [x2, y2], radius);
  }
  place.forEach(([x, y], v) => {
    shape(svg, "circle", { class: "dot", cx: x, cy: y, r: radius });
    if (numbered) shape(svg, "text", { x, y: y + 4.5 }, labels ? labels[v] : String(v));
  });
  return svg;
}

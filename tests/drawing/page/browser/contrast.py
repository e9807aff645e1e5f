"""How well text stands out from its ground, as a browser shows it: the contrast ratio of WCAG 2.2."""

from __future__ import annotations

from tests.drawing.page.browser.webdriver import Browser

LOW_CONTRAST = """
const canvas = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
function channels(colour) {
  canvas.clearRect(0, 0, 1, 1);
  canvas.fillStyle = colour;
  canvas.fillRect(0, 0, 1, 1);
  const [r, g, b, a] = canvas.getImageData(0, 0, 1, 1).data;
  return [r, g, b, a / 255];
}
const over = (top, under) => [0, 1, 2].map((i) => top[3] * top[i] + (1 - top[3]) * under[i]);
function ground(element) {
  const layers = [];
  for (let e = element; e; e = e.parentElement) layers.push(channels(getComputedStyle(e).backgroundColor));
  return layers.reverse().reduce((under, top) => over(top, under), [255, 255, 255]);
}
const linear = (c) => (c /= 255) <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4;
const light = (rgb) => 0.2126 * linear(rgb[0]) + 0.7152 * linear(rgb[1]) + 0.0722 * linear(rgb[2]);
const found = new Map();
const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
while (walk.nextNode()) {
  const text = walk.currentNode.textContent.trim(), element = walk.currentNode.parentElement;
  if (!text || !element.checkVisibility({ opacityProperty: true, visibilityProperty: true })) continue;
  if (element.closest("svg, script, style, button:disabled, option")) continue;
  const style = getComputedStyle(element), under = ground(element);
  const [a, b] = [light(over(channels(style.color), under)), light(under)].sort((x, y) => y - x);
  const ratio = (a + 0.05) / (b + 0.05), size = parseFloat(style.fontSize);
  const large = size >= 24 || (size >= 18.66 && style.fontWeight >= 700);
  if (ratio < (large ? 3 : 4.5)) {
    const where = [element.tagName, ...element.classList].join(".");
    const colours = `${style.color} on ${under.map(Math.round)}`;
    found.set(where, `${where} ${ratio.toFixed(2)} ${colours}: ${text.slice(0, 40)}`);
  }
}
return [...found.values()];
"""


def low_contrast(window: Browser) -> list[str]:
    """The kinds of elements whose text does not reach AA (4.5, large text 3), with their colours."""
    return list(window.run(LOW_CONTRAST))

import { element, shape } from "./dom.js";
import { WINDOW } from "./lattice-layout.js";

const TICK_HEIGHT = 18;

// For texts that do not fit into one window of the lattice: a button for each window, in which each
// word is a tick as tall as its column.
export class Minimap {
  constructor(node, onOpen) {
    Object.assign(this, { node, onOpen });
  }

  draw(columns) {
    this.node.hidden = columns.length <= WINDOW;
    this.node.replaceChildren();
    if (this.node.hidden) return;
    const tallest = Math.max(...columns.map(({ choices }) => choices.length));
    for (let start = 0; start < columns.length; start += WINDOW) {
      const part = columns.slice(start, start + WINDOW);
      const ticks = shape("svg", {
        width: 2 * part.length,
        height: TICK_HEIGHT,
        "aria-hidden": true,
      });
      part.forEach(({ choices }, number) => {
        const height = 1 + (16 * (choices.length - 1)) / (tallest - 1 || 1);
        const place = { x: 2 * number, y: TICK_HEIGHT - height, width: 1.5, height };
        ticks.append(shape("rect", { ...place, class: "tick" }));
      });
      const button = element("button", {}, element("span"), ticks);
      button.addEventListener("click", () => this.onOpen(start));
      this.node.append(button);
    }
  }

  // Which window is open, and which words are changed.
  update(state, open) {
    [...this.node.children].forEach((button, number) => {
      const start = number * WINDOW;
      const words = state.slice(start, start + WINDOW);
      const [name, ticks] = button.children;
      const text = windowName(start, words);
      if (name.textContent !== text) name.textContent = text;
      button.setAttribute("aria-pressed", start === open);
      words.forEach((choice, at) => ticks.children[at].classList.toggle("changed", choice > 0));
    });
  }
}

export function windowName(start, words) {
  const changed = words.filter(Boolean).length;
  return `${start + 1}–${start + words.length}${changed ? ` · ${changed} changed` : ""}`;
}

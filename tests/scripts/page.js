import { readFileSync } from "node:fs";
import { JSDOM } from "jsdom";

// A page without a screen, for tests: import this before anything that draws. It knows no sizes, so
// these are given here: everything is as wide as `screen.width`, and a letter takes 8 pixels.
export const screen = { width: 800 };

const browser = new JSDOM("<!doctype html>", { url: "http://localhost/" }).window;
Object.defineProperty(browser.HTMLElement.prototype, "clientWidth", { get: () => screen.width });

// What is drawn on a canvas is only counted.
export const drawn = [];
browser.HTMLCanvasElement.prototype.getContext = () => ({
  measureText: (text) => ({ width: 8 * text.length }),
  drawImage: (_, x, y) => drawn.push([x, y]),
  arc() {},
  fill() {},
});

const observers = new Set();
class WidthObserver {
  constructor(onResize) {
    this.onResize = onResize;
  }

  observe() {
    observers.add(this);
  }

  disconnect() {
    observers.delete(this);
  }
}

// Everything that is watched becomes as wide as the screen is now.
export function resize(width = screen.width) {
  screen.width = width;
  for (const { onResize } of [...observers]) onResize([{ contentRect: { width } }]);
}

Object.assign(globalThis, {
  MutationObserver: browser.MutationObserver,
  ResizeObserver: WidthObserver,
  XMLSerializer: browser.XMLSerializer,
  document: browser.document,
  getComputedStyle: browser.getComputedStyle.bind(browser),
  window: browser,
});

// A new page with the HTML of a component, as Streamlit draws it.
export function open(name) {
  const url = new URL(`../../assets/scripts/${name}.html`, import.meta.url);
  document.body.innerHTML = readFileSync(url, "utf-8");
  return document.body.firstElementChild;
}

export const click = (node) =>
  node.dispatchEvent(new window.MouseEvent("click", { bubbles: true }));

// Press a key where the focus is; says whether it was taken.
export function press(key, options = {}) {
  const target = options.target ?? document.activeElement;
  const code = /^\d$/.test(key) ? `Digit${key}` : key;
  const settings = { key, code, bubbles: true, cancelable: true, composed: true, ...options };
  return !target.dispatchEvent(new window.KeyboardEvent("keydown", settings));
}

export const texts = (nodes) => [...nodes].map((node) => node.textContent);

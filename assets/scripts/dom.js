// Elements of a page. Text enters a page here, and only as text: nothing is ever read as HTML.

const SVG = "http://www.w3.org/2000/svg";

// An element of HTML: element("p", { class: "note", text: "Hello" }) or with children instead.
// An attribute that is null or undefined is left out; children are elements or strings.
export function element(tag, attributes = {}, ...children) {
  return fill(document.createElement(tag), attributes, children);
}

// The same for a drawing: shape("rect", { width: 10, height: 10 }).
export function shape(tag, attributes = {}, ...children) {
  return fill(document.createElementNS(SVG, tag), attributes, children);
}

function fill(node, attributes, children) {
  for (const name in attributes) {
    const value = attributes[name];
    if (name === "text") node.textContent = value;
    else if (value != null) node.setAttribute(name, value);
  }
  if (children.length) node.append(...children);
  return node;
}

// Scroll an element, and nothing around it, until parts of it are in sight: all, or the first ones.
export function bringIntoSight(node, selector) {
  const parts = [...node.querySelectorAll(selector)].map((part) => part.getBoundingClientRect());
  if (!parts.length || node.scrollHeight <= node.clientHeight) return;
  const frame = node.getBoundingClientRect();
  const [{ top }, { bottom }] = [parts[0], parts.at(-1)];
  if (top >= frame.top && bottom <= frame.bottom) return;
  const margin = Math.max(0, frame.height - (bottom - top)) / 2;
  node.scrollTop += (top - frame.top - margin) / (node.currentCSSZoom ?? 1);
}

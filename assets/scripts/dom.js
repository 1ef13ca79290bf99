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

// Scroll an element, and nothing around it, until a part of it is in sight.
export function bringIntoSight(node, selector) {
  const part = node.querySelector(selector)?.getBoundingClientRect();
  const { top, bottom } = node.getBoundingClientRect();
  if (!part || node.scrollHeight <= node.clientHeight) return;
  if (part.top >= top && part.bottom <= bottom) return;
  node.scrollTop += (part.top - top) / (node.currentCSSZoom ?? 1) - node.clientHeight / 2;
}

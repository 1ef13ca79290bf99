import assert from "node:assert/strict";
import { test } from "node:test";
import "./page.js";
import { element, shape } from "../../assets/scripts/dom.js";

const HOSTILE = "<img src=x onerror=alert(1)>";

test("an element has its attributes, its text and its children", () => {
  const child = element("b", { text: "bold" });
  const node = element("p", { class: "note", dir: "auto", "aria-hidden": false }, "some ", child);
  assert.equal(
    node.outerHTML,
    '<p class="note" dir="auto" aria-hidden="false">some <b>bold</b></p>',
  );
});

test("an attribute without a value is left out, zero is a value", () => {
  const node = element("li", { class: null, title: undefined, tabindex: 0, text: 0 });
  assert.equal(node.outerHTML, '<li tabindex="0">0</li>');
});

test("text and children are never read as HTML", () => {
  const node = element("p", { text: HOSTILE, title: HOSTILE }, HOSTILE);
  assert.equal(node.children.length, 0);
  assert.equal(node.textContent, HOSTILE + HOSTILE);
  assert.equal(node.title, HOSTILE);
  assert.equal(shape("text", { text: HOSTILE }).children.length, 0);
});

test("a shape belongs to a drawing", () => {
  const svg = shape("svg", { width: 10 }, shape("rect", { rx: 3 }));
  assert.equal(svg.namespaceURI, "http://www.w3.org/2000/svg");
  assert.equal(svg.firstChild.namespaceURI, svg.namespaceURI);
  assert.equal(svg.firstChild.getAttribute("rx"), "3");
});

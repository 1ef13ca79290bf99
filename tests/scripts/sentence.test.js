import assert from "node:assert/strict";
import { test } from "node:test";
import "./page.js";
import { element } from "../../assets/scripts/dom.js";
import { markedSentence } from "../../assets/scripts/sentence.js";

const SENTENCE = {
  columns: [{ choices: ["A", "One"] }, { choices: ["<b>", "<i>x"] }, { choices: ["film"] }],
  gaps: ["“", " ", " ", ".”"],
};
const drawn = (...state) => element("p", {}, ...markedSentence(SENTENCE, ...state));

test("the original has no marks", () => {
  const node = drawn([0, 0, 0]);
  assert.equal(node.textContent, "“A <b> film.”");
  assert.equal(node.children.length, 0);
});

test("a changed word is marked, and its title has the original", () => {
  const node = drawn([0, 1, 0]);
  assert.equal(node.textContent, "“A <i>x film.”");
  const [mark, ...others] = node.children;
  assert.deepEqual(others, []);
  assert.equal(mark.tagName, "MARK");
  assert.equal(mark.textContent, "<i>x");
  assert.equal(mark.title, "was: <b>");
  assert.equal(mark.hasAttribute("class"), false);
});

test("a word that just moved shows how, a restored one too", () => {
  const [changed, restored] = drawn([1, 0, 0], { 0: "exchange", 1: "exchange" }).children;
  assert.equal(changed.outerHTML, '<mark class="moved exchange" title="was: A">One</mark>');
  assert.equal(restored.outerHTML, '<span class="moved exchange">&lt;b&gt;</span>');
});

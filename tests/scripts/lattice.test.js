import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { click, press, resize, texts } from "./page.js";
import { element } from "../../assets/scripts/dom.js";
import { Lattice } from "../../assets/scripts/lattice.js";

const COLUMNS = [
  { choices: ["I"], note: "a stop word" },
  { choices: ["love", "like", "favor"], gains: [null, -0.1, 0.2] },
  { choices: ["<b>", "<i>"] },
  { choices: Array.from({ length: 12 }, (_, index) => `movie${index}`) },
];

let root;
let lattice;
let calls;

function start(columns = COLUMNS) {
  root?.remove();
  calls = [];
  root = element("div");
  document.body.append(root);
  lattice = new Lattice(root, {
    onPick: (...place) => calls.push(["pick", ...place]),
    onEdit: (...edit) => calls.push(edit),
  });
  lattice.set({ id: "first", columns, labels: [], range: 0.2, base: 0.5 });
  lattice.show(columns.map(() => 0));
}

const node = (name) => root.querySelector(`[data-at="${name}"]`);
const words = () => texts(root.querySelectorAll(".node"));
const on = () => [...root.querySelectorAll(".node.on")].map(({ dataset }) => dataset.at);

beforeEach(() => start());

test("each word is drawn with its substitutes, as text", () => {
  assert.deepEqual(words().slice(0, 6), ["I", "love", "like", "favor", "<b>", "<i>"]);
  assert.equal(root.querySelectorAll("b, i:not(.scale i)").length, 0);
  assert.deepEqual(on(), ["0,0", "1,0", "2,0", "3,0"]);
  assert.equal(
    node("1,1").getAttribute("aria-label"),
    "like. alone it changes the score by −0.100, to 0.400",
  );
});

test("only words that can be swapped are buttons, and only one is in the order of tabs", () => {
  const roles = [...root.querySelectorAll(".node")]
    .slice(0, 2)
    .map((one) => one.getAttribute("role"));
  assert.deepEqual(roles, ["img", "button"]);
  const stops = [...root.querySelectorAll('.node[tabindex="0"]')].map(({ dataset }) => dataset.at);
  assert.deepEqual(stops, ["1,0"]);
  assert.equal(node("0,0").hasAttribute("tabindex"), false);
});

test("a click picks a word, but not a fixed one", () => {
  click(node("1,2").querySelector("rect"));
  click(node("0,0"));
  assert.deepEqual(calls, [["pick", 1, 2]]);
});

test("while editing, a click locks a word or removes a substitute", () => {
  lattice.editing = true;
  click(node("1,2"));
  click(node("1,0"));
  assert.deepEqual(calls, [
    ["remove", 1, 2],
    ["lock", 1, 0],
  ]);
});

test("another sentence moves the path and leaves the drawing", () => {
  const svg = root.querySelector("svg");
  const before = root.querySelector(".path").getAttribute("d");
  lattice.show([0, 2, 0, 0], { moved: { 1: "insert" } });
  assert.equal(root.querySelector("svg"), svg);
  assert.notEqual(root.querySelector(".path").getAttribute("d"), before);
  assert.deepEqual(on(), ["0,0", "1,2", "2,0", "3,0"]);
  assert.equal(node("1,2").getAttribute("class"), "node on moved insert");
  assert.equal(node("1,2").getAttribute("aria-pressed"), "true");
  assert.equal(node("1,0").getAttribute("aria-pressed"), "false");
  lattice.show([0, 2, 0, 0]);
  assert.equal(node("1,2").getAttribute("class"), "node on");
});

test("gains, shades and marks give a word its look", () => {
  assert.match(node("1,1").firstChild.style.fill, /var\(--down\) 42%/);
  assert.match(node("1,2").firstChild.style.fill, /var\(--up\) 72%/);
  assert.equal(node("1,0").firstChild.style.fill, "");
  lattice.show([0, 0, 0, 0], { shades: { "2,1": 0.5 }, marks: { "2,1": "own" } });
  assert.match(node("2,1").firstChild.style.fill, /var\(--st-primary-color\) 45%/);
  assert.equal(node("2,1").getAttribute("class"), "node own");
});

test("a long column opens and closes, and keeps a word that is chosen", () => {
  const column = () => words().filter((word) => word.startsWith("movie"));
  const fold = () => root.querySelector(".more");
  assert.deepEqual(column(), [
    "movie0",
    "movie1",
    "movie2",
    "movie3",
    "movie4",
    "movie5",
    "movie6",
  ]);
  assert.equal(fold().textContent, "+5 more");
  click(fold());
  assert.equal(column().length, 12);
  assert.equal(fold().textContent, "fewer");
  lattice.show([0, 0, 0, 11]);
  click(fold());
  assert.equal(column().at(-1), "movie11");
  assert.equal(fold().textContent, "+4 more");
});

test("arrows move the focus and the tab stop, Enter and space pick", () => {
  node("1,0").focus();
  assert.ok(press("ArrowDown"));
  assert.equal(document.activeElement, node("1,1"));
  assert.equal(node("1,1").getAttribute("tabindex"), "0");
  assert.equal(node("1,0").getAttribute("tabindex"), "-1");
  assert.ok(press("Enter"));
  assert.ok(press(" "));
  assert.deepEqual(calls, [
    ["pick", 1, 1],
    ["pick", 1, 1],
  ]);
});

test("keys edit, and what means nothing here is left to the page", () => {
  node("1,2").focus();
  assert.ok(press("Backspace"));
  assert.ok(press("l"));
  assert.ok(press("Delete"));
  assert.deepEqual(calls, [
    ["pick", 1, 0],
    ["lock", 1, 0],
    ["remove", 1, 2],
  ]);
  assert.equal(press("x"), false);
  assert.equal(press("l", { ctrlKey: true }), false);
  lattice.onEdit = null;
  assert.equal(press("Delete"), false);
  assert.equal(calls.length, 3);
});

test("a lattice that only shows has no buttons", () => {
  lattice.onPick = null;
  lattice.show([0, 1, 0, 0]);
  assert.equal(node("1,1").getAttribute("role"), "img");
  click(node("1,2"));
  assert.deepEqual(calls, []);
});

test("the same data are not drawn again, others are", () => {
  const svg = root.querySelector("svg");
  lattice.set({ id: "first", columns: COLUMNS, labels: [], range: 0.2, base: 0.5 });
  lattice.show([0, 0, 0, 0]);
  assert.equal(root.querySelector("svg"), svg);
  lattice.set({ id: "first", columns: COLUMNS.slice(0, 2), labels: [], range: 0.2, base: 0.5 });
  lattice.show([0, 0]);
  assert.deepEqual(words(), ["I", "love", "like", "favor"]);
});

test("another width draws it anew, with the focus where it was", () => {
  node("1,1").focus();
  lattice.focus = [1, 1];
  const svg = root.querySelector("svg");
  resize(300);
  assert.notEqual(root.querySelector("svg"), svg);
  assert.equal(document.activeElement, node("1,1"));
  assert.equal(root.querySelector("svg").getAttribute("width"), "300");
  resize(800);
});

test("a tip explains the word under the pointer or in focus, as text", () => {
  const tip = root.querySelector(".tip");
  assert.ok(tip.hidden);
  node("2,1").dispatchEvent(new window.Event("pointerover", { bubbles: true }));
  assert.deepEqual(texts(tip.children), ["<i>"]);
  assert.equal(tip.hidden, false);
  node("0,0").dispatchEvent(new window.Event("pointerover", { bubbles: true }));
  assert.deepEqual(texts(tip.children), ["I", "no substitutes: a stop word"]);
  node("0,0").dispatchEvent(new window.Event("pointerout", { bubbles: true }));
  assert.ok(tip.hidden);
});

test("a long text is drawn window by window", () => {
  start(Array.from({ length: 130 }, (_, at) => ({ choices: [`w${at}`, `v${at}`] })));
  const windows = () => texts(root.querySelectorAll(".map button"));
  assert.deepEqual(windows(), ["1–60", "61–120", "121–130"]);
  assert.equal(root.querySelectorAll(".node").length, 120);
  click(root.querySelectorAll(".map button")[2]);
  assert.equal(root.querySelectorAll(".node").length, 20);
  assert.ok(node("129,1"));
  const state = Array(130).fill(0);
  state[60] = 1;
  lattice.show(state, { moved: { 60: "insert" } }); // a move is followed
  assert.ok(node("60,1"));
  assert.deepEqual(windows(), ["1–60", "61–120 · 1 changed", "121–130"]);
  node("60,1").focus();
  lattice.focus = [60, 1];
  press("ArrowLeft");
  assert.equal(document.activeElement, node("59,0"));
  assert.equal(root.querySelectorAll(".tick.changed").length, 1);
});

test("a lattice that is gone watches nothing", () => {
  lattice.destroy();
  const svg = root.querySelector("svg");
  resize(500);
  assert.equal(root.querySelector("svg"), svg);
  resize(800);
});

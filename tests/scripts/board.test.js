import assert from "node:assert/strict";
import { afterEach, beforeEach, test } from "node:test";
import { open, texts } from "./page.js";
import { Board, factsOf, frameAt } from "../../assets/scripts/board.js";

const FRAMES = [
  { queries: 1, state: [0, 0], score: 0.1, changed: 0, flips: false, shades: {} },
  { queries: 20, state: [1, 0], score: 0.4, changed: 1, flips: false, shades: { "0,1": 0.5 } },
  { queries: 2000, state: [1, 1], score: 0.6, changed: 2, flips: true, shades: {} },
];
const LANE = {
  search: "ls",
  name: "Local <b>search</b>",
  colour: "#0b6bb0",
  dash: "dash",
  end: "It stopped.",
  success: "flips the label",
  over: "flips the label, but with more words",
  measure: "score",
  digits: 3,
  unseen: false,
  population: false,
  frames: FRAMES,
};
const DATA = {
  id: "a race",
  at: null,
  most: 2000,
  allowed: 1,
  columns: [{ choices: ["great", "<i>fine"] }, { choices: ["film", "movie"] }],
  gaps: ["", " ", "."],
  lanes: [LANE],
};

let board;
let sent;
const find = (selector) => board.place.querySelector(selector);
const facts = () => texts(find(".facts").children);

function move(at) {
  board.slider.value = at;
  board.slider.dispatchEvent(new window.Event("input"));
}

beforeEach((t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  board = new Board(open("board"));
  sent = [];
  board.page = { setStateValue: (...value) => sent.push(value) };
  board.update(DATA);
});

afterEach(() => board.destroy());

test("a search holds what its last finished step left", () => {
  const queries = [0, 1, 19, 20, 1999, 2000, 9999].map((at) => frameAt(FRAMES, at).queries);
  assert.deepEqual(queries, [1, 1, 1, 20, 20, 2000, 2000]);
});

test("facts of a frame: flips within the limit, too many words, how it ended", () => {
  const told = (frame, lane = LANE, allowed = 2) =>
    factsOf(frame, lane, { ...DATA, allowed }).slice(3);
  assert.deepEqual(told(FRAMES[0]), []);
  assert.deepEqual(told(FRAMES[2]), [{ text: "★ flips the label", kind: "flips" }]);
  const over = [{ text: "flips the label, but with more words", kind: "over" }];
  assert.deepEqual(told(FRAMES[2], LANE, 1), over);
  const frames = FRAMES.slice(0, 2);
  assert.deepEqual(told(FRAMES[1], { ...LANE, frames }), [{ text: "It stopped." }]);
  assert.deepEqual(told(FRAMES[1], { ...LANE, frames, end: "" }), []);
  assert.deepEqual(factsOf(FRAMES[1], { ...LANE, unseen: true }, DATA).slice(0, 2), [
    { text: "score 0.400", kind: "unseen" },
    { text: "1 of 2 words changed" },
  ]);
});

test("without a place of its own the cursor is at the end", () => {
  assert.equal(board.output.textContent, "2,000 queries");
  assert.equal(find(".text").textContent, "<i>fine movie.");
  assert.equal(find("h4").textContent, "Local <b>search</b>");
  assert.equal(find(".lane").style.getPropertyValue("--lane"), "#0b6bb0");
  assert.equal(find("h4 line").getAttribute("stroke-dasharray"), "9 6");
  assert.equal(facts().at(-1), "flips the label, but with more words");
});

test("the slider moves everything at once, and the page is told when it rests", (t) => {
  move(20);
  assert.equal(find(".text mark").title, "was: great");
  assert.equal(facts()[2], "step at 20 queries");
  assert.equal(find(".node.on").dataset.at, "0,1");
  move(1);
  assert.equal(board.output.textContent, "1 query");
  assert.equal(find(".text mark"), null);
  t.mock.timers.tick(199);
  assert.deepEqual(sent, []);
  t.mock.timers.tick(1);
  assert.deepEqual(sent, [["at", 1]]);
});

test("an old answer of the server does not pull the cursor back", (t) => {
  move(20);
  t.mock.timers.tick(200);
  move(1);
  board.update({ ...DATA, at: 20 });
  assert.equal(board.slider.value, "1");
  t.mock.timers.tick(200);
  board.update({ ...DATA, at: 1 });
  board.update({ ...DATA, at: 2000 }); // somebody moved it on the server
  assert.equal(board.slider.value, "2000");
});

test("lanes come as their searches start, and grow", () => {
  const node = find(".lane");
  const frames = FRAMES.slice(0, 2);
  const other = { ...LANE, search: "pso", name: "PSO", population: true, frames };
  board.update({ ...DATA, lanes: [LANE, other] });
  assert.equal(board.place.children.length, 2);
  assert.equal(board.place.firstChild, node);
  const [, pso] = board.place.children;
  assert.match(pso.querySelector(".note").textContent, /more of the population/);
  assert.equal(pso.querySelector(".text").textContent, "<i>fine film.");
  board.update({ ...DATA, lanes: [LANE, { ...other, frames: FRAMES }] });
  assert.equal(pso.querySelector(".text").textContent, "<i>fine movie.");
});

test("another race begins anew", () => {
  board.update({ ...DATA, id: "another", at: 1, lanes: [{ ...LANE, search: "ga", name: "GA" }] });
  assert.deepEqual(texts(board.place.querySelectorAll("h4")), ["GA"]);
  assert.equal(board.slider.value, "1");
});

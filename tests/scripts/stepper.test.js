import assert from "node:assert/strict";
import { afterEach, beforeEach, test } from "node:test";
import { click, open, press, resize, texts } from "./page.js";
import { Stepper } from "../../assets/scripts/stepper.js";

const BASE = {
  reached: "",
  digits: 3,
  lines: [],
  moved: {},
  threshold: null,
  moves: {},
  chosen: null,
};
const STEPS = [
  { ...BASE, kind: "start", said: "It starts.", state: [0, 0], score: 0.2, lines: [1] },
  {
    ...BASE,
    kind: "insert",
    said: "fine goes in.",
    state: [1, 0],
    score: 0.5,
    lines: [2, 3],
    moved: { 0: "insert" },
    threshold: 0,
    moves: {
      insert: { gain: [30_000, 10_000], at: [0, 1], to: [1, 1], was: [0, 0] },
    },
    chosen: ["insert", 0],
  },
  { ...BASE, kind: "stop", said: "No change helps.", state: [1, 0], score: 0.5 },
  { ...BASE, kind: "end", said: "The end.", state: [1, 0], score: 0.5, reached: "goal reached" },
].map((step, index, all) => ({
  ...step,
  before: all[Math.max(0, index - 1)].score,
  queries: 1000 * index + 1,
  requests: index + 1,
}));

// What the browser can do and jsdom cannot.
for (const act of ["showPopover", "hidePopover"]) window.HTMLElement.prototype[act] = () => {};

const DATA = {
  id: "a trace",
  start: 0,
  columns: [
    { choices: ["great", "<fine>"], gains: [null, 0.3] },
    { choices: ["film", "movie"], gains: [null, 0.1] },
  ],
  gaps: ["", " ", "."],
  labels: [],
  range: 0.3,
  base: 0.2,
  keep: [[0, 1], [0]],
  code: [
    [1, 0, "start"],
    [2, 1, "look"],
    ["", 1, "— a remark"],
  ],
  kinds: ["insert", "delete", "exchange"],
  title: "Score",
  measure: "the score",
  digits: 3,
  population: "",
  unseen: "",
  no_guess: "",
  outcome: "The attack flips the label.",
  status: "success",
  certificate: "A local optimum.",
  complement: "",
  steps: STEPS,
};

let stepper;
let sent;
const find = (selector) => stepper.root.querySelector(selector);
const text = (selector) => find(selector).textContent;
const at = () => Number(stepper.root.dataset.step);

function start(changes = {}) {
  stepper?.destroy();
  stepper = new Stepper(open("stepper"));
  sent = [];
  stepper.page = { setStateValue: (...value) => sent.push(value) };
  stepper.update({ ...DATA, ...changes });
  resize();
}

beforeEach((t) => {
  window.history.replaceState({}, "", "/step");
  t.mock.timers.enable({ apis: ["setTimeout"] });
  start();
});

afterEach(() => stepper.destroy());

test("a step shows what the trace has", () => {
  click(find(".next"));
  assert.equal(text(".said"), "fine goes in.");
  assert.equal(text(".text"), "<fine> film.");
  assert.equal(find(".text mark").title, "was: great");
  assert.deepEqual(texts(stepper.root.querySelectorAll(".counts dd")), [
    "0.500from 0.200",
    "1of 2",
    "1,001distinct texts",
    "2as the paper counts",
  ]);
  const lines = [...stepper.root.querySelectorAll(".code li")];
  const current = lines.map((line) => line.getAttribute("aria-current"));
  assert.deepEqual(current, [null, "step", "step"]);
  assert.equal(find(".strip h3").textContent, "2 changes tried in this step");
  assert.equal(find(".plot svg").dataset.dots, "2");
  assert.equal(text(".where"), "Step 1 of 3");
});

test("the original and the answer say what they are", () => {
  assert.equal(text(".strip h3"), "Only the original sentence is scored");
  assert.ok(find(".ending").hidden);
  click(find(".last"));
  assert.equal(text(".strip h3"), "Nothing new is tried in this step");
  assert.equal(find(".ending").hidden, false);
  assert.equal(text(".outcome"), "The attack flips the label.");
  assert.equal(text(".certificate"), "A local optimum.");
  assert.equal(text(".counts dd"), "0.500goal reached");
  assert.ok(find(".next").disabled);
  assert.equal(find(".back").disabled, false);
});

test("the page is told the step once, when the visitor rests", (t) => {
  for (let k = 0; k < 3; k += 1) {
    click(find(".next"));
    t.mock.timers.tick(200);
  }
  assert.deepEqual(sent, []);
  t.mock.timers.tick(150);
  assert.deepEqual(sent, [["step", 3]]);
});

test("the address is told the step before the page, and the modes at once", (t) => {
  const address = () => window.location.pathname + window.location.search;
  window.history.replaceState({}, "", "/step?text=a+b&step=9");
  click(find(".last"));
  click(find(".back"));
  t.mock.timers.tick(100);
  assert.equal(address(), "/step?text=a+b&step=2");
  assert.deepEqual(sent, []);
  click(find(".first"));
  click(find(".predict"));
  assert.equal(address(), "/step?text=a+b&predict=true");
  click(find(".predict"));
  assert.equal(address(), "/step?text=a+b");
});

test("Back leaves the address of another page alone", (t) => {
  click(find(".next"));
  window.history.replaceState({}, "", "/race");
  window.dispatchEvent(new window.PopStateEvent("popstate"));
  t.mock.timers.tick(10_000);
  assert.equal(window.location.search, "");
});

test("a link opens the modes that it names", () => {
  window.history.replaceState({}, "", "/step?predict=true&projector=true");
  start();
  assert.equal(find(".predict").getAttribute("aria-pressed"), "true");
  assert.equal(find(".project").getAttribute("aria-pressed"), "true");
  assert.equal(stepper.root.popover, "manual");
  start({ no_guess: "Draws are random." });
  assert.ok(find(".guess").hidden);
});

test("it opens where it is told, without telling it back", (t) => {
  start({ start: 2 });
  assert.equal(at(), 2);
  t.mock.timers.tick(10_000);
  assert.deepEqual(sent, []);
});

test("playing goes step by step to the end and stops there", (t) => {
  click(find(".play"));
  assert.equal(find(".play").getAttribute("aria-label"), "Pause");
  t.mock.timers.tick(1599);
  assert.equal(at(), 0);
  t.mock.timers.tick(1);
  assert.equal(at(), 1);
  find(".speed").value = "4";
  t.mock.timers.tick(1600); // the pause that had begun
  t.mock.timers.tick(400);
  assert.equal(at(), 3);
  assert.equal(find(".play").getAttribute("aria-label"), "Play");
  click(find(".play")); // once more from the start
  assert.equal(at(), 0);
});

test("keys step and play, unless somebody types", () => {
  const steps = ["ArrowRight", "ArrowRight", "ArrowLeft", "End", "ArrowRight", "Home"].map(
    (key) => {
      assert.ok(press(key));
      return at();
    },
  );
  assert.deepEqual(steps, [1, 2, 1, 3, 3, 0]);
  press(" ");
  assert.equal(find(".play").getAttribute("aria-label"), "Pause");
  press(" ");
  assert.equal(press("ArrowRight", { ctrlKey: true }), false);
  const field = document.createElement("input");
  document.body.append(field);
  for (const target of [field, find(".speed")]) assert.equal(press("End", { target }), false);
  assert.equal(press("End", { target: find(".scrub") }), false); // it has keys of its own
  assert.equal(at(), 0);
});

test("a stepper that is gone hears no keys", () => {
  stepper.destroy();
  assert.equal(press("End"), false);
  assert.equal(at(), 0);
});

test("another trace starts anew, even a shorter one, and the same one does not", () => {
  click(find(".last"));
  stepper.update({ ...DATA });
  assert.equal(at(), 3);
  click(find(".predict"));
  stepper.update({ ...DATA, id: "another", steps: STEPS.slice(0, 2) });
  assert.equal(at(), 0);
  assert.equal(text(".where"), "Step 0 of 1");
  assert.equal(stepper.root.querySelectorAll(".bead").length, 2);
});

test("a guess is judged, counted and followed by the move", () => {
  click(find(".predict"));
  assert.equal(find(".guess").hidden, false);
  assert.ok(find(".play").disabled);
  assert.deepEqual(
    ["insert", "delete", "exchange", "stop"].map((kind) => find(`.kinds .${kind}`).disabled),
    [false, true, true, false], // nothing is changed yet
  );
  assert.equal(find('[data-at="0,0"]').getAttribute("role"), "img");
  click(find('[data-at="0,0"]')); // which is no move
  assert.equal(at(), 0);
  click(find('[data-at="0,1"]'));
  assert.equal(text(".verdict"), "Right: <fine> is the move.");
  assert.equal(find(".verdict").className, "verdict right");
  assert.equal(at(), 1);
  assert.match(text(".tally"), /^Worth 100% of what the search gains, over 1 move;/);
  click(find(".back"));
  assert.match(text(".ask"), /have seen this move/);
  assert.ok(find(".kinds .insert").disabled);
  click(find('[data-at="0,1"]'));
  assert.equal(at(), 0);
  click(find(".last"));
  assert.match(text(".tally"), /^Worth 50% of what the search gains, over 2 moves \(1 skipped\)/);
  assert.match(text(".ask"), /no move to predict/);
});

test("while guessing, the lattice gives hints only once the first move is shown", () => {
  const gains = () => find('[data-at="0,1"]').getAttribute("aria-label");
  assert.match(gains(), /alone it changes the score/);
  click(find(".predict"));
  assert.equal(gains(), "<fine>");
  click(find(".next"));
  assert.match(gains(), /alone it changes the score/);
  click(find(".back"));
  assert.match(gains(), /alone it changes the score/);
  click(find(".predict"));
  click(find(".predict")); // another game
  assert.equal(gains(), "<fine>");
});

test("where nothing can be predicted, it says why", () => {
  start({ no_guess: "Draws are random.", population: "Dark words are frequent." });
  assert.ok(find(".predict").disabled);
  assert.equal(find(".predict").title, "Draws are random.");
  assert.equal(text(".legend"), "Dark words are frequent. Predict is off. Draws are random.");
});

test("the dot under the pointer tells its move", () => {
  click(find(".next"));
  const { x, y } = stepper.plot.points[0];
  const svg = find(".plot svg");
  svg.getBoundingClientRect = () => ({ left: 0, top: 0, width: 800 });
  const move = (clientX, clientY) =>
    find(".plot").dispatchEvent(new window.MouseEvent("pointermove", { clientX, clientY }));
  move(x, y);
  assert.deepEqual(texts(stepper.tip.node.children), ["great → <fine>", "score 0.500 (+0.300)"]);
  move(x - 30, y);
  assert.ok(stepper.tip.node.hidden);
});

import assert from "node:assert/strict";
import { afterEach, beforeEach, test } from "node:test";
import { click, open, press, texts } from "./page.js";
import { Questions, digitOf, questionAtHand, unsaved } from "../../assets/scripts/questions.js";

const LABEL = { text: "Good?", options: ["no", "<b>yes</b>"], first: 1, row: true, given: null };
const SCORE = { text: "Human?", options: ["a", "b", "c"], first: 0, row: false, given: null };
const DATA = {
  id: "first.1",
  context: "",
  text: "A <i>film</i>.",
  questions: [LABEL, SCORE],
  send: "Send",
  received: "",
  message: "",
};

let questions;
let sent;
const find = (selector) => questions.list.parentElement.querySelector(selector);
const all = (selector) => [...questions.list.querySelectorAll(selector)];
const chosen = () => texts(all('button[aria-pressed="true"] span'));
const keys = (...names) => names.forEach((name) => press(name));

beforeEach((t) => {
  t.mock.timers.enable({ apis: ["setInterval"] });
  unsaved.id = null;
  questions = new Questions(open("questions"));
  sent = [];
  questions.page = { setTriggerValue: (...value) => sent.push(value) };
  questions.update(DATA);
});

afterEach(() => questions.destroy());

test("texts and options are text", () => {
  assert.equal(find(".text").textContent, "A <i>film</i>.");
  assert.deepEqual(texts(all("button span")), ["no", "<b>yes</b>", "a", "b", "c"]);
  assert.deepEqual(texts(all("kbd")), ["1", "2", "0", "1", "2"]);
  assert.equal(all("i, b").length, 0);
});

test("the question at hand is the first without an answer, or the last", () => {
  assert.equal(questionAtHand([null, null]), 0);
  assert.equal(questionAtHand([1, null]), 1);
  assert.equal(questionAtHand([null, 0]), 0);
  assert.equal(questionAtHand([0, 0]), 1);
});

test("a digit is read from any layout, and nothing else is one", () => {
  assert.equal(digitOf({ key: "3", code: "Numpad3" }), 3);
  assert.equal(digitOf({ key: "é", code: "Digit2" }), 2); // French: digits are behind Shift
  assert.ok(Number.isNaN(digitOf({ key: "F1", code: "F1" })));
  assert.ok(Number.isNaN(digitOf({ key: "a", code: "KeyA" })));
  assert.ok(Number.isNaN(digitOf({ key: " ", code: "Space" })));
});

test("digits answer the question at hand, which is marked", () => {
  assert.deepEqual(texts(all(".hint")), ["keys 1–2", ""]);
  assert.deepEqual([press("0"), press("3")], [false, false]); // no label has these
  assert.ok(press("2"));
  assert.deepEqual(chosen(), ["<b>yes</b>"]);
  assert.deepEqual(texts(all(".hint")), ["", "keys 0–2"]);
  assert.equal(all("[aria-keyshortcuts]").length, 3);
  keys("0", "2"); // the last question can be answered again
  assert.deepEqual(chosen(), ["<b>yes</b>", "c"]);
  assert.ok(find(".send").classList.contains("ready"));
});

test("Backspace takes back the last answer", () => {
  keys("1", "1", "Backspace");
  assert.deepEqual(chosen(), ["no"]);
  keys("Backspace");
  assert.deepEqual(chosen(), []);
  assert.ok(find(".clear").disabled);
  keys("Backspace");
  assert.deepEqual(chosen(), []);
});

test("options beyond the ninth have no key", () => {
  const options = Array.from({ length: 11 }, (_, index) => `label ${index + 1}`);
  questions.update({ ...DATA, id: "other", questions: [{ ...LABEL, options }] });
  assert.deepEqual(texts(all("kbd")), ["1", "2", "3", "4", "5", "6", "7", "8", "9"]);
  assert.deepEqual(texts(all(".hint")), ["keys 1–9"]);
});

test("Enter sends only complete answers", () => {
  keys("1", "Enter");
  assert.equal(find(".message").textContent, "Answer this first: Human?");
  assert.deepEqual(sent, []);
  keys("2");
  assert.equal(find(".message").textContent, "");
  keys("Enter");
  const [[name, { answers, mark }]] = sent;
  assert.equal(name, "sent");
  assert.deepEqual(answers, [0, 2]);
  assert.match(mark, /^\w+$/);
});

test("an answer is sent again until the server confirms it", (t) => {
  keys("1", "2", "Enter");
  t.mock.timers.tick(2999);
  assert.equal(sent.length, 1);
  t.mock.timers.tick(1);
  assert.equal(sent.length, 2);
  assert.deepEqual(sent[1], sent[0]); // with its mark, so that it counts once
  assert.match(find(".message").textContent, /Not saved yet/);
  questions.update({ ...DATA, received: "another" }); // drawn anew for another reason
  t.mock.timers.tick(3000);
  assert.equal(sent.length, 3);
});

test("a confirmation for the same text ends the resending", (t) => {
  keys("1", "2", "Enter");
  const { mark } = sent[0][1];
  questions.update({ ...DATA, received: mark, message: "Your answer was not saved." });
  assert.equal(find(".message").textContent, "Your answer was not saved.");
  t.mock.timers.tick(30_000);
  assert.equal(sent.length, 1);
  keys("0", "Enter"); // another try is another answer
  assert.notEqual(sent[1][1].mark, mark);
});

test("the next text ends the resending too, and begins without answers", (t) => {
  keys("1", "2", "Enter");
  const { mark } = sent[0][1];
  questions.update({ ...DATA, id: "second.1", text: "Another.", received: mark });
  assert.equal(find(".text").textContent, "Another.");
  assert.deepEqual(chosen(), []);
  t.mock.timers.tick(30_000);
  assert.equal(sent.length, 1);
});

test("nothing changes an answer on its way, and pressing again sends the same", () => {
  keys("1", "2", "Enter", "0", "Backspace");
  click(all("button")[1]);
  assert.deepEqual(chosen(), ["no", "c"]);
  click(find(".send"));
  assert.deepEqual(sent[1], sent[0]);
});

test("answers given before are shown and can be corrected", () => {
  const given = [
    { ...LABEL, given: 1 },
    { ...SCORE, given: 0 },
  ];
  questions.update({ ...DATA, id: "first.2", questions: given, send: "Save the correction" });
  assert.deepEqual(chosen(), ["<b>yes</b>", "a"]);
  assert.equal(find(".send span").textContent, "Save the correction");
});

test("a held key, a key with a modifier and a key in a field do nothing", () => {
  assert.equal(press("1", { repeat: true }), false);
  assert.equal(press("1", { altKey: true }), false);
  const target = document.createElement("textarea");
  document.body.append(target);
  assert.equal(press("1", { target }), false);
  assert.deepEqual(chosen(), []);
});

test("Enter on a button presses that button", () => {
  keys("1", "2");
  assert.equal(press("Enter", { target: find(".clear") }), false);
  assert.deepEqual(sent, []);
});

test("a click takes no focus", () => {
  const down = new window.MouseEvent("mousedown", { bubbles: true, cancelable: true });
  assert.equal(all("button span")[0].dispatchEvent(down), false);
});

test("questions that are gone hear no keys and send nothing", (t) => {
  keys("1", "2", "Enter");
  questions.destroy();
  assert.equal(press("1"), false);
  t.mock.timers.tick(30_000);
  assert.equal(sent.length, 1);
});

test("what was chosen, and what was sent, outlives a component that is drawn anew", (t) => {
  keys("2", "1");
  const drawnAnew = () => {
    questions.destroy();
    questions = new Questions(open("questions"));
    questions.page = { setTriggerValue: (...value) => sent.push(value) };
    questions.update(DATA);
  };
  drawnAnew();
  assert.deepEqual(chosen(), ["<b>yes</b>", "b"]);
  keys("Enter");
  drawnAnew();
  t.mock.timers.tick(3000);
  assert.equal(sent.length, 2); // and again, until it is confirmed
  assert.deepEqual(sent[0], sent[1]);
  questions.update({ ...DATA, id: "second.1" });
  assert.deepEqual(chosen(), []);
});

import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { click, open, press } from "./page.js";
import { element } from "../../assets/scripts/dom.js";
import { mount } from "../../assets/scripts/mount.js";
import {
  ignoreHeldKeys,
  isLost,
  sendSentencesOnEnter,
  watchConnection,
} from "../../assets/scripts/shell.js";
import { Tooltip } from "../../assets/scripts/tooltip.js";
import { Tour } from "../../assets/scripts/tour.js";

const CARDS = [
  { title: "One", text: "<b>first</b>" },
  { title: "Two", text: "second" },
];
const settled = () => Promise.resolve(); // observers are called before this goes on

let tour;
const find = (selector) => tour.root.querySelector(selector);

function visit() {
  tour = new Tour(open("tour"));
  tour.update({ cards: CARDS });
}

beforeEach(() => {
  window.localStorage.clear();
  document.body.replaceChildren();
});

test("the same element keeps its part, which finds the page", () => {
  const made = [];
  class Part {
    constructor(root) {
      made.push(root);
      this.seen = [];
    }
    update(data) {
      this.seen.push(data);
      this.page.setStateValue("seen", this.seen.length);
    }
    destroy() {
      this.page.setTriggerValue("gone", true);
    }
  }
  const heard = [];
  const page = {
    setStateValue: (...value) => heard.push(value),
    setTriggerValue: (...value) => heard.push(value),
  };
  const root = element("div", { class: "part" });
  const parentElement = element("div", {}, root);
  const run = mount(".part", Part);
  run({ data: 1, parentElement, ...page });
  const leave = run({ data: 2, parentElement, ...page });
  assert.deepEqual(made, [root]);
  leave();
  run({ data: 3, parentElement: element("div", {}, element("i", { class: "part" })), ...page });
  assert.equal(made.length, 2);
  assert.deepEqual(heard, [
    ["seen", 1],
    ["seen", 2],
    ["gone", true],
    ["seen", 1],
  ]);
});

test("a tip stays inside its frame and follows its zoom", () => {
  const frame = element("div");
  const node = element("div");
  frame.getBoundingClientRect = () => ({ left: 100, top: 50, width: 400 });
  Object.defineProperty(node, "offsetWidth", { value: 60 });
  const tip = new Tooltip(frame, node);
  const place = (x, zoom) => {
    tip.show(["bold", "plain"], { x, y: 150, gap: 6, zoom });
    return [node.style.left, node.style.top];
  };
  assert.deepEqual(place(300), ["170px", "106px"]);
  assert.deepEqual(place(90), ["0px", "106px"]);
  assert.deepEqual(place(490), ["340px", "106px"]);
  assert.deepEqual(place(300, 2), ["70px", "56px"]);
  assert.equal(node.innerHTML, "<strong>bold</strong><div>plain</div>");
});

test("the tour is walked to its end, and stays away", () => {
  visit();
  assert.equal(tour.root.hidden, false);
  assert.equal(find("p").textContent, "<b>first</b>");
  assert.equal(find(".count").textContent, "1 of 2");
  assert.ok(find(".back").disabled);
  click(find(".next"));
  assert.equal(find("h2").textContent, "Two");
  assert.equal(find(".next").textContent, "Done");
  click(find(".back"));
  assert.equal(find(".count").textContent, "1 of 2");
  click(find(".next"));
  tour.update({ cards: CARDS }); // the page runs again: the card stays
  assert.equal(find("h2").textContent, "Two");
  click(find(".next"));
  assert.ok(tour.root.hidden);
  visit();
  assert.ok(tour.root.hidden);
});

test("the tour is dismissed by Escape or its button", () => {
  visit();
  press("Escape", { target: find(".next") });
  assert.ok(tour.root.hidden);
  window.localStorage.clear();
  visit();
  click(find(".close"));
  assert.ok(tour.root.hidden);
  visit();
  assert.ok(tour.root.hidden);
});

test("a browser that keeps nothing shows the tour each time", (t) => {
  t.mock.getter(window, "localStorage", () => {
    throw new Error("not allowed");
  });
  visit();
  click(find(".close"));
  visit();
  assert.equal(tour.root.hidden, false);
});

test("which states of a connection are a loss", () => {
  for (const state of [null, undefined, "INITIAL", "CONNECTED"]) assert.equal(isLost(state), false);
  for (const state of ["PINGING_SERVER", "CONNECTING", "DISCONNECTED_FOREVER"]) {
    assert.equal(isLost(state), true);
  }
});

test("a lost connection is told after a while, and taken back at once", async (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const app = element("div", { "data-test-connection-state": "CONNECTED" });
  document.body.append(app);
  watchConnection();
  const line = document.body.querySelector(".lost-line");
  const become = (state) => {
    app.setAttribute("data-test-connection-state", state);
    return settled();
  };
  await become("PINGING_SERVER");
  t.mock.timers.tick(1499);
  assert.ok(line.hidden);
  await become("CONNECTING"); // still lost: the time goes on
  t.mock.timers.tick(1);
  assert.equal(line.hidden, false);
  await become("CONNECTED");
  assert.ok(line.hidden);
  await become("CONNECTING"); // a short break is not told
  t.mock.timers.tick(1000);
  await become("CONNECTED");
  t.mock.timers.tick(10_000);
  assert.ok(line.hidden);
});

test("a key that is held counts once", () => {
  ignoreHeldKeys();
  const heard = [];
  document.body.addEventListener("keydown", ({ key }) => heard.push(key));
  press("Enter", { target: document.body });
  press("Enter", { target: document.body, repeat: true });
  assert.deepEqual(heard, ["Enter"]);
});

test("Enter sends a sentence, other keys and other boxes are left alone", () => {
  sendSentencesOnEnter();
  const sentence = element("textarea", {});
  const notes = element("textarea", {});
  document.body.append(element("div", { class: "st-key-text" }, sentence), notes);
  const heard = [];
  const listen = (event) => heard.push([event.key, event.ctrlKey]);
  document.body.addEventListener("keydown", listen);
  const type = (node, init) => {
    const event = new window.KeyboardEvent("keydown", { bubbles: true, cancelable: true, ...init });
    node.dispatchEvent(event);
    return event.defaultPrevented;
  };
  assert.ok(type(sentence, { key: "Enter" })); // no line is begun
  assert.deepEqual(heard.splice(0), [["Enter", true]]);
  assert.ok(!type(sentence, { key: "Enter", shiftKey: true }));
  assert.ok(!type(sentence, { key: "a" }));
  assert.ok(!type(notes, { key: "Enter" }));
  assert.deepEqual(heard.splice(0), [
    ["Enter", false],
    ["a", false],
    ["Enter", false],
  ]);
  document.body.removeEventListener("keydown", listen);
});

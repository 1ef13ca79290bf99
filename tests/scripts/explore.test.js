import assert from "node:assert/strict";
import { afterEach, beforeEach, test } from "node:test";
import { click, open, press } from "./page.js";
import { Explorer, editedSpace } from "../../assets/scripts/explore.js";

const DATA = {
  id: "a space",
  turn: 0,
  state: [0, 0],
  text: "I love",
  columns: [{ choices: ["I", "We"] }, { choices: ["love", "like", "favor"] }],
  labels: [],
  range: 0,
  edits: { locked: [], removed: [] },
};

let explorer;
let sent;
const find = (selector) => explorer.lattice.root.parentElement.querySelector(selector);
const node = (name) => find(`[data-at="${name}"]`);

beforeEach(() => {
  explorer = new Explorer(open("explore"));
  sent = [];
  explorer.page = { setStateValue: (...value) => sent.push(value) };
  explorer.update(DATA);
});

afterEach(() => explorer.destroy());

test("quick clicks are all in the selection that is sent last", () => {
  click(node("0,1"));
  click(node("1,1"));
  click(node("1,2"));
  assert.deepEqual(sent.at(-1), ["picked", { id: "a space", turn: 3, state: [1, 2] }]);
  assert.equal(document.activeElement, node("1,2"));
});

test("a click on the current word sends nothing", () => {
  click(node("1,0"));
  assert.deepEqual(sent, []);
});

test("an old answer of the server changes nothing, a new one does", () => {
  click(node("0,1"));
  click(node("1,1"));
  explorer.update({ ...DATA, turn: 1, state: [1, 0] });
  assert.deepEqual(explorer.lattice.state, [1, 1]);
  explorer.update({ ...DATA, turn: 3, state: [0, 0] }); // undone on the server
  assert.deepEqual(explorer.lattice.state, [0, 0]);
  click(node("0,1"));
  assert.equal(sent.at(-1)[1].turn, 4);
});

test("another space begins anew, whatever its turn", () => {
  click(node("0,1"));
  explorer.update({ ...DATA, id: "another", state: [0, 2] });
  assert.deepEqual(explorer.lattice.state, [0, 2]);
});

test("edits are sent whole", () => {
  const toggle = find(".edit");
  click(toggle);
  assert.equal(toggle.getAttribute("aria-pressed"), "true");
  assert.match(find(".said").textContent, /lock or unlock/);
  click(node("1,2"));
  click(node("0,0"));
  const edits = { id: "a space", locked: [0], removed: [[1, "favor"]] };
  assert.deepEqual(sent.at(-1), ["edited", edits]);
  click(toggle);
  click(node("1,1"));
  assert.equal(sent.at(-1)[0], "picked");
});

test("keys edit without the switch", () => {
  node("1,1").focus();
  press("Delete");
  assert.deepEqual(sent, [["edited", { id: "a space", locked: [], removed: [[1, "like"]] }]]);
});

test("a lock is taken back by another, a removal stays", () => {
  const removed = [[1, "like"]];
  const before = { locked: [0, 2], removed };
  const unlocked = editedSpace(before, "lock", 2, "film");
  assert.deepEqual(unlocked, { locked: [0], removed });
  assert.deepEqual(editedSpace(before, "lock", 1, "film").locked, [0, 2, 1]);
  const more = [...removed, [2, "movie"]];
  assert.deepEqual(editedSpace(before, "remove", 2, "movie"), { locked: [0, 2], removed: more });
  assert.deepEqual(before, { locked: [0, 2], removed: [[1, "like"]] });
});

test("the picture has the looks and the paper of the page, and its words as text", () => {
  explorer.update({ ...DATA, id: "hostile", columns: [{ choices: ["<b>&", "x"] }], state: [0] });
  document.documentElement.style.setProperty("--st-background-color", "white");
  const file = new window.DOMParser().parseFromString(explorer.picture(), "image/svg+xml");
  const svg = file.documentElement;
  assert.equal(svg.tagName, "svg");
  assert.equal(svg.getAttribute("viewBox"), `0 0 800 ${find("svg").getAttribute("height")}`);
  assert.equal(svg.firstElementChild.style.fill, "white");
  assert.deepEqual(
    [...svg.querySelectorAll("text")].map(({ textContent }) => textContent),
    ["<b>&", "x"],
  );
  assert.equal(find("svg").querySelectorAll("[width='100%']").length, 0); // the page keeps its own
});

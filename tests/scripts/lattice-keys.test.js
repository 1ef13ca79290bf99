import assert from "node:assert/strict";
import { test } from "node:test";
import { keyAction } from "../../assets/scripts/lattice-keys.js";

const LATTICE = {
  columns: [
    { choices: ["I"] },
    { choices: ["love", "like", "favor"] },
    { choices: ["this"] },
    { choices: ["old"], locked: true },
    { choices: ["movie", "film"] },
    { choices: ["."] },
  ],
  state: [0, 2, 0, 0, 1, 0],
  shown: [0, 1, 2],
};
const action = (key, position, choice) => keyAction(key, { position, choice }, LATTICE);

test("arrows to the side go to the word chosen there, past fixed ones, but not past locked", () => {
  assert.deepEqual(action("ArrowRight", 1, 1), { go: [3, 0] });
  assert.deepEqual(action("ArrowRight", 3, 0), { go: [4, 1] });
  assert.deepEqual(action("ArrowLeft", 4, 0), { go: [3, 0] });
  assert.deepEqual(action("ArrowLeft", 3, 0), { go: [1, 2] });
});

test("at the ends an arrow to the side goes nowhere", () => {
  assert.deepEqual(action("ArrowRight", 4, 0), { go: [4, 0] });
  assert.deepEqual(action("ArrowLeft", 1, 1), { go: [1, 1] });
});

test("arrows up and down go along the words that are shown", () => {
  const lattice = { ...LATTICE, shown: [0, 2, 7] };
  const go = (key, choice) => keyAction(key, { position: 1, choice }, lattice).go;
  assert.deepEqual(go("ArrowDown", 0), [1, 2]);
  assert.deepEqual(go("ArrowDown", 2), [1, 7]);
  assert.deepEqual(go("ArrowDown", 7), [1, 7]);
  assert.deepEqual(go("ArrowUp", 7), [1, 2]);
  assert.deepEqual(go("ArrowUp", 0), [1, 0]);
});

test("keys that change a word", () => {
  assert.deepEqual(action("Backspace", 1, 2), { pick: [1, 0] });
  assert.deepEqual(action("l", 1, 2), { edit: ["lock", 1, 0] });
  assert.deepEqual(action("Delete", 1, 2), { edit: ["remove", 1, 2] });
});

test("the original cannot be removed, and other keys do nothing", () => {
  assert.equal(action("Delete", 1, 0), undefined);
  for (const key of ["a", "Tab", "Escape", "Home"]) assert.equal(action(key, 1, 1), undefined);
});

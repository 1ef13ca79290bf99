import assert from "node:assert/strict";
import { test } from "node:test";
import {
  countMoves,
  describeMove,
  gainOf,
  laneKinds,
  laneName,
} from "../../assets/scripts/moves.js";

const COLUMNS = [
  { choices: ["a", "one"] },
  { choices: ["great", "fine", "nice"] },
  { choices: ["film", "movie"] },
];
const describe = (table, index = 0) => describeMove(table, index, COLUMNS, [0, 1, 0]);

test("gains are told in scores, unknown ones not at all", () => {
  const table = { gain: [12_345, null, 0] };
  assert.deepEqual(
    [0, 1, 2].map((index) => gainOf(table, index)),
    [0.12345, null, 0],
  );
});

test("moves of all kinds are counted", () => {
  assert.equal(countMoves({}), 0);
  assert.equal(countMoves({ insert: { gain: [1, 2] }, delete: { gain: [null] } }), 3);
});

test("a lane tells how many moves it has", () => {
  assert.equal(laneName("insert", 0), "no insertion possible");
  assert.equal(laneName("delete", 1), "1 deletion");
  assert.equal(laneName("hide", 2), "2 sentences with hidden words");
});

test("a climbing search has a lane for each kind of move, others only for what they tried", () => {
  const kinds = ["insert", "delete", "exchange", "hide"];
  assert.deepEqual(laneKinds({ insert: {} }, kinds), ["insert", "delete", "exchange"]);
  assert.deepEqual(laneKinds({ hide: {}, several: {} }, kinds), [...kinds, "several"]);
  assert.deepEqual(laneKinds({ several: {} }, []), ["several"]);
});

test("a swap in words", () => {
  const table = { gain: [0, 0], at: [1, 2], was: [1, 0], to: [2, -1] };
  assert.equal(describe(table, 0), "fine → nice");
  assert.equal(describe(table, 1), "film → hidden");
});

test("a swap that restores another word says so", () => {
  const table = { gain: [0, 0], at: [2, 2], was: [0, 0], to: [1, 1], back: [0, -1] };
  assert.equal(describe(table, 0), "a back, film → movie");
  assert.equal(describe(table, 1), "film → movie");
});

test("a whole sentence is told by its changes, at most four", () => {
  const sets = [[], [1, 2, 2, 1], [0, 1, 1, 2, 2, 1, 0, 0, 1, 0]];
  const table = { gain: [0, 0, 0], sets };
  assert.equal(describe(table, 0), "the sentence as it was");
  assert.equal(describe(table, 1), "fine → nice, film → movie");
  assert.equal(describe(table, 2), "a → one, fine → nice, film → movie, a → a …");
  assert.equal(describe({ gain: [0] }), "another sentence");
});

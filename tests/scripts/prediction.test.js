import assert from "node:assert/strict";
import { test } from "node:test";
import { isPredictable, judgeKind, judgeMove } from "../../assets/scripts/prediction.js";

const COLUMNS = [{ choices: ["great", "fine", "odd", "rare"] }, { choices: ["film", "movie"] }];
const INSERT = {
  kind: "insert",
  before: 0.2,
  state: [2, 0],
  moved: { 0: "insert" },
  moves: {
    insert: { gain: [10_000, 30_000, 20_000], at: [0, 0, 1], to: [1, 2, 1], was: [0, 0, 0] },
    exchange: { gain: [5_000, 7_000], at: [1, 0], to: [1, 3], was: [0, 0], back: [0, 1] },
  },
};
const STOP = { ...INSERT, kind: "stop", state: [0, 0], moved: {} };
const judge = (position, choice, next = INSERT) => judgeMove(next, position, choice, COLUMNS);

test("only moves of one word and stops can be predicted", () => {
  assert.equal(isPredictable(INSERT), true);
  assert.equal(isPredictable(STOP), true);
  assert.equal(isPredictable({ kind: "generation" }), false);
  assert.equal(isPredictable(undefined), false); // after the last step
});

test("the move itself is right", () => {
  assert.deepEqual(judge(0, 2), ["right", "Right: odd is the move."]);
});

test("the right word with another substitute is nearly right", () => {
  const sentence = "Nearly: the right word, but odd is better (fine gives 0.300, number 3 of 5).";
  assert.deepEqual(judge(0, 1), ["nearly", sentence]);
});

test("another word is wrong, and its rank is told", () => {
  const sentence = "Not this time: movie gives 0.400, number 2 of 5; the search takes odd.";
  assert.deepEqual(judge(1, 1), ["wrong", sentence]);
});

test("what was tried only together with another change was not tried", () => {
  const [grade, sentence] = judge(0, 3);
  assert.equal(grade, "nearly");
  assert.match(sentence, /rare was not tried/);
});

test("what the limit forbids was not tried either", () => {
  const table = { ...INSERT.moves.insert, gain: [null, 30_000, 20_000] };
  assert.match(judge(0, 1, { ...INSERT, moves: { insert: table } })[1], /fine was not tried/);
});

test("where the search stops, every move is wrong", () => {
  const sentence =
    "Not this time: no change helps, so the search stops (odd gives 0.500, number 1 of 5).";
  assert.deepEqual(judge(0, 2, STOP), ["wrong", sentence]);
});

test("a kind alone is nearly right, a stop all right", () => {
  assert.deepEqual(judgeKind(INSERT, "insert"), ["nearly", "The right kind: insertion."]);
  assert.deepEqual(judgeKind(STOP, "stop"), ["right", "Right: no change helps any more."]);
});

test("a wrong kind tells the truth", () => {
  const wrong = (next, kind) => {
    const [grade, sentence] = judgeKind(next, kind);
    assert.equal(grade, "wrong");
    return sentence;
  };
  assert.equal(wrong(INSERT, "stop"), "Not this time: the search makes an insertion.");
  assert.equal(wrong(STOP, "delete"), "Not this time: no change helps, so the search stops.");
});

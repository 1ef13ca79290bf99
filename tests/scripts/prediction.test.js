import assert from "node:assert/strict";
import { test } from "node:test";
import {
  Game,
  isPredictable,
  judgeKind,
  judgeMove,
  possibleMoves,
} from "../../assets/scripts/prediction.js";

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

test("what a limit forbids and what needs two changes cannot be picked", () => {
  const table = { ...INSERT.moves.insert, gain: [null, 30_000, 20_000] };
  const { names, kinds } = possibleMoves({ ...INSERT, moves: { ...INSERT.moves, insert: table } });
  assert.deepEqual([...names].filter(Boolean), ["0,2", "1,1"]);
  assert.deepEqual([...kinds], ["stop", "insert", "exchange"]);
});

const START = { kind: "start" };
const END = { kind: "end" };
const play = (...steps) => new Game([START, ...steps, END], 0);

test("a guess is worth its share of the gain, a kind what its moves are worth on average", () => {
  const game = play(INSERT, INSERT, INSERT);
  game.guess(({ name }) => name === "0,2");
  game.guess(({ name }) => name === "1,1");
  game.guess(({ kind }) => kind === "exchange");
  const third = (0.5 + 0.7) / 3 / 2;
  assert.deepEqual(
    game.worths.map((worth) => worth.toFixed(6)),
    [1, 2 / 3, third].map((worth) => worth.toFixed(6)),
  );
  assert.equal(game.chances[0].toFixed(6), ((1 + 2 + 3 + 0.5 + 0.7) / 3 / 6).toFixed(6));
});

test("where the search stops, only to stop is worth something", () => {
  const game = play(STOP, STOP);
  game.guess(({ kind }) => kind === "stop");
  game.guess(({ name }) => name === "0,2");
  assert.deepEqual(game.worths, [1, 0]);
});

test("a move is guessed once, and one that is shown without a guess is worth nothing", () => {
  const game = play(INSERT, INSERT, STOP);
  assert.match(game.tally, /^A guess is worth/);
  game.guess(({ name }) => name === "0,2");
  assert.equal(game.next(0), null);
  assert.equal(game.next(1), INSERT);
  game.show(4);
  game.show(2);
  assert.deepEqual(game.worths, [1, 0, 0]);
  assert.equal(game.next(2), null);
  assert.match(game.tally, /^Worth 33% .* over 3 moves \(2 skipped\); at random \d+%$/);
});

import assert from "node:assert/strict";
import { test } from "node:test";
import {
  HEAD,
  ROW,
  columnIsFixed,
  evenWidth,
  pathThrough,
  placeColumns,
  shownChoices,
  windowStart,
} from "../../assets/scripts/lattice-layout.js";

const choices = (number) => Array.from({ length: number }, (_, index) => `word ${index}`);

test("windows begin at every sixtieth word", () => {
  assert.deepEqual([0, 59, 60, 61, 199].map(windowStart), [0, 0, 60, 60, 180]);
});

test("a column with one word is fixed unless it is locked", () => {
  assert.equal(columnIsFixed({ choices: ["the"] }), true);
  assert.equal(columnIsFixed({ choices: ["the"], locked: true }), false);
  assert.equal(columnIsFixed({ choices: ["a", "one"] }), false);
});

test("a short column shows all its words, a long one the first", () => {
  assert.deepEqual(shownChoices({ choices: choices(8) }, { current: 0 }), [...Array(8).keys()]);
  const column = { choices: choices(9) };
  assert.deepEqual(shownChoices(column, { current: 0 }), [0, 1, 2, 3, 4, 5, 6]);
  assert.deepEqual(shownChoices(column, { current: 0, open: true }), [...Array(9).keys()]);
});

test("the current word and those to keep are always shown", () => {
  const column = { choices: choices(20) };
  const shown = shownChoices(column, { current: 17, keep: [9, 12] });
  assert.deepEqual(shown, [0, 1, 2, 3, 4, 5, 6, 9, 12, 17]);
});

test("where gains are known, the best are shown, in their order", () => {
  const gains = [null, 0, 0, 9, 0, 8, 7, 0, 6, 5, 4];
  const shown = shownChoices({ choices: choices(11), gains }, { current: 0 });
  assert.deepEqual(shown, [0, 3, 5, 6, 8, 9, 10]);
});

test("words that fit into one line keep its whole width", () => {
  assert.equal(evenWidth([100, 100], 300, 10), 300);
  assert.equal(evenWidth([], 300, 10), 300);
});

test("lines are as narrow as they can be without another line", () => {
  const widths = Array(5).fill(100); // 4 and 1 in the whole width, 3 and 2 in 320 pixels
  const limit = evenWidth(widths, 440, 10);
  assert.equal(limit, 320);
  assert.equal(evenWidth([200, 200], 390, 10), 70); // and ends where more would not help
});

test("columns stand side by side, in one line if they can", () => {
  const column = { widest: 76, fixed: false, rows: 3 };
  const { places, height } = placeColumns([column, { ...column, fixed: true, rows: 1 }], 400);
  assert.deepEqual(places, [
    { x: 50, y: 0, width: 100, startsLine: true },
    { x: 154, y: 0, width: 80, startsLine: false },
  ]);
  assert.equal(height, HEAD + 3 * ROW + 8);
});

test("a sentence that is a little too long stands closer", () => {
  const columns = Array(3).fill({ widest: 76, fixed: false, rows: 1 });
  const roomy = placeColumns(columns, 328).places;
  const close = placeColumns(columns, 327).places;
  assert.deepEqual(
    roomy.map(({ width }) => width),
    [100, 100, 100],
  );
  assert.deepEqual(
    close.map(({ width, y }) => [width, y]),
    [
      [90, 0],
      [90, 0],
      [90, 0],
    ],
  );
  assert.equal(close[1].x - close[0].x, 97);
});

test("the next line begins below the deepest column", () => {
  const columns = [2, 5, 1].map((rows) => ({ widest: 176, fixed: false, rows }));
  const { places, height } = placeColumns(columns, 420);
  assert.deepEqual(
    places.map(({ startsLine }) => startsLine),
    [true, false, true],
  );
  assert.equal(places[2].y, HEAD + 5 * ROW + 12);
  assert.equal(places[2].x, 100);
  assert.equal(height, places[2].y + HEAD + ROW + 8);
});

test("the path leads through the words and begins anew on each line", () => {
  const spot = (x, y, startsLine) => ({ x, y, width: 20, startsLine });
  const path = pathThrough([spot(20, 10, true), spot(70, 40, false), spot(20, 90, true)]);
  assert.equal(path, " M8,10 L32,10 C45,10 45,40 58,40 L82,40 M8,90 L32,90");
});

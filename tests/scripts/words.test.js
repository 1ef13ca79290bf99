import assert from "node:assert/strict";
import { test } from "node:test";
import { hasModifier } from "../../assets/scripts/keys.js";
import { describeChoice } from "../../assets/scripts/lattice-words.js";
import { counted, decimals, signed, shorten } from "../../assets/scripts/numbers.js";

test("numbers are written as a visitor reads them", () => {
  assert.equal(decimals(0.12349), "0.123");
  assert.equal(signed(0.5), "+0.500");
  assert.equal(signed(-0.5), "−0.500");
  assert.equal(signed(0), "+0.000");
  const queries = ["query", "queries"];
  assert.equal(counted(1, queries), "1 query");
  assert.equal(counted(0, queries), "0 queries");
  assert.equal(counted(1200, queries), "1,200 queries");
});

test("a word is cut only where it is too long", () => {
  assert.equal(shorten("letters", 7), "letters");
  assert.equal(shorten("letters", 6), "lette…");
});

test("keys with a modifier are the browser's", () => {
  const none = { ctrlKey: false, metaKey: false, altKey: false };
  assert.equal(hasModifier(none), false);
  for (const key in none) assert.equal(hasModifier({ ...none, [key]: true }), true);
});

test("what is said of a word", () => {
  const all = { labels: ["bad", "good"], base: 0.5 };
  const column = {
    choices: ["fine", "nice"],
    reasons: ["", "listed"],
    gains: [null, -0.25],
    shifts: [null, [0.25, -0.25]],
  };
  assert.deepEqual(describeChoice(column, 0, all), ["fine", "the original word"]);
  assert.deepEqual(describeChoice(column, 1, all), [
    "nice",
    "listed",
    "alone it changes the score by −0.250, to 0.250",
    "bad +0.250, good −0.250",
  ]);
  assert.deepEqual(describeChoice({ choices: ["a", "b"] }, 1, all), ["b"]);
});

test("what is said of a word that cannot be swapped", () => {
  const all = { labels: [] };
  assert.deepEqual(describeChoice({ choices: ["the"] }, 0, all), ["the", "no substitutes"]);
  const noted = { choices: ["the"], note: "a stop word" };
  assert.deepEqual(describeChoice(noted, 0, all), ["the", "no substitutes: a stop word"]);
  const locked = { choices: ["fine"], locked: true };
  assert.deepEqual(describeChoice(locked, 0, all), ["fine", "locked: stays as it is"]);
});

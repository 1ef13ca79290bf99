import { counted } from "./numbers.js";

// The steps of a search and the moves tried in them, in words. Moves come as columns of numbers,
// one table for each kind: gain, and mostly at, to and was (position, new and old choice).

const SCALE = 1e5; // gains travel as whole numbers
const MOST_TOLD = 4; // changes of a whole sentence that are told

export const ONE_WORD = ["insert", "delete", "exchange"];

export const STEP_NAMES = {
  start: "Start",
  insert: "Insertion",
  delete: "Deletion",
  exchange: "Exchange",
  complement: "Complement",
  rank: "Ranking",
  init: "First population",
  generation: "Generation",
  stop: "Stop",
  end: "Answer",
};

export const SIGNS = { insert: "+", delete: "−", exchange: "⇄" };

export const GUESSES = {
  insert: "an insertion",
  delete: "a deletion",
  exchange: "an exchange",
  stop: "nothing: it stops",
};

const MOVE_NAMES = {
  insert: ["insertion", "insertions"],
  delete: ["deletion", "deletions"],
  exchange: ["exchange", "exchanges"],
  several: ["whole sentence", "whole sentences"],
  hide: ["sentence with a hidden word", "sentences with hidden words"],
  same: ["unchanged", "unchanged"],
};

// The gain of a move as a score, or null where it is not known.
export const gainOf = (table, index) =>
  table.gain[index] == null ? null : table.gain[index] / SCALE;

export const countMoves = (moves) =>
  Object.values(moves).reduce((sum, { gain }) => sum + gain.length, 0);

export const laneName = (kind, number) =>
  number ? counted(number, MOVE_NAMES[kind]) : `no ${MOVE_NAMES[kind][0]} possible`;

// The kinds that get a lane: those of a climbing search always, in their order, then any others.
export function laneKinds(moves, kinds) {
  const tried = Object.keys(moves);
  const usual = kinds.filter((kind) => moves[kind] || ONE_WORD.includes(kind));
  return [...usual, ...tried.filter((kind) => !usual.includes(kind))];
}

// A tried move in words: film → picture. `before` is the state that it would have changed.
export function describeMove(table, index, columns, before) {
  const word = (position, choice) => (choice < 0 ? "hidden" : columns[position].choices[choice]);
  if (table.sets) {
    const changes = pairs(table.sets[index]);
    if (!changes.length) return "the sentence as it was";
    const first = changes
      .slice(0, MOST_TOLD)
      .map(([at, to]) => `${word(at, before[at])} → ${word(at, to)}`);
    return first.join(", ") + (changes.length > MOST_TOLD ? " …" : "");
  }
  if (!table.at) return "another sentence";
  const { at, to, was, back } = table;
  const swap = `${word(at[index], was[index])} → ${word(at[index], to[index])}`;
  const restored = back?.[index] ?? -1;
  return restored < 0 ? swap : `${columns[restored].choices[0]} back, ${swap}`;
}

function pairs(flat) {
  const found = [];
  for (let i = 0; i < flat.length; i += 2) found.push([flat[i], flat[i + 1]]);
  return found;
}

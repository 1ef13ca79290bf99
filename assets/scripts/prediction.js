import { ONE_WORD, STEP_NAMES, GUESSES, gainOf } from "./moves.js";
import { counted, decimals } from "./numbers.js";

// Guessing the next step of a search: a verdict is a grade (right, nearly or wrong) and a sentence.
// What a guess is worth is its share of the gain that the search makes, from 0 to 1.

export const isPredictable = (step) =>
  step != null && (ONE_WORD.includes(step.kind) || step.kind === "stop");

export function judgeKind(next, kind) {
  if (next.kind === kind) {
    return kind === "stop"
      ? ["right", "Right: no change helps any more."]
      : ["nearly", `The right kind: ${STEP_NAMES[kind].toLowerCase()}.`];
  }
  const truth =
    next.kind === "stop"
      ? "no change helps, so the search stops"
      : `the search makes ${GUESSES[next.kind]}`;
  return ["wrong", `Not this time: ${truth}.`];
}

export function judgeMove(next, position, choice, columns) {
  const word = columns[position].choices[choice];
  const isStop = next.kind === "stop";
  const isMoved = !isStop && next.moved[position];
  if (isMoved && next.state[position] === choice) return ["right", `Right: ${word} is the move.`];
  const worth = worthOf(next, position, choice, word);
  if (isStop) {
    return ["wrong", `Not this time: no change helps, so the search stops (${worth}).`];
  }
  const taken = Object.keys(next.moved).map((at) => columns[at].choices[next.state[at]]);
  const words = taken.join(", ");
  if (isMoved) return ["nearly", `Nearly: the right word, but ${words} is better (${worth}).`];
  return ["wrong", `Not this time: ${worth}; the search takes ${words}.`];
}

// What the search knows of a swap: its score, and its place among all moves that it tried.
function worthOf(next, position, choice, word) {
  const moves = movesOf(next);
  const swap = moves.find(({ name }) => name === `${position},${choice}`);
  if (!swap) return `${word} was not tried`;
  const rank = 1 + moves.filter(({ gain }) => gain > swap.gain).length;
  const score = decimals(next.before + swap.gain, next.digits);
  return `${word} gives ${score}, number ${rank} of ${moves.length}`;
}

// The moves of a step whose gain is known. One that changes a single word has the name of its place
// in the lattice; another one cannot be picked there.
function movesOf({ moves }) {
  return ONE_WORD.flatMap((kind) => {
    const table = moves[kind] ?? { gain: [] };
    return table.gain
      .map((_, index) => ({ kind, name: nameOf(table, index), gain: gainOf(table, index) }))
      .filter(({ gain }) => gain != null);
  });
}

const nameOf = ({ at, to, back }, index) =>
  (back?.[index] ?? -1) < 0 ? `${at?.[index]},${to?.[index]}` : null;

// What can be done next: the places of the lattice, and the kinds. To stop is always possible.
export function possibleMoves(next) {
  const moves = movesOf(next);
  return {
    names: new Set(moves.map(({ name }) => name)),
    kinds: new Set(["stop", ...moves.map(({ kind }) => kind)]),
  };
}

// A game of guesses, from a step on. Each move can be guessed once, before it is shown; one that is
// shown without a guess is skipped, and worth nothing.
export class Game {
  constructor(steps, at) {
    this.steps = steps;
    this.seen = at; // the last step that was shown
    this.worths = [];
    this.chances = []; // what picks at random would be worth
    this.skipped = 0;
  }

  // The step to guess while another is shown, if there is one.
  next(at) {
    const next = at === this.seen ? this.steps[at + 1] : null;
    return isPredictable(next) ? next : null;
  }

  // Count a guess of the next step: `fits` tells whether a move is one that was meant.
  guess(fits) {
    const next = this.next(this.seen);
    this.seen += 1;
    const picks = picksOf(next);
    this.worths.push(mean(picks.filter(fits).map(({ worth }) => worth)));
    this.chances.push(mean(picks.map(({ worth }) => worth)));
  }

  // A step is shown; what was not guessed until then is skipped.
  show(at) {
    while (this.seen < at) {
      if (this.next(this.seen)) {
        this.guess(() => false);
        this.skipped += 1;
      } else this.seen += 1;
    }
  }

  get tally() {
    const count = this.worths.length;
    if (!count) return "A guess is worth its share of what the search gains.";
    const [mine, chance] = [this.worths, this.chances].map((all) => Math.round(100 * mean(all)));
    const skipped = this.skipped ? ` (${this.skipped} skipped)` : "";
    const moves = counted(count, ["move", "moves"]);
    return `Worth ${mine}% of what the search gains, over ${moves}${skipped}; at random ${chance}%`;
  }
}

// All that could be guessed, with its worth.
function picksOf(next) {
  const isStop = next.kind === "stop";
  const moves = movesOf(next);
  const best = Math.max(...moves.map(({ gain }) => gain));
  const worth = (gain) => (isStop ? 0 : Math.max(0, gain / best));
  return [
    ...moves.map(({ kind, name, gain }) => ({ kind, name, worth: worth(gain) })),
    { kind: "stop", name: null, worth: Number(isStop) },
  ];
}

const mean = (values) => values.reduce((sum, value) => sum + value, 0) / (values.length || 1);

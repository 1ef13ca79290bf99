import { ONE_WORD, STEP_NAMES, GUESSES, gainOf } from "./moves.js";
import { decimals } from "./numbers.js";

// Guessing the next step of a search: a verdict is a grade (right, nearly or wrong) and a sentence.

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
  const moves = ONE_WORD.flatMap((kind) => {
    const table = next.moves[kind] ?? { gain: [] };
    return table.gain.map((_, index) => ({
      at: table.at?.[index],
      to: table.to?.[index],
      restored: table.back?.[index] ?? -1,
      gain: gainOf(table, index) ?? -Infinity,
    }));
  });
  const swap = moves.find(
    ({ at, to, restored }) => at === position && to === choice && restored < 0,
  );
  if (!swap || swap.gain === -Infinity) return `${word} was not tried`;
  const rank = 1 + moves.filter(({ gain }) => gain > swap.gain).length;
  return `${word} gives ${decimals(next.before + swap.gain, next.digits)}, number ${rank} of ${moves.length}`;
}

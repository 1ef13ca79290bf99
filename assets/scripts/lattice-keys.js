import { columnIsFixed } from "./lattice-layout.js";

// What a key does at a word of the lattice, as one action: { go } and { pick } name a position and
// a choice, { edit } a kind of edit before them. Undefined where the key does nothing. Arrows walk
// past words without substitutes, Backspace restores the original, L locks a word and Delete
// removes a substitute.
export function keyAction(key, { position, choice }, { columns, state, shown }) {
  switch (key) {
    case "ArrowRight":
    case "ArrowLeft": {
      const to = neighbour(columns, position, key === "ArrowRight" ? 1 : -1);
      return { go: [to, to === position ? choice : state[to]] };
    }
    case "ArrowDown":
    case "ArrowUp": {
      const row = shown.indexOf(choice) + (key === "ArrowDown" ? 1 : -1);
      return { go: [position, shown[Math.max(0, Math.min(row, shown.length - 1))]] };
    }
    case "Backspace":
      return { pick: [position, 0] };
    case "l":
      return { edit: ["lock", position, 0] };
    case "Delete":
      return choice ? { edit: ["remove", position, choice] } : undefined;
  }
}

// The next word to one side that can be swapped or unlocked; without one, the word itself.
function neighbour(columns, position, step) {
  let to = position + step;
  while (columns[to] && columnIsFixed(columns[to])) to += step;
  return columns[to] ? to : position;
}

import { decimals, signed } from "./numbers.js";

// What there is to say about a word of the lattice, line by line; the first line is the word.
export function describeChoice(column, choice, { labels, base = 0 }) {
  const lines = [column.choices[choice]];
  if (column.locked) lines.push("locked: stays as it is");
  else if (column.choices.length === 1) {
    lines.push(column.note ? `no substitutes: ${column.note}` : "no substitutes");
  } else if (!choice) lines.push("the original word");
  if (column.reasons?.[choice]) lines.push(column.reasons[choice]);
  if (!choice) return lines;
  const gain = column.gains?.[choice];
  if (gain != null) {
    lines.push(`alone it changes the score by ${signed(gain)}, to ${decimals(base + gain)}`);
  }
  const shifts = column.shifts?.[choice];
  if (shifts) lines.push(labels.map((label, k) => `${label} ${signed(shifts[k])}`).join(", "));
  return lines;
}

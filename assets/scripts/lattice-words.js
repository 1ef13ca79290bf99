import { decimals, signed } from "./numbers.js";

// What there is to say about a word of the lattice, line by line; the first line is the word.
export function describeChoice(column, choice, data) {
  const lines = [column.choices[choice]];
  if (column.locked) lines.push("locked: stays as it is");
  else if (column.choices.length === 1) {
    lines.push(column.note ? `no substitutes: ${column.note}` : "no substitutes");
  } else if (!choice) lines.push("the original word");
  if (column.reasons?.[choice]) lines.push(column.reasons[choice]);
  return choice ? [...lines, ...describeChange(column, choice, data)] : lines;
}

// What a substitute alone does to the score and to the victim's answer, where that is known.
function describeChange(column, choice, { labels, base = 0, measure = "the score", digits = 3 }) {
  const lines = [];
  const gain = column.gains?.[choice];
  if (gain != null) {
    const [by, to] = [signed(gain, digits), decimals(base + gain, digits)];
    lines.push(`alone it changes ${measure} by ${by}, to ${to}`);
  }
  const shifts = column.shifts?.[choice];
  if (shifts) {
    const told = labels.map((label, k) => `${label} ${signed(shifts[k], digits)}`);
    lines.push(told.join(", "));
  }
  return lines;
}

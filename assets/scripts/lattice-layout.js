// Where the parts of a lattice stand, and which of them are shown: sums without a page.

export const ROW = 32;
export const PILL = 26;
export const HEAD = 22; // above the words of a line
export const WINDOW = 60; // words that are drawn at once
const GAP = 14;
const MOST_SHOWN = 6; // substitutes of a column, if it has many
const MARGIN = 24; // of a word inside its pill, both sides together
const CLOSE_MARGIN = 14;

export const windowStart = (position) => position - (position % WINDOW);

export const columnIsFixed = ({ choices, locked }) => choices.length === 1 && !locked;

// Which choices of a column are shown: all of a short one and of one that was opened, else the
// original, the current one, those to keep, and the first ones or, where it is known, the best.
export function shownChoices({ choices, gains }, { current, keep = [], open = false }) {
  const all = [...choices.keys()];
  if (open || all.length <= MOST_SHOWN + 2) return all;
  const ranked = all.slice(1);
  if (gains) ranked.sort((a, b) => gains[b] - gains[a] || a - b);
  const kept = new Set([0, current, ...keep, ...ranked.slice(0, MOST_SHOWN)]);
  return all.filter((choice) => kept.has(choice));
}

// The least width of a line that needs no more lines than the whole width does, so that none is
// nearly empty.
export function evenWidth(widths, whole, gap) {
  const linesWithin = (limit) => {
    let lines = 1;
    let x = 0;
    for (const width of widths) {
      if (x > 0 && x + width > limit) {
        lines += 1;
        x = 0;
      }
      x += width + gap;
    }
    return lines;
  };
  const fewest = linesWithin(whole);
  let limit = whole;
  while (fewest > 1 && limit > 80 && linesWithin(limit - 20) === fewest) limit -= 20;
  return limit;
}

// Columns side by side, in several lines where the width is too small. A column tells the width of
// its widest word, its number of rows, and whether it is fixed; a place is the middle of its top.
export function placeColumns(columns, whole) {
  const padded = (margin) => columns.map(({ widest, fixed }) => widest + (fixed ? 4 : margin));
  const inOneLine = (widths, gap) => widths.reduce((sum, width) => sum + width + gap, -gap);
  // A sentence that is only a little too long for one line stands closer instead of in two lines.
  const close =
    inOneLine(padded(MARGIN), GAP) > whole && inOneLine(padded(CLOSE_MARGIN), GAP / 2) <= whole;
  const gap = close ? GAP / 2 : GAP;
  const widths = padded(close ? CLOSE_MARGIN : MARGIN);
  const limit = evenWidth(widths, whole, gap);
  let x = 0;
  let y = 0;
  let deepest = 0;
  const places = columns.map(({ rows }, number) => {
    const width = widths[number];
    if (x > 0 && x + width > limit) {
      x = 0;
      y += HEAD + deepest * ROW + 12;
      deepest = 0;
    }
    const place = { x: x + width / 2, y, width, startsLine: x === 0 };
    deepest = Math.max(deepest, rows);
    x += width + gap;
    return place;
  });
  return { places, height: y + HEAD + deepest * ROW + 8 };
}

// A sentence as a line through its words; always of the same shape, so that it can glide.
export function pathThrough(spots) {
  let path = "";
  let before = null;
  for (const { x, y, width, startsLine } of spots) {
    const left = x - width / 2 - 2;
    const right = x + width / 2 + 2;
    if (startsLine) path += ` M${left},${y}`;
    else {
      const middle = (before.right + left) / 2;
      path += ` C${middle},${before.y} ${middle},${y} ${left},${y}`;
    }
    path += ` L${right},${y}`;
    before = { right, y };
  }
  return path;
}

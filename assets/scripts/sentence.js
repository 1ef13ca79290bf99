import { bringIntoSight, element } from "./dom.js";

// A sentence with its changed words marked, as parts to be put into an element. `state` has the
// choice at each word (0 is the original), `moved` the kind of move that just touched a word.
export function markedSentence({ columns, gaps }, state, moved = {}) {
  const parts = [gaps[0]];
  columns.forEach(({ choices }, position) => {
    const word = choices[state[position]];
    const kind = moved[position];
    if (!state[position] && !kind) parts.push(word);
    else {
      const tag = state[position] ? "mark" : "span";
      const title = state[position] ? `was: ${choices[0]}` : null;
      parts.push(element(tag, { class: kind ? `moved ${kind}` : null, title, text: word }));
    }
    parts.push(gaps[position + 1]);
  });
  return parts;
}

// Show it in an element, which scrolls where it is too small: the word just touched is in sight.
export function showSentence(node, data, state, moved) {
  node.replaceChildren(...markedSentence(data, state, moved));
  node.tabIndex = node.scrollHeight > node.clientHeight ? 0 : -1;
  bringIntoSight(node, ".moved");
}

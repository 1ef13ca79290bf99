// The address of a page is a link to what it shows. The server writes most of it, and would lag
// behind what plays in the browser alone: these parts the browser writes itself.
export const OWN = ["step", "predict", "projector"];

const SENTENCE = ["text", "made"]; // the parts that make it another sentence
const RUNS = "data-test-script-state"; // where Streamlit writes whether it draws the page
const IDLE = "notRunning";

// Write parts of the address that are the browser's own; an empty one is taken out.
export function writeAddress(parts) {
  const next = new URL(window.location.href);
  for (const [name, value] of Object.entries(parts)) setPart(next, name, value);
  if (next.href !== window.location.href) window.history.replaceState({}, "", next.href);
}

function setPart({ searchParams }, name, value) {
  if (value) searchParams.set(name, value);
  else searchParams.delete(name);
}

// Streamlit makes an entry of the history at each change of an address. Back shall lead to the page
// or the sentence before, not through every step and setting: only these get an entry, one at most
// each time the page is drawn. What a page writes while it is first drawn completes its entry; what
// it writes before its entry is there is taken back from the one that was left.
export function keepHistoryShort() {
  const { history, location } = window;
  const push = history.pushState.bind(history);
  let left = location.href; // the address when this drawing began
  let made = "page"; // the entry that was made in this drawing: of a page or of a sentence
  history.pushState = (state, unused, url) => {
    const here = new URL(location.href);
    const next = new URL(url, here);
    const isElsewhere = next.pathname !== here.pathname;
    if (!isElsewhere) for (const name of OWN) setPart(next, name, here.searchParams.get(name));
    const kind = isElsewhere ? "page" : isOther(here, next) ? "sentence" : "";
    const completes = !kind || made === "sentence" || (made && !isElsewhere);
    if (isElsewhere && !made) history.replaceState(state, unused, left);
    if (completes) history.replaceState(state, unused, next.href);
    else push(state, unused, next.href);
    made ||= kind;
  };
  const look = ([{ oldValue }]) => {
    if (oldValue === IDLE) left = location.href;
    if (document.querySelector(`[${RUNS}=${IDLE}]`)) made = "";
  };
  const changes = { subtree: true, attributeFilter: [RUNS], attributeOldValue: true };
  new MutationObserver(look).observe(document.body, changes);
}

const isOther = (here, next) =>
  SENTENCE.some((name) => here.searchParams.get(name) !== next.searchParams.get(name));

import { keepHistoryShort } from "./address.js";
import { element } from "./dom.js";

// What every page has around it, whether Streamlit has started or not.

const PATIENCE = 1500; // milliseconds: a short break is not told
const LOST = "The connection is lost. The page reconnects by itself; what was saved is safe.";
const STATE = "data-test-connection-state"; // where Streamlit writes how its connection is

export const isLost = (state) => state != null && state !== "CONNECTED" && state !== "INITIAL";

// Says in plain words when the connection is lost, and takes it back by itself.
export function watchConnection() {
  const line = element("div", { class: "lost-line", role: "status", hidden: "", text: LOST });
  let timer;
  const look = () => {
    const state = document.querySelector(`[${STATE}]`)?.getAttribute(STATE);
    if (isLost(state)) timer ??= setTimeout(() => (line.hidden = false), PATIENCE);
    else {
      clearTimeout(timer);
      timer = undefined;
      line.hidden = true;
    }
  };
  document.body.append(line);
  const changes = { subtree: true, childList: true, attributes: true, attributeFilter: [STATE] };
  new MutationObserver(look).observe(document.body, changes);
}

// A key that is held down counts once; else it would press buttons of the next screens.
export function ignoreHeldKeys() {
  const stop = (event) => event.repeat && event.stopPropagation();
  document.documentElement.addEventListener("keydown", stop, { capture: true });
}

const SENTENCES = ".st-key-text, .st-key-premise, .st-key-booth";

// Enter sends a sentence, as in a search box; Shift with Enter begins a line. Streamlit waits for
// Ctrl with Enter, so that is what it is told.
export function sendSentencesOnEnter() {
  const tell = (event) => {
    const { key, shiftKey, ctrlKey, metaKey, isComposing, target } = event;
    const typed = target.tagName === "TEXTAREA" && target.closest(SENTENCES);
    if (key !== "Enter" || !typed || shiftKey || ctrlKey || metaKey || isComposing) return;
    event.preventDefault();
    event.stopPropagation();
    const sent = { key, ctrlKey: true, bubbles: true, cancelable: true };
    target.dispatchEvent(new window.KeyboardEvent("keydown", sent));
  };
  document.documentElement.addEventListener("keydown", tell, { capture: true });
}

export function startShell() {
  sendSentencesOnEnter();
  if (new URLSearchParams(window.location.search).has("a")) ignoreHeldKeys(); // a rater's page
  watchConnection();
  keepHistoryShort();
}

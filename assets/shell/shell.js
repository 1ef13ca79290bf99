// Says in plain words when the connection is lost, and takes it back by itself. A short break is not told.
const PATIENCE = 1500; // milliseconds
const WORDS = "The connection is lost. The page reconnects by itself; what was saved is safe.";

const line = document.createElement("div");
line.className = "lost-line";
line.setAttribute("role", "status");
line.hidden = true;
line.textContent = WORDS;

let timer;

function look() {
  const app = document.querySelector("[data-test-connection-state]");
  const state = app?.getAttribute("data-test-connection-state");
  const lost = state !== undefined && state !== null && state !== "CONNECTED" && state !== "INITIAL";
  if (!lost) {
    clearTimeout(timer);
    timer = undefined;
    line.hidden = true;
  } else timer ??= setTimeout(() => (line.hidden = false), PATIENCE);
}

// A key that is held down on a rating page counts once; else it would press buttons of the next screens.
if (new URLSearchParams(location.search).has("a"))
  document.documentElement.addEventListener("keydown", (event) => event.repeat && event.stopPropagation(), { capture: true });

document.body.append(line);
new MutationObserver(look).observe(document.body, {
  subtree: true,
  childList: true,
  attributes: true,
  attributeFilter: ["data-test-connection-state"],
});

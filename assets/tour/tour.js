// A short tour on the first visit: a card in the corner, dismissed for good by a click or Escape.
const DONE = "swapscope.tour";

export default function ({ data, parentElement }) {
  const root = parentElement.querySelector(".tour");
  const remembered = () => {
    try {
      return window.localStorage.getItem(DONE);
    } catch {
      return null; // a browser that keeps nothing shows the tour each time
    }
  };
  if (remembered() || root.dataset.on) return;
  root.dataset.on = "yes";
  root.hidden = false;
  const [title, text, count] = ["h2", "p", ".count"].map((name) => root.querySelector(name));
  const [back, next, close] = [".back", ".next", ".close"].map((name) => root.querySelector(name));
  let at = 0;
  const show = () => {
    title.textContent = data.cards[at].title;
    text.textContent = data.cards[at].text;
    count.textContent = `${at + 1} of ${data.cards.length}`;
    back.disabled = at === 0;
    next.textContent = at === data.cards.length - 1 ? "Done" : "Next";
  };
  const end = () => {
    root.hidden = true;
    try {
      window.localStorage.setItem(DONE, "done");
    } catch {
      // nothing to keep it in
    }
  };
  back.addEventListener("click", () => ((at -= 1), show()));
  next.addEventListener("click", () => (at === data.cards.length - 1 ? end() : ((at += 1), show())));
  close.addEventListener("click", end);
  root.addEventListener("keydown", (event) => event.key === "Escape" && end());
  show();
}

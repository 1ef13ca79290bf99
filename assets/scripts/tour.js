import { mount } from "./mount.js";

const DONE = "swapscope.tour";

// A short tour on the first visit: a card in the corner, dismissed for good by a click or Escape.
export class Tour {
  constructor(root) {
    this.root = root;
    this.at = 0;
    const on = (name, act) => this.find(name).addEventListener("click", act);
    on(".back", () => this.show(this.at - 1));
    on(".next", () => this.show(this.at + 1));
    on(".close", () => this.end());
    root.addEventListener("keydown", (event) => event.key === "Escape" && this.end());
  }

  find(selector) {
    return this.root.querySelector(selector);
  }

  update({ cards }) {
    if (this.cards || isDismissed()) return;
    this.cards = cards;
    this.root.hidden = false;
    this.show(0);
  }

  destroy() {}

  show(at) {
    const { cards } = this;
    if (at === cards.length) return this.end();
    this.at = at;
    this.find("h2").textContent = cards[at].title;
    this.find("p").textContent = cards[at].text;
    this.find(".count").textContent = `${at + 1} of ${cards.length}`;
    this.find(".back").disabled = at === 0;
    this.find(".next").textContent = at === cards.length - 1 ? "Done" : "Next";
  }

  end() {
    this.root.hidden = true;
    try {
      window.localStorage.setItem(DONE, "done");
    } catch {
      // nothing to keep it in
    }
  }
}

function isDismissed() {
  try {
    return Boolean(window.localStorage.getItem(DONE));
  } catch {
    return false; // a browser that keeps nothing shows the tour each time
  }
}

export const mountTour = mount(".tour", Tour);

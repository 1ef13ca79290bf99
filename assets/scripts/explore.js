import { Lattice } from "./lattice.js";
import { mount } from "./mount.js";
import { pictureOf, pixelsOf, saveFile } from "./picture.js";

// The lattice of the first page: swap words, edit the space, take the picture away. It sends the
// whole selection, never single clicks, so that quick clicks cannot be lost; `turn` tells an old
// answer of the server from a new one.
export class Explorer {
  constructor(root) {
    this.turn = 0;
    this.lattice = new Lattice(root.querySelector(".stage"), {
      onPick: (position, choice) => this.pick(position, choice),
      onEdit: (kind, position, choice) => this.edit(kind, position, choice),
    });
    this.status = root.querySelector(".said");
    this.toggle = root.querySelector(".edit");
    this.toggle.addEventListener("click", () => this.setEditing(!this.lattice.editing));
    const on = (name, act) => root.querySelector(name).addEventListener("click", act);
    on(".copy", () => this.copy(this.data.text, "The sentence is copied."));
    on(".link", () => this.copy(window.location.href, "The link to this view is copied."));
    on(".svg", () => saveFile(this.picture(), "image/svg+xml", "lattice.svg"));
    on(".png", async () => {
      saveFile(await pixelsOf(this.picture()), "image/png", "lattice.png");
    });
  }

  destroy() {
    this.lattice.destroy();
  }

  update(data) {
    const isOther = this.data?.id !== data.id;
    if (isOther || data.turn >= this.turn) this.turn = data.turn;
    const state = data.turn < this.turn ? this.lattice.state : data.state;
    this.data = data;
    this.edits = data.edits;
    this.lattice.set(data);
    this.lattice.show(state);
  }

  pick(position, choice) {
    const state = this.lattice.state.slice();
    if (state[position] === choice) return;
    state[position] = choice;
    this.turn += 1;
    this.lattice.show(state);
    this.lattice.go(position, choice);
    this.page.setStateValue("picked", { id: this.data.id, turn: this.turn, state });
  }

  edit(kind, position, choice) {
    const word = this.data.columns[position].choices[choice];
    this.edits = editedSpace(this.edits, kind, position, word);
    this.page.setStateValue("edited", { id: this.data.id, ...this.edits });
  }

  setEditing(on) {
    this.lattice.editing = on;
    this.lattice.root.classList.toggle("editing", on);
    this.toggle.setAttribute("aria-pressed", on);
    this.say(on ? "Click a word to lock or unlock it, a substitute to remove it." : "");
  }

  say(text) {
    this.status.textContent = text;
  }

  async copy(text, success) {
    try {
      await navigator.clipboard.writeText(text);
      this.say(success);
    } catch {
      window.prompt("Copy this:", text); // a page without https may not write to the clipboard
    }
  }

  picture() {
    const { root, scroll } = this.lattice;
    const background = getComputedStyle(root).getPropertyValue("--st-background-color");
    return pictureOf(scroll.querySelector("svg"), background);
  }
}

// The edits after one more: a word locked or unlocked, or a substitute removed.
export function editedSpace({ locked, removed }, kind, position, word) {
  if (kind === "remove") return { locked, removed: [...removed, [position, word]] };
  const unlocked = locked.filter((at) => at !== position);
  const wasLocked = unlocked.length < locked.length;
  return { locked: wasLocked ? unlocked : [...locked, position], removed };
}

export const mountExplore = mount(".explore", Explorer);

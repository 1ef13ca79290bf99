import { element, shape } from "./dom.js";
import { hasModifier } from "./keys.js";
import { keyAction } from "./lattice-keys.js";
import {
  HEAD,
  PILL,
  ROW,
  WINDOW,
  columnIsFixed,
  pathThrough,
  placeColumns,
  shownChoices,
  windowStart,
} from "./lattice-layout.js";
import { describeChoice } from "./lattice-words.js";
import { Minimap } from "./minimap.js";
import { shorten } from "./numbers.js";
import { Tooltip } from "./tooltip.js";

const LETTERS = 18; // of a word that is shown in full

// The word lattice: a column for each word, the original on top, its substitutes below, the current
// sentence as a path behind them. It knows nothing of Streamlit.
//
//   const lattice = new Lattice(root, { onPick, onEdit }); // (position, choice) after any kind
//   lattice.set({ id, columns, labels, range, keep }); // draws
//   lattice.show(state, { shades, marks, moved, pickable }); // touches only what changed
//
// `pickable` has the names ("position,choice") of what may be picked; without it everything may.
export class Lattice {
  constructor(root, { onPick = null, onEdit = null } = {}) {
    Object.assign(this, { root, onPick, onEdit, editing: false });
    const map = element("div", { class: "map", hidden: "" });
    this.scroll = element("div", { class: "scroll" });
    this.scale = element(
      "div",
      { class: "scale", hidden: "" },
      "lowers the score",
      element("i"),
      "raises it, when swapped alone",
    );
    const tip = element("div", { class: "tip", role: "status", hidden: "" });
    root.classList.add("lattice");
    root.append(map, this.scroll, this.scale, tip);
    this.map = new Minimap(map, (start) => this.openWindow(start));
    this.tip = new Tooltip(root, tip);
    this.pen = document.createElement("canvas").getContext("2d");
    this.widths = new Map(); // of words, measured once
    this.first = 0; // the first word of the window
    this.opened = new Set(); // columns that show all their substitutes
    this.windows = new Map(); // windows that are drawn already
    this.looks = new Map(); // what they showed when they were last seen
    this.look = { shades: {}, marks: {}, moved: {}, pickable: null };
    this.observer = new ResizeObserver(() => this.data && this.isResized() && this.draw());
    this.observer.observe(this.scroll);
    const on = (kind, act) => this.scroll.addEventListener(kind, act);
    on("click", (event) => this.click(event));
    on("keydown", (event) => this.key(event));
    for (const kind of ["pointerover", "focusin"]) {
      on(kind, (event) => this.explain(event.target.closest?.(".node")));
    }
    for (const kind of ["pointerout", "focusout"]) on(kind, () => this.tip.hide());
  }

  destroy() {
    this.observer.disconnect();
  }

  set(data) {
    const { id, columns, labels, range, keep } = data;
    if (this.data?.id !== id) {
      this.first = 0;
      this.opened.clear();
      this.state = columns.map(() => 0);
      this.focus = [
        Math.max(
          0,
          columns.findIndex(({ choices }) => choices.length > 1),
        ),
        0,
      ];
    }
    this.data = data;
    // Drawing anew takes the node away that a pointer may be down on, and with it the click.
    const picture = JSON.stringify([id, columns, labels, range, keep]);
    this.dirty ||= picture !== this.picture;
    this.picture = picture;
  }

  show(state, { shades = {}, marks = {}, moved = {}, pickable = null } = {}) {
    this.state = state.slice();
    this.look = { shades, marks, moved, pickable };
    const places = Object.keys(moved).map(Number);
    if (places.length && !places.some((at) => this.isInside(at))) {
      this.first = windowStart(places[0]);
    }
    this.drawWindow();
  }

  isInside(position) {
    return position >= this.first && position < this.first + WINDOW;
  }

  isResized() {
    return this.width !== this.scroll.clientWidth;
  }

  openWindow(start) {
    this.first = start;
    this.drawWindow();
  }

  // --- drawing ----------------------------------------------------------------------------------

  // A window that was drawn before is dressed anew only where something has changed since then.
  drawWindow() {
    const known = this.dirty || this.isResized() ? null : this.windows.get(this.first);
    const isDrawn = (choice, at) => !this.isInside(at) || known.spots.has(`${at},${choice}`);
    if (!known || !this.state.every(isDrawn)) return this.draw();
    Object.assign(this, known);
    for (const name of this.changedNames(this.looks.get(this.first))) this.dress(name);
    this.looks.set(this.first, { state: this.state, look: this.look });
    this.path.setAttribute("d", this.currentPath());
    this.map.update(this.state, this.first);
    const svg = this.path.ownerSVGElement;
    if (this.scroll.firstChild !== svg) this.scroll.replaceChildren(svg);
  }

  // The words that look different from how they were last seen.
  changedNames({ state, look }) {
    if (look.pickable !== this.look.pickable) return this.spots.keys();
    const names = new Set();
    for (const { shades, marks, moved } of [look, this.look]) {
      for (const name of [...Object.keys(shades), ...Object.keys(marks)]) names.add(name);
      for (const at of Object.keys(moved)) names.add(`${at},${this.state[at]}`);
    }
    this.state.forEach((choice, at) => {
      if (choice !== state[at]) names.add(`${at},${state[at]}`).add(`${at},${choice}`);
    });
    return names;
  }

  draw(keepFocus = this.root.contains(this.root.getRootNode().activeElement)) {
    if (this.dirty || this.isResized()) this.windows.clear();
    this.dirty = false;
    this.width = this.scroll.clientWidth;
    this.pen.font = `500 14px ${getComputedStyle(this.root).fontFamily}`;
    this.map.draw(this.data.columns);
    this.map.update(this.state, this.first);
    const svg = shape("svg", { role: "group", "aria-label": "Word lattice" });
    this.path = shape("path", { class: "path" });
    svg.append(this.path);
    this.spots = new Map(); // "position,choice" -> where it is, and its group
    const columns = this.windowColumns();
    const { places, height } = placeColumns(columns, this.width);
    columns.forEach((column, number) => this.drawColumn(svg, column, places[number]));
    this.path.setAttribute("d", this.currentPath());
    this.scale.hidden = !this.data.columns.some((column) => column.gains);
    svg.setAttribute("width", this.width);
    svg.setAttribute("height", height);
    this.scroll.replaceChildren(svg);
    this.windows.set(this.first, { spots: this.spots, path: this.path });
    this.looks.set(this.first, { state: this.state, look: this.look });
    if (keepFocus) this.spots.get(this.focus.join())?.group.focus();
  }

  // What is drawn of each column of the window.
  windowColumns() {
    return this.data.columns.slice(this.first, this.first + WINDOW).map((column, number) => {
      const position = this.first + number;
      const shown = this.shown(position);
      const hidden = column.choices.length - shown.length;
      const foldable = hidden > 0 || this.opened.has(position);
      const widest = Math.max(...shown.map((choice) => this.measure(column.choices[choice])));
      const rows = shown.length + (foldable ? 1 : 0);
      return { position, shown, hidden, foldable, widest, rows, fixed: columnIsFixed(column) };
    });
  }

  shown(position) {
    return shownChoices(this.data.columns[position], {
      current: this.state[position],
      keep: this.data.keep?.[position],
      open: this.opened.has(position),
    });
  }

  measure(word) {
    const text = shorten(word, LETTERS);
    if (!this.widths.has(text)) this.widths.set(text, this.pen.measureText(text).width);
    return this.widths.get(text);
  }

  drawColumn(svg, { position, shown, hidden, foldable, fixed }, { x, y, width, startsLine }) {
    const rowAt = (row) => y + HEAD + (row + 0.5) * ROW;
    shown.forEach((choice, row) => {
      const spot = { x, y: rowAt(row), width, startsLine, fixed };
      svg.append(this.drawNode(position, choice, spot));
    });
    if (foldable) svg.append(this.drawFold(position, hidden, x, rowAt(shown.length)));
  }

  drawNode(position, choice, spot) {
    const { x, y, width, fixed } = spot;
    const name = `${position},${choice}`;
    const radius = fixed ? 0 : PILL / 2;
    const pill = { x: -width / 2, y: -PILL / 2, width, height: PILL, rx: radius };
    const group = shape(
      "g",
      { transform: `translate(${x},${y})`, "data-at": name },
      shape("rect", pill),
      shape("text", { text: shorten(this.data.columns[position].choices[choice], LETTERS) }),
    );
    group.setAttribute("aria-label", this.describe(position, choice).join(". "));
    this.spots.set(name, { ...spot, group });
    this.dress(name);
    return group;
  }

  // The button below a column that shows the rest of its substitutes, or hides it again.
  drawFold(position, hidden, x, y) {
    const text = hidden ? `+${hidden} more` : "fewer";
    return shape(
      "g",
      {
        class: "more",
        transform: `translate(${x},${y})`,
        role: "button",
        tabindex: 0,
        "aria-label": `${text}: substitutes of ${this.data.columns[position].choices[0]}`,
        "data-more": position,
      },
      shape("text", { text }),
    );
  }

  currentPath() {
    const words = this.state.slice(this.first, this.first + WINDOW);
    return pathThrough(words.map((choice, at) => this.spots.get(`${this.first + at},${choice}`)));
  }

  // Give a node the look of its present part: on the path, shaded, marked, just moved.
  dress(name) {
    const spot = this.spots.get(name);
    if (!spot) return;
    const { group, fixed } = spot;
    const [position, choice] = placeOf(group);
    const isOn = this.state[position] === choice;
    group.setAttribute("class", this.kinds(position, choice).join(" "));
    group.firstChild.style.fill = isOn && choice ? "" : this.fill(position, choice);
    const usable = !fixed && (this.canPick(name) || (this.editing && this.onEdit));
    group.setAttribute("role", usable ? "button" : "img");
    if (fixed) return;
    group.setAttribute("tabindex", this.focus.join() === name ? 0 : -1);
    if (usable) group.setAttribute("aria-pressed", isOn);
  }

  // What a node is at present, as the style sheet calls it.
  kinds(position, choice) {
    const column = this.data.columns[position];
    const isOn = this.state[position] === choice;
    const moved = isOn && this.look.moved[position];
    const kinds = [
      "node",
      !choice && "original",
      columnIsFixed(column) && "fixed",
      isOn && "on",
      column.locked && "locked",
      this.look.marks[`${position},${choice}`],
      moved && `moved ${moved}`,
    ];
    return kinds.filter(Boolean);
  }

  // The colour inside a node: a share of a population, else what the substitute gains alone.
  fill(position, choice) {
    const share = this.look.shades[`${position},${choice}`];
    if (share != null) return tint("var(--st-primary-color)", 15 + 60 * share);
    const gain = choice ? this.data.columns[position].gains?.[choice] : null;
    if (gain == null) return "";
    const strength = Math.min(1, Math.abs(gain) / (this.data.range || 1));
    return tint(gain > 0 ? "var(--up)" : "var(--down)", gain === 0 ? 0 : 12 + 60 * strength);
  }

  // --- what a visitor does ----------------------------------------------------------------------

  click(event) {
    const node = event.target.closest(".node, .more");
    if (!node) return;
    if (node.dataset.more) {
      const position = Number(node.dataset.more);
      if (!this.opened.delete(position)) this.opened.add(position);
      return this.draw();
    }
    if (node.classList.contains("fixed")) return;
    const [position, choice] = placeOf(node);
    this.focus = [position, choice];
    if (this.editing) this.onEdit?.(choice ? "remove" : "lock", position, choice);
    else if (this.canPick(node.dataset.at)) this.onPick(position, choice);
  }

  canPick(name) {
    return this.onPick && (!this.look.pickable || this.look.pickable.has(name));
  }

  // One tab stop for the whole lattice; Enter and space press the node in focus.
  key(event) {
    const node = event.target.closest(".node, .more");
    if (!node || hasModifier(event)) return;
    if (event.key === "Enter" || event.key === " ") this.click(event);
    else if (!node.dataset.at || !this.act(event.key, ...placeOf(node))) return;
    event.preventDefault();
    event.stopPropagation();
  }

  // Do what a key means at a node; says whether it means anything.
  act(key, position, choice) {
    const { columns } = this.data;
    const shown = this.shown(position);
    const { state } = this;
    const { go, pick, edit } =
      keyAction(key, { position, choice }, { columns, state, shown }) ?? {};
    if (go) this.go(...go);
    else if (pick && this.canPick(pick.join())) this.onPick(...pick);
    else if (edit && this.onEdit) this.onEdit(...edit);
    else return false;
    return true;
  }

  // Put the focus on a node, in another window if need be.
  go(position, choice) {
    this.spots.get(this.focus.join())?.group.setAttribute("tabindex", -1);
    this.focus = [position, choice];
    if (!this.isInside(position)) this.openWindow(windowStart(position));
    const group = this.spots.get(this.focus.join())?.group;
    group?.setAttribute("tabindex", 0);
    group?.focus();
  }

  describe(position, choice) {
    return describeChoice(this.data.columns[position], choice, this.data);
  }

  explain(node) {
    if (!node) return this.tip.hide();
    const { left, width, bottom } = node.getBoundingClientRect();
    this.tip.show(this.describe(...placeOf(node)), {
      x: left + width / 2,
      y: bottom,
      gap: 6,
      zoom: this.root.currentCSSZoom ?? 1, // of the projector
    });
  }
}

const placeOf = (node) => node.dataset.at.split(",").map(Number);

const tint = (colour, percent) =>
  `color-mix(in srgb, ${colour} ${Math.round(percent)}%, var(--st-background-color))`;

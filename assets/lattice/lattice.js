// The word lattice: a column for each word, the original on top, its substitutes below, the current
// sentence as a path behind them. Pages build on this class; it knows nothing of Streamlit.
//
//   const lattice = new Lattice(element, { onPick(position, choice) {}, onEdit(kind, position, choice) {} });
//   lattice.set({ id, columns, labels, range, keep });   // draws
//   lattice.show(state, { shades, marks, moved });       // touches only what changed
const SVG = "http://www.w3.org/2000/svg";
const ROW = 32, PILL = 26, GAP = 14, LINE = 22, ROWS = 6, WORDS = 60, LETTERS = 18;

function make(tag, attributes, parent) {
  const node = document.createElementNS(SVG, tag);
  for (const name in attributes) node.setAttribute(name, attributes[name]);
  parent?.appendChild(node);
  return node;
}

function element(tag, className, text = "", parent = null) {
  const node = document.createElement(tag);
  node.className = className;
  node.textContent = text;
  parent?.appendChild(node);
  return node;
}

const short = (word) => (word.length > LETTERS ? word.slice(0, LETTERS - 1) + "…" : word);
const signed = (value) => (value < 0 ? "−" : "+") + Math.abs(value).toFixed(3);

// The least width of a line that needs no more lines than the whole width does, so that none is nearly empty.
function evenly(widths, whole, gap) {
  const lines = (limit) => {
    let count = 1, x = 0;
    for (const width of widths) {
      if (x > 0 && x + width > limit) (count += 1), (x = 0);
      x += width + gap;
    }
    return count;
  };
  const fewest = lines(whole);
  let limit = whole;
  while (fewest > 1 && limit > 80 && lines(limit - 20) === fewest) limit -= 20;
  return limit;
}

class Lattice {
  constructor(root, { onPick = null, onEdit = null } = {}) {
    Object.assign(this, { root, onPick, onEdit, editing: false });
    root.classList.add("lattice");
    this.map = element("div", "map", "", root);
    this.scroll = element("div", "scroll", "", root);
    this.scale = element("div", "scale", "lowers the score", root);
    this.scale.append(element("i", ""), "raises it, when swapped alone");
    this.tip = element("div", "tip", "", root);
    this.tip.setAttribute("role", "status");
    this.map.hidden = this.scale.hidden = this.tip.hidden = true;
    this.pen = document.createElement("canvas").getContext("2d");
    this.widths = new Map();
    this.first = 0; // the first word of the window
    this.open = new Set(); // columns that show all their substitutes
    this.pages = new Map(); // windows that are drawn already
    this.looks = new Map(); // what they showed when they were last seen
    this.extra = { shades: {}, marks: {}, moved: {} };
    this.observer = new ResizeObserver(() => this.data && this.width !== this.scroll.clientWidth && this.draw());
    this.observer.observe(this.scroll);
    const on = (kind, act) => this.scroll.addEventListener(kind, act);
    on("click", (event) => this.act(event));
    on("keydown", (event) => this.key(event));
    for (const kind of ["pointerover", "focusin"]) on(kind, (event) => this.tell(event.target.closest?.(".node")));
    for (const kind of ["pointerout", "focusout"]) on(kind, () => (this.tip.hidden = true));
  }

  destroy() {
    this.observer.disconnect();
  }

  set(data) {
    if (this.data?.id !== data.id) {
      this.first = 0;
      this.open.clear();
      this.state = data.columns.map(() => 0);
      this.focus = [Math.max(0, data.columns.findIndex((column) => column.choices.length > 1)), 0];
    }
    this.data = data;
    // Drawing anew takes the node away that a pointer may be down on, and with it the click.
    const picture = JSON.stringify([data.id, data.columns, data.labels, data.range, data.keep]);
    this.dirty ||= picture !== this.picture;
    this.picture = picture;
  }

  show(state, { shades = {}, marks = {}, moved = {} } = {}) {
    this.state = state.slice();
    this.extra = { shades, marks, moved };
    const places = Object.keys(moved).map(Number);
    if (places.length && !places.some((at) => this.inside(at))) this.window(places[0]);
    this.page();
  }

  // Draw the window; one that was drawn before is dressed anew where something has changed since then.
  page() {
    const known = this.dirty || this.width !== this.scroll.clientWidth ? null : this.pages.get(this.first);
    if (!known || this.state.some((choice, at) => this.inside(at) && !known.spots.has(`${at},${choice}`))) return this.draw();
    Object.assign(this, known);
    for (const name of this.touched(this.looks.get(this.first))) this.dress(name);
    this.looks.set(this.first, { state: this.state, extra: this.extra });
    this.path.setAttribute("d", this.road());
    this.drawMap();
    const svg = this.path.ownerSVGElement;
    if (this.scroll.firstChild !== svg) this.scroll.replaceChildren(svg);
  }

  touched({ state, extra }) {
    const names = new Set();
    for (const { shades, marks, moved } of [extra, this.extra]) {
      for (const name of [...Object.keys(shades), ...Object.keys(marks)]) names.add(name);
      for (const at of Object.keys(moved)) names.add(`${at},${this.state[at]}`);
    }
    this.state.forEach((choice, at) => {
      if (choice !== state[at]) names.add(`${at},${state[at]}`).add(`${at},${choice}`);
    });
    return names;
  }

  inside(at) {
    return at >= this.first && at < this.first + WORDS;
  }

  // Which choices of a column are drawn: the original, the current one, those to keep, and the first or the best.
  drawn(position) {
    const column = this.data.columns[position], all = [...column.choices.keys()];
    if (this.open.has(position) || all.length <= ROWS + 2) return all;
    const rest = all.slice(1);
    if (column.gains) rest.sort((a, b) => column.gains[b] - column.gains[a] || a - b);
    const kept = new Set([0, this.state[position], ...(this.data.keep?.[position] ?? []), ...rest.slice(0, ROWS)]);
    return all.filter((choice) => kept.has(choice));
  }

  measure(text) {
    if (!this.widths.has(text)) this.widths.set(text, this.pen.measureText(text).width);
    return this.widths.get(text);
  }

  draw(keepFocus = this.root.contains(this.root.getRootNode().activeElement)) {
    if (this.dirty || this.width !== this.scroll.clientWidth) this.pages.clear();
    this.dirty = false;
    this.width = this.scroll.clientWidth;
    this.pen.font = `500 14px ${getComputedStyle(this.root).fontFamily}`;
    this.makeMap();
    const svg = make("svg", { role: "group", "aria-label": "Word lattice" });
    this.path = make("path", { class: "path" }, svg);
    this.spots = new Map(); // "position,choice" -> where it is, and its group
    this.starts = new Set(); // the first word of each line
    const last = Math.min(this.first + WORDS, this.data.columns.length);
    const columns = [];
    for (let position = this.first; position < last; position += 1) {
      const column = this.data.columns[position], shown = this.drawn(position);
      const fixed = column.choices.length === 1 && !column.locked;
      const widest = Math.max(...shown.map((choice) => this.measure(short(column.choices[choice]))));
      columns.push({ position, column, shown, fixed, widest });
    }
    const padded = (space) => columns.map(({ fixed, widest }) => widest + (fixed ? 4 : space));
    const whole = (widths, gap) => widths.reduce((sum, width) => sum + width + gap, -gap);
    // A sentence that is only a little too long for one line stands closer instead of in two lines.
    const close = whole(padded(24), GAP) > this.width && whole(padded(14), GAP / 2) <= this.width;
    const gap = close ? GAP / 2 : GAP, widths = padded(close ? 14 : 24);
    const limit = evenly(widths, this.width, gap);
    let x = 0, y = 0, deepest = 0;
    for (const [number, { position, column, shown, fixed }] of columns.entries()) {
      const width = widths[number];
      if (x > 0 && x + width > limit) {
        x = 0;
        y += LINE + deepest * ROW + 12;
        deepest = 0;
      }
      if (x === 0) this.starts.add(position);
      shown.forEach((choice, row) => this.node(svg, position, choice, x + width / 2, y + LINE + (row + 0.5) * ROW, width, fixed));
      let rows = shown.length;
      if (shown.length < column.choices.length || this.open.has(position)) {
        this.more(svg, position, column.choices.length - shown.length, x + width / 2, y + LINE + (rows + 0.5) * ROW);
        rows += 1;
      }
      deepest = Math.max(deepest, rows);
      x += width + gap;
    }
    this.path.setAttribute("d", this.road());
    this.scale.hidden = !this.data.columns.some((column) => column.gains);
    svg.setAttribute("width", this.width);
    svg.setAttribute("height", y + LINE + deepest * ROW + 8);
    this.scroll.replaceChildren(svg);
    this.pages.set(this.first, { spots: this.spots, starts: this.starts, path: this.path });
    this.looks.set(this.first, { state: this.state, extra: this.extra });
    if (keepFocus) this.spots.get(this.focus.join())?.group.focus();
  }

  // The current sentence as a line through its words; always of the same shape, so that it can glide.
  road() {
    let road = "", before = null;
    for (let at = this.first; at < Math.min(this.first + WORDS, this.state.length); at += 1) {
      const { x, y, width } = this.spots.get(`${at},${this.state[at]}`);
      const left = x - width / 2 - 2, right = x + width / 2 + 2;
      if (this.starts.has(at)) road += ` M${left},${y}`;
      else road += ` C${(before[0] + left) / 2},${before[1]} ${(before[0] + left) / 2},${y} ${left},${y}`;
      road += ` L${right},${y}`;
      before = [right, y];
    }
    return road;
  }

  node(svg, position, choice, x, y, width, fixed) {
    const column = this.data.columns[position], name = `${position},${choice}`;
    const group = make("g", { transform: `translate(${x},${y})`, "data-at": name }, svg);
    make("rect", { x: -width / 2, y: -PILL / 2, width, height: PILL, rx: fixed ? 0 : PILL / 2 }, group);
    make("text", {}, group).textContent = short(column.choices[choice]);
    group.setAttribute("aria-label", this.words(position, choice).join(". "));
    this.spots.set(name, { x, y, width, group, fixed });
    this.dress(name);
  }

  // Give a node the look of its present part: on the path, shaded, marked, just moved.
  dress(name) {
    const spot = this.spots.get(name);
    if (!spot) return;
    const [position, choice] = name.split(",").map(Number), { group, fixed } = spot;
    const column = this.data.columns[position], on = this.state[position] === choice;
    const { shades = {}, marks = {}, moved = {} } = this.extra;
    const kinds = ["node", choice ? "" : "original", fixed ? "fixed" : "", on ? "on" : "", column.locked ? "locked" : "", marks[name] ?? "", on && moved[position] ? `moved ${moved[position]}` : ""];
    group.setAttribute("class", kinds.filter(Boolean).join(" "));
    const rect = group.firstChild, gain = column.gains?.[choice];
    rect.style.fill = on && choice ? "" : shades[name] != null ? this.tint("var(--st-primary-color)", 15 + 60 * shades[name]) : choice && gain != null ? this.shade(gain) : "";
    const usable = !fixed && (this.onPick || (this.editing && this.onEdit));
    group.setAttribute("role", usable ? "button" : "img");
    if (!usable && fixed) return;
    group.setAttribute("tabindex", this.focus.join() === name ? 0 : -1);
    if (usable) group.setAttribute("aria-pressed", on);
  }

  more(svg, position, hidden, x, y) {
    const text = hidden ? `+${hidden} more` : "fewer";
    const told = `${text}: substitutes of ${this.data.columns[position].choices[0]}`;
    const group = make("g", { class: "more", transform: `translate(${x},${y})`, role: "button", tabindex: 0, "aria-label": told, "data-more": position }, svg);
    make("text", {}, group).textContent = text;
  }

  act(event) {
    const node = event.target.closest(".node, .more");
    if (!node) return;
    if (node.dataset.more) {
      const position = Number(node.dataset.more);
      if (!this.open.delete(position)) this.open.add(position);
      return this.draw();
    }
    const [position, choice] = node.dataset.at.split(",").map(Number);
    if (node.classList.contains("fixed")) return;
    this.focus = [position, choice];
    if (this.editing) this.onEdit?.(choice ? "remove" : "lock", position, choice);
    else this.onPick?.(position, choice);
  }

  // One tab stop for the whole lattice: arrows walk, Enter swaps, Backspace restores the original,
  // L locks a word and Delete removes a substitute.
  key(event) {
    const node = event.target.closest(".node, .more");
    if (!node || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "Enter" || event.key === " ") return (event.preventDefault(), event.stopPropagation(), this.act(event));
    if (!node.dataset.at) return;
    const [position, choice] = node.dataset.at.split(",").map(Number), columns = this.data.columns;
    const walk = (to, step) => {
      while (columns[to] && columns[to].choices.length === 1 && !columns[to].locked) to += step;
      return columns[to] ? to : position;
    };
    const shown = this.drawn(position), row = shown.indexOf(choice);
    const to = { ArrowRight: () => walk(position + 1, 1), ArrowLeft: () => walk(position - 1, -1) }[event.key]?.();
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (to != null) this.go(to, to === position ? choice : this.state[to]);
    else if (step) this.go(position, shown[Math.max(0, Math.min(row + step, shown.length - 1))]);
    else if (event.key === "Backspace" && this.onPick) this.onPick(position, 0);
    else if (event.key === "l" && this.onEdit) this.onEdit("lock", position, 0);
    else if (event.key === "Delete" && choice && this.onEdit) this.onEdit("remove", position, choice);
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  go(position, choice) {
    this.spots.get(this.focus.join())?.group.setAttribute("tabindex", -1);
    this.focus = [position, choice];
    if (!this.inside(position)) (this.window(position), this.page());
    const group = this.spots.get(this.focus.join())?.group;
    group?.setAttribute("tabindex", 0);
    group?.focus();
  }

  window(position) {
    this.first = position - (position % WORDS);
  }

  // A minimap for texts that do not fit into one window: a tick for each word, as tall as its column.
  makeMap() {
    const columns = this.data.columns;
    this.map.hidden = columns.length <= WORDS;
    this.map.replaceChildren();
    if (this.map.hidden) return;
    const tallest = Math.max(...columns.map((column) => column.choices.length));
    for (let start = 0; start < columns.length; start += WORDS) {
      const button = element("button", "", "", this.map), end = Math.min(start + WORDS, columns.length);
      element("span", "", "", button);
      button.addEventListener("click", () => (this.window(start), this.page()));
      const ticks = make("svg", { width: 2 * (end - start), height: 18, "aria-hidden": true }, button);
      for (let at = start; at < end; at += 1) {
        const height = 1 + 16 * (columns[at].choices.length - 1) / (tallest - 1 || 1);
        make("rect", { x: 2 * (at - start), y: 18 - height, width: 1.5, height, class: "tick" }, ticks);
      }
    }
    this.drawMap();
  }

  drawMap() {
    [...this.map.children].forEach((button, number) => {
      const start = number * WORDS, words = this.state.slice(start, start + WORDS), changed = words.filter(Boolean).length;
      const [told, ticks] = button.children, text = `${start + 1}–${start + words.length}${changed ? ` · ${changed} changed` : ""}`;
      if (told.textContent !== text) told.textContent = text;
      button.setAttribute("aria-pressed", start === this.first);
      words.forEach((choice, at) => ticks.children[at].classList.toggle("changed", choice > 0));
    });
  }

  tint(colour, percent) {
    return `color-mix(in srgb, ${colour} ${Math.round(percent)}%, var(--st-background-color))`;
  }

  shade(gain) {
    const strength = gain === 0 ? 0 : 12 + 60 * Math.min(1, Math.abs(gain) / (this.data.range || 1));
    return this.tint(gain > 0 ? "var(--up)" : "var(--down)", strength);
  }

  words(position, choice) {
    const column = this.data.columns[position], gain = column.gains?.[choice];
    const told = [column.choices[choice]];
    if (column.locked) told.push("locked: stays as it is");
    else if (column.choices.length === 1) told.push(column.note ? `no substitutes: ${column.note}` : "no substitutes");
    else if (!choice) told.push("the original word");
    if (column.reasons?.[choice]) told.push(column.reasons[choice]);
    if (choice && gain != null) told.push(`alone it changes the score by ${signed(gain)}, to ${((this.data.base ?? 0) + gain).toFixed(3)}`);
    const shifts = choice ? column.shifts?.[choice] : null;
    if (shifts) told.push(this.data.labels.map((label, k) => `P(${label}) ${signed(shifts[k])}`).join(", "));
    return told;
  }

  tell(group) {
    this.tip.hidden = !group;
    if (!group) return;
    const lines = this.words(...group.dataset.at.split(",").map(Number));
    this.tip.replaceChildren(...lines.map((line, index) => element(index ? "div" : "strong", "", line)));
    const box = group.getBoundingClientRect(), frame = this.root.getBoundingClientRect();
    const zoom = this.root.currentCSSZoom ?? 1; // of the projector; boxes are measured on the screen
    const left = (box.left - frame.left + box.width / 2) / zoom - this.tip.offsetWidth / 2;
    this.tip.style.left = `${Math.max(0, Math.min(left, frame.width / zoom - this.tip.offsetWidth))}px`;
    this.tip.style.top = `${(box.bottom - frame.top) / zoom + 6}px`;
  }
}

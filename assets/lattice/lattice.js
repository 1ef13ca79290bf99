// The word lattice: a column for each word, the original on top, its substitutes below, the current
// sentence as a path behind them. It sends the whole selection, never single clicks, so that quick
// clicks cannot be lost; `turn` tells an old answer of the server from a new one.
const SVG = "http://www.w3.org/2000/svg";
const ROW = 32, PILL = 26, GAP = 14, LINE = 22, ROWS = 6, WORDS = 120, LETTERS = 18;
const lattices = new WeakMap();

export default function ({ data, parentElement, setStateValue }) {
  const root = parentElement.querySelector(".lattice");
  let lattice = lattices.get(root);
  if (!lattice) lattices.set(root, (lattice = new Lattice(root)));
  lattice.send = setStateValue;
  lattice.update(data);
  return () => lattice.observer.disconnect();
}

function make(tag, attributes, parent) {
  const node = document.createElementNS(SVG, tag);
  for (const name in attributes) node.setAttribute(name, attributes[name]);
  parent?.appendChild(node);
  return node;
}

const short = (word) => (word.length > LETTERS ? word.slice(0, LETTERS - 1) + "…" : word);
const signed = (value) => (value < 0 ? "−" : "+") + Math.abs(value).toFixed(3);

class Lattice {
  constructor(root) {
    this.root = root;
    this.map = root.querySelector(".map");
    this.scroll = root.querySelector(".scroll");
    this.tip = root.querySelector(".tip");
    this.scale = root.querySelector(".scale");
    this.pen = document.createElement("canvas").getContext("2d");
    this.turn = 0;
    this.first = 0; // the first word of the window
    this.open = new Set(); // columns that show all their substitutes
    this.observer = new ResizeObserver(() => this.width !== this.scroll.clientWidth && this.draw());
    this.observer.observe(this.scroll);
  }

  update(data) {
    const other = this.data?.id !== data.id;
    this.data = data;
    if (other) {
      this.first = 0;
      this.open.clear();
      this.focus = [data.columns.findIndex((column) => column.choices.length > 1), 0];
    }
    if (other || data.turn >= this.turn) {
      this.state = data.state.slice();
      this.turn = data.turn;
    }
    this.draw();
  }

  pick(position, choice) {
    if (this.state[position] === choice) return;
    this.state[position] = choice;
    this.focus = [position, choice];
    this.turn += 1;
    this.draw(true);
    this.send("picked", { id: this.data.id, turn: this.turn, state: this.state });
  }

  // Which choices of a column are shown: the original, the current one, and the first or the best.
  shown(column, position) {
    const all = [...column.choices.keys()];
    if (this.open.has(position) || all.length <= ROWS + 2) return all;
    const rest = all.slice(1);
    if (column.gains) rest.sort((a, b) => column.gains[b] - column.gains[a] || a - b);
    const kept = new Set([0, this.state[position], ...rest.slice(0, ROWS)]);
    return all.filter((choice) => kept.has(choice));
  }

  draw(keepFocus = this.root.contains(this.root.getRootNode().activeElement)) {
    this.width = this.scroll.clientWidth || 800;
    this.drawMap();
    this.scroll.querySelector("svg")?.remove();
    const svg = make("svg", { role: "group", "aria-label": "Word lattice" });
    this.path = make("path", { class: "path" }, svg);
    this.nodes = new Map();
    const style = getComputedStyle(this.root);
    this.pen.font = `500 14px ${style.fontFamily}`;
    const measure = (text) => this.pen.measureText(text).width;
    const last = Math.min(this.first + WORDS, this.data.columns.length);
    let x = 0, y = 0, deepest = 0, road = "", before = null;
    for (let position = this.first; position < last; position += 1) {
      const column = this.data.columns[position];
      const shown = this.shown(column, position);
      const fixed = column.choices.length === 1;
      const wide = Math.max(...shown.map((choice) => measure(short(column.choices[choice]))));
      const width = wide + (fixed ? 4 : 24);
      if (x > 0 && x + width > this.width) {
        x = 0;
        y += LINE + deepest * ROW + 12;
        deepest = 0;
        before = null;
      }
      const middle = x + width / 2;
      shown.forEach((choice, row) => {
        const cy = y + LINE + row * ROW + ROW / 2;
        this.node(svg, position, choice, middle, cy, width, fixed);
        if (choice !== this.state[position]) return;
        const left = x - 2, right = x + width + 2;
        road += before
          ? ` C${(before[0] + left) / 2},${before[1]} ${(before[0] + left) / 2},${cy} ${left},${cy}`
          : ` M${left},${cy}`;
        road += ` L${right},${cy}`;
        before = [right, cy];
      });
      let rows = shown.length;
      if (shown.length < column.choices.length || this.open.has(position)) {
        this.more(svg, position, column.choices.length - shown.length, middle, y + LINE + rows * ROW);
        rows += 1;
      }
      deepest = Math.max(deepest, rows);
      x += width + GAP;
    }
    this.path.setAttribute("d", road);
    this.scale.hidden = !this.data.columns.some((column) => column.gains);
    svg.setAttribute("width", this.width);
    svg.setAttribute("height", y + LINE + deepest * ROW + 8);
    this.scroll.appendChild(svg);
    if (keepFocus) this.nodes.get(this.focus.join())?.focus();
  }

  node(svg, position, choice, x, y, width, fixed) {
    const column = this.data.columns[position], word = column.choices[choice];
    const on = this.state[position] === choice, gain = column.gains?.[choice];
    const kinds = ["node", choice ? "" : "original", fixed ? "fixed" : "", on ? "on" : ""];
    const group = make("g", { class: kinds.join(" "), transform: `translate(${x},${y})` }, svg);
    const box = { x: -width / 2, y: -PILL / 2, width, height: PILL, rx: fixed ? 0 : PILL / 2 };
    const pill = make("rect", box, group);
    if (choice && gain != null && !on) pill.style.fill = this.shade(gain);
    make("text", {}, group).textContent = short(word);
    const told = this.words(position, choice);
    group.setAttribute("aria-label", told.join(". "));
    group.addEventListener("pointerenter", () => this.tell(group, told));
    group.addEventListener("pointerleave", () => (this.tip.hidden = true));
    if (fixed) return group.setAttribute("role", "img");
    const [column0, choice0] = this.focus;
    const here = column0 === position && choice0 === choice;
    group.setAttribute("role", "button");
    group.setAttribute("aria-pressed", on);
    group.setAttribute("tabindex", here ? 0 : -1);
    group.addEventListener("click", () => this.pick(position, choice));
    group.addEventListener("focus", () => this.tell(group, told));
    group.addEventListener("blur", () => (this.tip.hidden = true));
    group.addEventListener("keydown", (event) => this.key(event, position, choice));
    this.nodes.set([position, choice].join(), group);
  }

  more(svg, position, hidden, x, y) {
    const group = make("g", { class: "more", transform: `translate(${x},${y + ROW / 2})` }, svg);
    const text = hidden ? `+${hidden} more` : "fewer";
    make("text", {}, group).textContent = text;
    const word = this.data.columns[position].choices[0];
    for (const [name, value] of [["role", "button"], ["tabindex", 0]]) group.setAttribute(name, value);
    group.setAttribute("aria-label", `${text}: substitutes of ${word}`);
    const toggle = () => {
      if (!this.open.delete(position)) this.open.add(position);
      this.draw();
    };
    group.addEventListener("click", toggle);
    group.addEventListener("keydown", (event) => {
      if (event.key === "Enter" || event.key === " ") (event.preventDefault(), toggle());
    });
  }

  // One tab stop for the whole lattice; arrows walk, Enter swaps, Backspace restores the original.
  key(event, position, choice) {
    const columns = this.data.columns;
    const walk = (to, step) => {
      while (columns[to] && columns[to].choices.length === 1) to += step;
      return columns[to] ? to : position;
    };
    const shown = this.shown(columns[position], position), row = shown.indexOf(choice);
    const moves = {
      ArrowRight: () => [walk(position + 1, 1), 0],
      ArrowLeft: () => [walk(position - 1, -1), 0],
      ArrowDown: () => [position, shown[Math.min(row + 1, shown.length - 1)]],
      ArrowUp: () => [position, shown[Math.max(row - 1, 0)]],
    };
    if (moves[event.key]) {
      event.preventDefault();
      const [to, target] = moves[event.key]();
      const next = to === position ? target : this.state[to];
      this.nodes.get(this.focus.join())?.setAttribute("tabindex", -1);
      this.focus = [to, next];
      if (to < this.first || to >= this.first + WORDS) this.show(to);
      const node = this.nodes.get(this.focus.join());
      node?.setAttribute("tabindex", 0);
      node?.focus();
    } else if (event.key === "Enter" || event.key === " ") {
      event.preventDefault();
      this.pick(position, choice);
    } else if (event.key === "Backspace") {
      event.preventDefault();
      this.pick(position, 0);
    }
  }

  // A minimap for texts that do not fit into one window; a click shows that part.
  drawMap() {
    const columns = this.data.columns;
    this.map.hidden = columns.length <= WORDS;
    this.map.replaceChildren();
    if (this.map.hidden) return;
    for (let start = 0; start < columns.length; start += WORDS) {
      const button = document.createElement("button");
      const end = Math.min(start + WORDS, columns.length);
      const changed = this.state.slice(start, end).filter(Boolean).length;
      button.textContent = `${start + 1}–${end}${changed ? ` · ${changed} changed` : ""}`;
      button.setAttribute("aria-pressed", start === this.first);
      button.addEventListener("click", () => this.show(start));
      this.map.appendChild(button);
    }
  }

  show(position) {
    this.first = position - (position % WORDS);
    this.draw();
  }

  shade(gain) {
    const strength = Math.round(12 + 60 * Math.min(1, Math.abs(gain) / (this.data.range || 1)));
    const colour = gain > 0 ? "var(--up)" : "var(--down)";
    return `color-mix(in srgb, ${colour} ${gain === 0 ? 0 : strength}%, var(--st-background-color))`;
  }

  words(position, choice) {
    const column = this.data.columns[position], gain = column.gains?.[choice];
    const told = [column.choices[choice]];
    if (column.choices.length === 1) told.push(column.note ? `no substitutes: ${column.note}` : "no substitutes");
    else if (!choice) told.push("the original word");
    if (column.reasons?.[choice]) told.push(column.reasons[choice]);
    if (choice && gain != null) told.push(`alone it changes the score by ${signed(gain)}`);
    const shifts = choice ? column.shifts?.[choice] : null;
    if (shifts) told.push(this.data.labels.map((label, k) => `P(${label}) ${signed(shifts[k])}`).join(", "));
    return told;
  }

  tell(group, told) {
    this.tip.replaceChildren(
      ...told.map((line, index) => {
        const part = document.createElement(index ? "div" : "strong");
        part.textContent = line;
        return part;
      }),
    );
    this.tip.hidden = false;
    const box = group.getBoundingClientRect(), frame = this.root.getBoundingClientRect();
    const left = box.left - frame.left + box.width / 2 - this.tip.offsetWidth / 2;
    this.tip.style.left = `${Math.max(0, Math.min(left, frame.width - this.tip.offsetWidth))}px`;
    this.tip.style.top = `${box.bottom - frame.top + 6}px`;
  }
}

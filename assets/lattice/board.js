// The board of a race: every lattice and text at the same number of queries. The slider moves them in
// the browser at once; the server is told where it was left, so that the curves can follow.
const boards = new WeakMap();
const REST = 200; // milliseconds without a move, before the server is told

export default function ({ data, parentElement, setStateValue }) {
  const root = parentElement.querySelector(".board");
  let board = boards.get(root);
  if (!board) boards.set(root, (board = new Board(root)));
  board.send = setStateValue;
  board.update(data);
  return () => board.destroy();
}

class Board {
  constructor(root) {
    this.slider = root.querySelector("input");
    this.output = root.querySelector("output");
    this.place = root.querySelector(".lanes");
    this.lanes = new Map();
    this.slider.addEventListener("input", () => this.move(Number(this.slider.value)));
  }

  destroy() {
    clearTimeout(this.timer);
    for (const lane of this.lanes.values()) lane.lattice.destroy();
  }

  update(data) {
    const other = this.data?.id !== data.id;
    this.data = data;
    if (other) {
      clearTimeout(this.timer);
      for (const lane of this.lanes.values()) (lane.lattice.destroy(), lane.root.remove());
      this.lanes.clear();
      this.at = data.at;
      this.told = data.at;
    }
    // An old answer of the server must not pull back a cursor that has moved on since.
    if (data.at !== this.told && this.timer == null) this.at = this.told = data.at;
    this.slider.max = data.most;
    for (const lane of data.lanes) this.lane(lane);
    this.draw();
  }

  lane(data) {
    let lane = this.lanes.get(data.search);
    if (!lane) {
      const root = element("section", "lane", "", this.place);
      root.setAttribute("aria-label", data.name);
      root.style.setProperty("--lane", data.colour);
      const head = element("h4", "", "", root);
      head.append(sample(data.dash), data.name);
      const facts = element("p", "facts", "", root), text = element("p", "text", "", root);
      text.dir = "auto";
      const lattice = new Lattice(element("div", "", "", root));
      if (data.population) element("p", "note", "The darker a word, the more of the population has it.", root);
      this.lanes.set(data.search, (lane = { root, facts, text, lattice }));
    }
    const columns = JSON.stringify(this.data.columns.map((column) => column.choices));
    const grown = lane.data?.frames.length !== data.frames.length || lane.columns !== columns;
    lane.data = data;
    lane.columns = columns;
    if (grown) lane.lattice.set({ id: this.data.id, columns: this.data.columns, labels: [], range: 0 });
    if (grown) lane.frame = null;
  }

  move(at) {
    this.at = at;
    this.draw();
    clearTimeout(this.timer);
    this.timer = setTimeout(() => {
      this.timer = null;
      this.told = this.at;
      this.send("at", this.at);
    }, REST);
  }

  draw() {
    const at = Math.min(this.at ?? this.data.most, this.data.most);
    this.slider.value = at;
    this.output.textContent = `${at.toLocaleString("en")} ${at === 1 ? "query" : "queries"}`;
    for (const { search } of this.data.lanes) this.show(this.lanes.get(search), at);
  }

  // What a search holds at that many queries: the sentence of the last step that was done by then.
  show(lane, at) {
    const { frames, end } = lane.data;
    const frame = frames.findLast((one) => one.queries <= at) ?? frames[0];
    if (lane.frame === frame && lane.end === end) return;
    lane.frame = frame;
    lane.end = end;
    const words = this.data.columns.length, over = frame.changed > this.data.allowed;
    const facts = [`score ${frame.score.toFixed(3)}`, `${frame.changed} of ${words} words changed`, `step at ${frame.queries.toLocaleString("en")} queries`];
    lane.facts.replaceChildren(...facts.map((fact, i) => element("span", i === 0 && lane.data.unseen ? "unseen" : "", fact)));
    if (frame.flips) lane.facts.append(element("span", over ? "flips over" : "flips", over ? "★ flips, with too many words" : "★ flips the label"));
    if (frame === frames.at(-1) && end && !frame.flips) lane.facts.append(element("span", "", end));
    lane.text.replaceChildren(...this.words(frame.state));
    lane.lattice.show(frame.state, { shades: frame.shades });
  }

  words(state) {
    const parts = [this.data.gaps[0]];
    state.forEach((choice, at) => {
      const { choices } = this.data.columns[at];
      if (choice) {
        const mark = element("mark", "", choices[choice]);
        mark.title = `was: ${choices[0]}`;
        parts.push(mark);
      } else parts.push(choices[0]);
      parts.push(this.data.gaps[at + 1]);
    });
    return parts;
  }
}

const DASHES = { solid: "", dash: "9 6", dot: "2 4", dashdot: "9 4 2 4", longdash: "14 6", longdashdot: "14 4 2 4" };

// The search's line as the curves draw it.
function sample(dash) {
  const svg = make("svg", { width: 34, height: 12, "aria-hidden": true });
  make("line", { x1: 0, x2: 34, y1: 6, y2: 6, "stroke-dasharray": DASHES[dash] }, svg);
  return svg;
}

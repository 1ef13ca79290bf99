import { element, shape } from "./dom.js";
import { Lattice } from "./lattice.js";
import { mount } from "./mount.js";
import { counted, decimals } from "./numbers.js";
import { showSentence } from "./sentence.js";

const STILL = 200; // milliseconds without a move, before the page is told

const DASHES = {
  solid: "",
  dash: "9 6",
  dot: "2 4",
  dashdot: "9 4 2 4",
  longdash: "14 6",
  longdashdot: "14 4 2 4",
};

// The board of a race: every lattice and text at the same number of queries. The slider moves them
// in the browser at once; the page is told where it was left, so that the curves can follow.
export class Board {
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
    const isOther = this.data?.id !== data.id;
    this.data = data;
    if (isOther) {
      this.destroy();
      this.timer = null;
      this.place.replaceChildren();
      this.lanes.clear();
      this.at = data.at;
      this.sent = data.at;
    }
    // An old answer of the server must not pull back a cursor that has moved on since.
    if (data.at !== this.sent && this.timer == null) this.at = this.sent = data.at;
    this.slider.max = data.most;
    for (const lane of data.lanes) this.updateLane(lane);
    this.draw();
  }

  updateLane(data) {
    if (!this.lanes.has(data.search)) this.lanes.set(data.search, this.addLane(data));
    const lane = this.lanes.get(data.search);
    const columns = JSON.stringify(this.data.columns.map(({ choices }) => choices));
    const isGrown = lane.data?.frames.length !== data.frames.length || lane.columns !== columns;
    lane.data = data;
    lane.columns = columns;
    if (!isGrown) return;
    lane.lattice.set({ id: this.data.id, columns: this.data.columns, labels: [], range: 0 });
    lane.frame = null;
  }

  addLane({ name, colour, dash, population }) {
    const facts = element("p", { class: "facts" });
    const text = element("p", { class: "text", dir: "auto" });
    const stage = element("div");
    const head = element("h4", {}, lineSample(dash), name);
    const lane = element(
      "section",
      { class: "lane", "aria-label": name },
      head,
      facts,
      text,
      stage,
    );
    lane.style.setProperty("--lane", colour);
    this.place.append(lane);
    const lattice = new Lattice(stage);
    const meaning = "The darker a word, the more of the population has it.";
    if (population) lane.append(element("p", { class: "note", text: meaning }));
    return { facts, text, lattice };
  }

  move(at) {
    this.at = at;
    this.draw();
    clearTimeout(this.timer);
    this.timer = setTimeout(() => {
      this.timer = null;
      this.sent = this.at;
      this.page.setStateValue("at", this.at);
    }, STILL);
  }

  draw() {
    const at = Math.min(this.at ?? this.data.most, this.data.most);
    this.slider.value = at;
    this.output.textContent = counted(at, ["query", "queries"]);
    for (const { search } of this.data.lanes) this.drawLane(this.lanes.get(search), at);
  }

  drawLane(lane, at) {
    const frame = frameAt(lane.data.frames, at);
    if (lane.frame === frame && lane.end === lane.data.end) return;
    lane.frame = frame;
    lane.end = lane.data.end;
    const facts = factsOf(frame, lane.data, this.data);
    lane.facts.replaceChildren(
      ...facts.map(({ text, kind }) => element("span", { class: kind, text })),
    );
    showSentence(lane.text, this.data, frame.state);
    lane.lattice.show(frame.state, { shades: frame.shades });
  }
}

// What a search holds at that many queries: the sentence of the last step that was done by then.
export const frameAt = (frames, queries) =>
  frames.findLast((frame) => frame.queries <= queries) ?? frames[0];

// What is said of a search at a frame; some facts have a kind, which gives them their look.
export function factsOf(frame, lane, { columns, allowed }) {
  const { frames, end, success, over, unseen, measure, digits } = lane;
  const words = columns.length;
  const facts = [
    { text: `${measure} ${decimals(frame.score, digits)}`, kind: unseen ? "unseen" : null },
    { text: `${frame.changed} of ${words} words changed` },
    { text: `step at ${frame.queries.toLocaleString("en")} queries` },
  ];
  const isOver = frame.changed > allowed;
  if (frame.flips && isOver) {
    facts.push({ text: over, kind: "over" });
  } else if (frame.flips) facts.push({ text: `★ ${success}`, kind: "flips" });
  else if (end && frame === frames.at(-1)) facts.push({ text: end });
  return facts;
}

// The search's line as the curves draw it.
function lineSample(dash) {
  const line = { x1: 0, x2: 34, y1: 6, y2: 6, "stroke-dasharray": DASHES[dash] };
  return shape("svg", { width: 34, height: 12, "aria-hidden": true }, shape("line", line));
}

export const mountBoard = mount(".board", Board);

// Stepping through a trace: everything plays here, in the browser; Python is only told the step.
// User text enters the page through textContent alone.
const PAUSE = 1600, TELL = 250, DOT = 8, LANE = 54, FOOT = 40, REACH = 14, SCALE = 1e5;
const STEP_NAMES = { start: "Start", insert: "Insertion", delete: "Deletion", exchange: "Exchange", complement: "Complement", rank: "Ranking", init: "First population", generation: "Generation", stop: "Stop", end: "Answer" };
const SIGNS = { insert: "+", delete: "−", exchange: "⇄" };
const LANES = { insert: ["insertion", "insertions"], delete: ["deletion", "deletions"], exchange: ["exchange", "exchanges"], several: ["whole sentence", "whole sentences"], hide: ["sentence with a hidden word", "sentences with hidden words"], same: ["unchanged", "unchanged"] };
const ONE_WORD = ["insert", "delete", "exchange"];
const steppers = new WeakMap();

export default function ({ data, parentElement, setStateValue }) {
  const root = parentElement.querySelector(".stepper");
  let stepper = steppers.get(root);
  if (!stepper) steppers.set(root, (stepper = new Stepper(root)));
  stepper.tell = (step) => setStateValue("step", step);
  stepper.update(data);
  return () => stepper.destroy();
}

const fixed = (value) => value.toFixed(3);
const count = (number, [one, many]) => `${number.toLocaleString("en")} ${number === 1 ? one : many}`;

class Stepper {
  constructor(root) {
    this.root = root;
    this.find = (name) => root.querySelector(name);
    this.predicting = false;
    this.lattice = new Lattice(this.find(".stage"));
    this.tip = root.querySelector(":scope > .tip");
    this.scrub = this.find(".scrub");
    this.canvas = element("canvas", "");
    this.canvas.setAttribute("aria-hidden", true);
    this.canvas.getContext("2d", { willReadFrequently: true }); // drawn by the processor: no round trips
    const on = (name, act, kind = "click") => this.find(name).addEventListener(kind, act);
    on(".first", () => this.go(0));
    on(".back", () => this.go(this.at - 1));
    on(".play", () => this.play(!this.timer));
    on(".next", () => this.go(this.at + 1));
    on(".last", () => this.go(this.data.steps.length - 1));
    on(".scrub", () => this.go(Number(this.scrub.value)), "input");
    on(".predict", () => this.predict(!this.predicting));
    on(".project", () => this.project(!this.projecting));
    on(".plot", (event) => this.hover(event), "pointermove");
    on(".plot", () => (this.tip.hidden = true), "pointerleave");
    root.addEventListener("focusout", ({ relatedTarget }) => {
      if (this.projecting && relatedTarget && !root.contains(relatedTarget)) this.find(".project").focus(); // nothing else is in sight
    });
    this.onKey = (event) => this.key(event);
    this.observer = new ResizeObserver(([{ contentRect }]) => {
      if (Math.round(contentRect.width) === this.plotWidth) return;
      this.plotWidth = Math.round(contentRect.width);
      if (this.data) this.drawPlot();
    });
  }

  destroy() {
    this.play(false);
    this.lattice.destroy();
    this.observer.disconnect();
    window.removeEventListener("keydown", this.onKey);
  }

  update(data) {
    window.addEventListener("keydown", this.onKey);
    this.observer.observe(this.find(".strip"));
    if (this.data?.id === data.id) return;
    this.data = data;
    this.scrub.max = data.steps.length - 1;
    this.root.classList.toggle("unseen", Boolean(data.unseen));
    this.find(".code").hidden = !data.code.length;
    this.find(".code ol").replaceChildren(...data.code.map(([number, indent, text]) => this.line(number, indent, text)));
    const predict = this.find(".predict");
    predict.disabled = Boolean(data.no_guess);
    predict.title = data.no_guess || "Guess each move before it is shown";
    this.find(".beads").replaceChildren(...data.steps.map((step) => element("i", `bead ${step.kind}`)));
    this.predict(this.predicting && !data.no_guess);
    this.play(false);
    this.at = null;
    this.go(data.start, false);
  }

  line(number, indent, text) {
    const item = element("li", text.startsWith("—") ? "remark" : "");
    item.style.setProperty("--indent", indent);
    item.append(element("b", "", number), element("span", "", text));
    return item;
  }

  // --- moving -------------------------------------------------------------------------------

  go(step, told = true) {
    const at = Math.max(0, Math.min(step, this.data.steps.length - 1));
    if (at === this.at) return;
    this.at = at;
    this.find(".verdict").textContent = "";
    this.draw();
    if (!told) return;
    clearTimeout(this.telling);
    this.telling = setTimeout(() => this.tell(this.at), TELL);
  }

  play(on) {
    clearTimeout(this.timer);
    this.timer = null;
    if (on && this.at === this.data.steps.length - 1) this.go(0);
    if (on) this.timer = setTimeout(() => this.beat(), PAUSE / Number(this.find(".speed").value));
    const button = this.find(".play");
    button.setAttribute("aria-label", on ? "Pause" : "Play");
    button.classList.toggle("on", on);
  }

  beat() {
    this.go(this.at + 1);
    this.play(this.at < this.data.steps.length - 1);
  }

  // Keys work in the stepper, and anywhere else as long as nothing on the page has the focus.
  key(event) {
    const path = event.composedPath(), target = path[0], inside = path.includes(this.root);
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
    if (!inside && target !== document.body) return;
    if (event.key === "Escape" && this.projecting) return this.project(false);
    const tag = target.tagName, range = target === this.scrub;
    if (tag === "SELECT" || tag === "TEXTAREA" || (tag === "INPUT" && !range)) return;
    if (event.key === " " && tag !== "BUTTON" && !this.predicting) this.play(!this.timer);
    else if (range) return;
    else if (event.key === "ArrowRight") this.go(this.at + 1);
    else if (event.key === "ArrowLeft") this.go(this.at - 1);
    else if (event.key === "Home") this.go(0);
    else if (event.key === "End") this.go(this.data.steps.length - 1);
    else return;
    event.preventDefault();
  }

  // --- drawing ------------------------------------------------------------------------------

  get step() {
    return this.data.steps[this.at];
  }

  draw() {
    const step = this.step, last = this.data.steps.length - 1;
    this.root.dataset.step = this.at;
    this.scrub.value = this.at;
    this.scrub.style.setProperty("--done", `${100 * this.at / last}%`);
    this.scrub.setAttribute("aria-valuetext", `Step ${this.at} of ${last}: ${STEP_NAMES[step.kind]}`);
    this.find(".where").textContent = `Step ${this.at} of ${last}`;
    for (const name of [".first", ".back"]) this.find(name).disabled = this.at === 0;
    for (const name of [".next", ".last"]) this.find(name).disabled = this.at === last;
    [...this.find(".beads").children].forEach((bead, index) => bead.classList.toggle("here", index === this.at));
    const kind = this.find(".kind");
    kind.className = `kind ${step.kind}`;
    kind.textContent = SIGNS[step.kind] ?? STEP_NAMES[step.kind];
    kind.setAttribute("aria-hidden", step.kind in SIGNS); // the sentence says it too
    this.find(".said").textContent = step.said;
    this.drawText();
    this.drawCounts();
    this.drawLattice();
    this.drawCode();
    this.drawPlot();
    const ending = this.at === last;
    this.find(".ending").hidden = !ending;
    this.find(".certificate").textContent = this.data.certificate;
    this.find(".ending .complement").textContent = this.data.complement;
    if (this.predicting) this.drawGuess();
  }

  drawText() {
    const { columns, gaps } = this.data, { state, moved } = this.step, parts = [gaps[0]];
    columns.forEach((column, at) => {
      const word = column.choices[state[at]], kind = moved[at];
      if (!state[at] && !kind) parts.push(word);
      else {
        const mark = element(state[at] ? "mark" : "span", kind ? `moved ${kind}` : "", word);
        if (state[at]) mark.title = `was: ${column.choices[0]}`;
        parts.push(mark);
      }
      parts.push(gaps[at + 1]);
    });
    this.find(".text").replaceChildren(...parts);
  }

  drawCounts() {
    const { score, success, state, queries, requests } = this.step;
    const before = this.at ? this.data.steps[this.at - 1].score : score, gain = score - before;
    const rows = [
      ["Score", fixed(score), gain ? signed(gain) : success ? "goal reached" : "", gain > 0 ? "up" : gain < 0 ? "down" : ""],
      ["Words changed", state.filter(Boolean).length, `of ${state.length}`, ""],
      ["Queries", queries.toLocaleString("en"), "distinct texts", ""],
      ["Requests", requests.toLocaleString("en"), "as the paper counts", ""],
    ];
    this.find(".counts").replaceChildren(
      ...rows.map(([name, value, more, mood]) => {
        const cell = element("div", "");
        const number = element("dd", "", value);
        if (more) number.append(element("small", mood, more));
        cell.append(element("dt", "", name), number);
        return cell;
      }),
    );
  }

  drawLattice() {
    const { columns, id, labels, range, base, keep, population } = this.data, step = this.step;
    const bare = this.predicting || Boolean(population); // what a word gains alone would give the move away
    if (this.latticeOf !== `${id} ${bare}`) {
      this.latticeOf = `${id} ${bare}`;
      const shown = bare ? columns.map(({ choices, reasons, note }) => ({ choices, reasons, note })) : columns;
      this.lattice.set({ id, columns: shown, labels, range, base, keep });
    }
    const shades = {};
    for (const name in step.shades) shades[name] = Math.sqrt(step.shades[name]); // small shares stay visible
    this.lattice.show(step.state, { shades, marks: step.marks, moved: step.moved });
    this.find(".legend").textContent = [this.data.unseen, population, this.data.no_guess && `Predict is off. ${this.data.no_guess}`].filter(Boolean).join(" ");
  }

  drawCode() {
    [...this.find(".code ol").children].forEach((item, index) => {
      const on = this.step.lines.includes(index + 1);
      item.classList.toggle("on", on);
      on ? item.setAttribute("aria-current", "step") : item.removeAttribute("aria-current");
    });
  }

  // Every move that was tried as a dot: a lane for each kind, its gain to the right.
  drawPlot() {
    const { kinds } = this.data, { moves, chosen, threshold } = this.step, plot = this.find(".plot");
    const tried = this.at ? Object.values(moves).reduce((sum, { gain }) => sum + gain.length, 0) : 0;
    const idle = this.at ? "Nothing new is tried in this step" : "Only the original sentence is scored";
    this.find(".strip h3").textContent = tried ? `${count(tried, ["change", "changes"])} tried in this step` : idle;
    this.points = [];
    plot.hidden = !tried;
    if (!tried || !this.plotWidth) return plot.replaceChildren();
    const known = Object.values(moves).flatMap(({ gain }) => gain.filter((value) => value != null)).map((value) => value / SCALE);
    const line = threshold ?? 0, low = known.reduce((a, b) => Math.min(a, b), line), high = known.reduce((a, b) => Math.max(a, b), line);
    const room = (high - low || 0.1) * 0.06, left = low - room, right = high + room;
    const x = (gain) => 8 + (this.plotWidth - 16) * (gain - left) / (right - left);
    const shown = kinds.length ? kinds.filter((kind) => moves[kind] || ONE_WORD.includes(kind)) : Object.keys(moves);
    for (const kind of Object.keys(moves)) if (!shown.includes(kind)) shown.push(kind);
    const bottom = shown.length * LANE, height = bottom + FOOT;
    const svg = make("svg", { width: this.plotWidth, height, role: "img", "aria-label": this.summary(shown) });
    for (const tick of ticks(left, right, this.plotWidth)) {
      make("line", { class: "grid", x1: x(tick), x2: x(tick), y1: 0, y2: bottom }, svg);
      make("text", { class: "tick", x: x(tick), y: bottom + 12 }, svg).textContent = tick === 0 ? "0" : signed(tick).replace(/0+$/, "");
    }
    make("text", { class: "axis", x: this.plotWidth / 2, y: bottom + 30 }, svg).textContent = "change of the score";
    if (threshold != null) {
      make("line", { class: "threshold", x1: x(threshold), x2: x(threshold), y1: 0, y2: bottom }, svg);
    }
    shown.forEach((kind, lane) => {
      const middle = lane * LANE + LANE - 20, { gain = [] } = moves[kind] ?? {};
      make("text", { class: "lane", x: 0, y: lane * LANE + 9 }, svg).textContent = gain.length ? count(gain.length, LANES[kind]) : `no ${LANES[kind][0]} possible`;
      gain.forEach((value, index) => {
        if (value != null) this.points.push({ kind, index, x: x(value / SCALE), y: middle + 13 * jitter(index) });
      });
    });
    const taken = chosen && this.points.find(({ kind, index }) => kind === chosen[0] && index === chosen[1]);
    if (taken) make("circle", { class: `taken ${taken.kind}`, cx: taken.x, cy: taken.y, r: 7 }, svg);
    svg.dataset.dots = this.points.length;
    plot.replaceChildren(this.dots(bottom), svg);
    if (threshold != null) {
      const note = element("p", "note", "Dashed line: a change is taken only to the right of it. ", plot);
      note.append(taken ? "Ring: the change that was taken." : "None was taken.");
    }
  }

  // The dots as pixels: thousands of shapes would be slow to paint at every step.
  dots(height) {
    const { canvas } = this, pen = canvas.getContext("2d"), style = getComputedStyle(this.root);
    const sharp = Math.max(1, Math.round(window.devicePixelRatio)) * (this.projecting ? 2 : 1), size = DOT * sharp, stamps = {};
    canvas.width = this.plotWidth * sharp; // this clears it too
    canvas.height = height * sharp;
    canvas.style.width = `${this.plotWidth}px`;
    for (const { kind, x, y } of this.points) {
      stamps[kind] ??= stamp(size, style.getPropertyValue(`--${kind}`));
      pen.drawImage(stamps[kind], Math.round(x * sharp - size / 2), Math.round(y * sharp - size / 2));
    }
    return canvas;
  }

  summary(shown) {
    const { moves } = this.step;
    return shown
      .filter((kind) => moves[kind])
      .map((kind) => `${count(moves[kind].gain.length, LANES[kind])}, best ${signed(Math.max(...moves[kind].gain.map((value) => (value ?? -Infinity) / SCALE)))}`)
      .join("; ");
  }

  hover(event) {
    const box = this.find(".plot svg")?.getBoundingClientRect();
    if (!box) return;
    const zoom = box.width / this.plotWidth, x = (event.clientX - box.left) / zoom, y = (event.clientY - box.top) / zoom;
    let nearest = null, distance = REACH * REACH;
    for (const point of this.points) {
      const away = (point.x - x) ** 2 + (point.y - y) ** 2;
      if (away < distance) [nearest, distance] = [point, away];
    }
    this.tip.hidden = !nearest;
    if (!nearest) return;
    const gain = this.step.moves[nearest.kind].gain[nearest.index] / SCALE;
    this.tip.replaceChildren(element("strong", "", this.words(nearest)), element("div", "", `score ${fixed(this.step.before + gain)} (${signed(gain)})`));
    const frame = this.root.getBoundingClientRect();
    const left = (event.clientX - frame.left) / zoom - this.tip.offsetWidth / 2;
    this.tip.style.left = `${Math.max(0, Math.min(left, frame.width / zoom - this.tip.offsetWidth))}px`;
    this.tip.style.top = `${(event.clientY - frame.top) / zoom + this.root.scrollTop + 18}px`;
  }

  // A tried move in words: film → picture.
  words({ kind, index }) {
    const { columns } = this.data, { at, to, was, back, sets } = this.step.moves[kind];
    const word = (position, choice) => (choice < 0 ? "hidden" : columns[position].choices[choice]);
    if (sets) {
      const list = sets[index], parts = [];
      for (let i = 0; i < list.length && i < 8; i += 2) parts.push(`${word(list[i], this.beforeState()[list[i]])} → ${word(list[i], list[i + 1])}`);
      return parts.length ? parts.join(", ") + (list.length > 8 ? " …" : "") : "the sentence as it was";
    }
    if (!at) return "another sentence";
    const swap = `${word(at[index], was[index])} → ${word(at[index], to[index])}`;
    return back && back[index] >= 0 ? `${columns[back[index]].choices[0]} back, ${swap}` : swap;
  }

  beforeState() {
    return this.data.steps[Math.max(0, this.at - 1)].state;
  }

  // --- predict mode -------------------------------------------------------------------------

  predict(on) {
    this.predicting = on;
    this.points = [];
    this.score = { right: 0, nearly: 0, wrong: 0 };
    if (on) this.play(false);
    this.find(".predict").setAttribute("aria-pressed", on);
    this.find(".guess").hidden = !on;
    this.find(".play").disabled = on;
    this.root.classList.toggle("predicting", on);
    this.lattice.onPick = on ? (position, choice) => this.guess({ position, choice }) : null;
    this.latticeOf = null;
    const kinds = { insert: "an insertion", delete: "a deletion", exchange: "an exchange", stop: "nothing: it stops" };
    this.find(".kinds").replaceChildren(
      ...Object.entries(kinds).map(([kind, text]) => {
        const button = element("button", kind, text);
        button.addEventListener("click", () => this.guess({ kind }));
        return button;
      }),
    );
    if (this.at == null) return;
    this.find(".verdict").textContent = "";
    this.draw();
  }

  get next() {
    const next = this.data.steps[this.at + 1];
    return next && (ONE_WORD.includes(next.kind) || next.kind === "stop") ? next : null;
  }

  drawGuess() {
    const { right, nearly, wrong } = this.score;
    this.find(".ask").textContent = this.next ? "What will the search do next? Pick a word in the lattice, or only the kind of move." : "There is no move to predict here. Step on.";
    this.find(".tally").textContent = `${right} right, ${nearly} nearly, ${wrong} wrong`;
    for (const button of this.find(".kinds").children) button.disabled = !this.next;
  }

  guess({ position, choice, kind }) {
    const next = this.next;
    if (!next || (position != null && this.step.state[position] === choice)) return;
    const [grade, told] = kind ? this.judgeKind(next, kind) : this.judge(next, position, choice);
    this.score[grade] += 1;
    this.go(this.at + 1);
    this.find(".verdict").textContent = told;
    this.find(".verdict").className = `verdict ${grade}`;
  }

  judgeKind(next, kind) {
    if (next.kind === kind) return kind === "stop" ? ["right", "Right: no change helps any more."] : ["nearly", `The right kind: ${STEP_NAMES[kind].toLowerCase()}.`];
    return ["wrong", `Not this time: ${next.kind === "stop" ? "no change helps, so the search stops" : `the search makes ${{ insert: "an insertion", delete: "a deletion", exchange: "an exchange" }[next.kind]}`}.`];
  }

  judge(next, position, choice) {
    const all = ONE_WORD.flatMap((kind) => {
      const { at = [], to = [], back = [], gain = [] } = next.moves[kind] ?? {};
      return gain.map((value, i) => ({ at: at[i], to: to[i], back: back[i] ?? -1, gain: value ?? -Infinity }));
    });
    const mine = all.find((move) => move.at === position && move.to === choice && move.back < 0);
    const word = this.data.columns[position].choices[choice];
    if (next.kind !== "stop" && next.moved[position] && next.state[position] === choice) return ["right", `Right: ${word} is the move.`];
    const rank = mine ? 1 + all.filter((move) => move.gain > mine.gain).length : null;
    const worth = !mine || mine.gain === -Infinity ? `${word} was not tried` : `${word} gives ${fixed(next.before + mine.gain / SCALE)}, number ${rank} of ${all.length}`;
    if (next.kind === "stop") return ["wrong", `Not this time: no change helps, so the search stops (${worth}).`];
    const taken = Object.keys(next.moved).map((at) => this.data.columns[at].choices[next.state[at]]).join(", ");
    if (next.moved[position]) return ["nearly", `Nearly: the right word, but ${taken} is better (${worth}).`];
    return ["wrong", `Not this time: ${worth}; the search takes ${taken}.`];
  }

  // --- projector mode -----------------------------------------------------------------------

  // A popover lies above everything else on the page, whatever that is.
  project(on) {
    this.projecting = on;
    this.root.classList.toggle("projector", on);
    if (on) {
      this.root.popover = "manual";
      this.root.showPopover();
    } else {
      this.root.hidePopover();
      this.root.removeAttribute("popover");
    }
    const button = this.find(".project");
    button.setAttribute("aria-pressed", on);
    button.textContent = on ? "Leave (Esc)" : "Projector";
    button.focus();
  }
}

// A translucent disc, to be printed many times.
function stamp(size, colour) {
  const canvas = document.createElement("canvas"), pen = canvas.getContext("2d");
  canvas.width = canvas.height = size;
  pen.fillStyle = colour.trim();
  pen.globalAlpha = 0.6;
  pen.arc(size / 2, size / 2, size / 2, 0, 2 * Math.PI);
  pen.fill();
  return canvas;
}

// A spread that is the same each time, so that dots do not jump: fractions of the golden ratio.
const jitter = (index) => 2 * ((index * 0.6180339887) % 1) - 1;

// A few round numbers between two ends.
function ticks(left, right, width) {
  const rough = (right - left) / Math.max(2, width / 75), power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((times) => times * power).find((size) => size >= rough);
  const marks = [];
  for (let k = Math.ceil(left / step); k * step <= right; k += 1) marks.push(Number((k * step).toPrecision(6)));
  return marks;
}

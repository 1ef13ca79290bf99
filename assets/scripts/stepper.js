import { writeAddress } from "./address.js";
import { bringIntoSight, element } from "./dom.js";
import { hasModifier } from "./keys.js";
import { Lattice } from "./lattice.js";
import { mount } from "./mount.js";
import { MovePlot } from "./move-plot.js";
import { GUESSES, SIGNS, STEP_NAMES, countMoves, describeMove, gainOf } from "./moves.js";
import { counted, decimals, signed } from "./numbers.js";
import { Game, judgeKind, judgeMove, possibleMoves } from "./prediction.js";
import { showSentence } from "./sentence.js";
import { Tooltip } from "./tooltip.js";

const PAUSE = 1600; // milliseconds between two steps at normal speed
const REST = 100; // milliseconds without a step, before it enters the address
const LONGER = 150; // and this much more, before the page is told where it stands

// Stepping through a trace. Everything plays here, in the browser; the page is only told the step.
export class Stepper {
  constructor(root) {
    this.root = root;
    this.game = null; // of guesses, in predict mode
    this.projecting = false;
    this.lattice = new Lattice(this.find(".stage"));
    this.tip = new Tooltip(root, this.find(":scope > .tip"));
    this.plot = new MovePlot(this.find(".plot"));
    this.scrub = this.find(".scrub");
    this.listen();
    this.onKey = (event) => this.key(event);
    this.onBack = () => this.stopTelling();
    this.observer = new ResizeObserver(([{ contentRect }]) => {
      const width = Math.round(contentRect.width);
      if (width === this.plotWidth) return;
      this.plotWidth = width;
      if (!this.data) return;
      this.drawPlot();
      this.keepInSight();
    });
  }

  find(selector) {
    return this.root.querySelector(selector);
  }

  listen() {
    const on = (selector, act, kind = "click") => this.find(selector).addEventListener(kind, act);
    on(".first", () => this.go(0));
    on(".back", () => this.go(this.at - 1));
    on(".play", () => this.play(!this.timer));
    on(".next", () => this.go(this.at + 1));
    on(".last", () => this.go(this.last));
    on(".scrub", () => this.go(Number(this.scrub.value)), "input");
    on(".predict", () => this.predict(!this.predicting));
    on(".project", () => this.project(!this.projecting));
    on(".plot", (event) => this.hover(event), "pointermove");
    on(".plot", () => this.tip.hide(), "pointerleave");
    this.root.addEventListener("focusout", ({ relatedTarget }) => {
      const leaves = relatedTarget && !this.root.contains(relatedTarget);
      if (this.projecting && leaves) this.find(".project").focus(); // nothing else is in sight
    });
  }

  destroy() {
    this.play(false);
    this.stopTelling();
    this.lattice.destroy();
    this.observer.disconnect();
    window.removeEventListener("keydown", this.onKey);
    window.removeEventListener("popstate", this.onBack);
  }

  update(data) {
    window.addEventListener("keydown", this.onKey);
    window.addEventListener("popstate", this.onBack);
    this.observer.observe(this.find(".strip"));
    if (this.data?.id === data.id) return;
    const linked = new URLSearchParams(this.data ? "" : window.location.search);
    this.data = data;
    this.at = Math.max(0, Math.min(data.start, this.last));
    this.scrub.max = this.last;
    this.root.classList.toggle("unseen", Boolean(data.unseen));
    this.find(".code").hidden = !data.code.length;
    this.find(".code ol").replaceChildren(...data.code.map(codeLine));
    const predict = this.find(".predict");
    predict.disabled = Boolean(data.no_guess);
    predict.title = data.no_guess || "Guess each move before it is shown";
    const beads = data.steps.map(({ kind }) => element("i", { class: `bead ${kind}` }));
    this.find(".beads").replaceChildren(...beads);
    this.play(false);
    this.predict(!data.no_guess && (this.predicting || linked.has("predict")));
    if (linked.has("projector")) this.project(true);
  }

  get last() {
    return this.data.steps.length - 1;
  }

  get step() {
    return this.data.steps[this.at];
  }

  // The state before this step.
  get before() {
    return this.data.steps[Math.max(0, this.at - 1)].state;
  }

  get predicting() {
    return this.game != null;
  }

  // The step that can be guessed now.
  get next() {
    return this.game?.next(this.at) ?? null;
  }

  // --- moving -----------------------------------------------------------------------------------

  // Show a step and, once the visitor rests there, tell the address and the page.
  go(step) {
    if (!this.show(step)) return;
    this.stopTelling();
    this.resting = setTimeout(() => {
      this.tellAddress();
      this.resting = setTimeout(() => {
        this.resting = null;
        this.page.setStateValue("step", this.at);
      }, LONGER);
    }, REST);
  }

  stopTelling() {
    clearTimeout(this.resting);
    this.resting = null;
  }

  tellAddress() {
    const { at, predicting, projecting } = this;
    writeAddress({ step: at, predict: predicting, projector: projecting });
  }

  // Show a step; says whether it is another one than before.
  show(step) {
    const at = Math.max(0, Math.min(step, this.last));
    if (at === this.at) return false;
    this.at = at;
    this.game?.show(at);
    this.find(".verdict").textContent = "";
    this.draw();
    return true;
  }

  play(on) {
    clearTimeout(this.timer);
    this.timer = null;
    if (on && this.at === this.last) this.go(0);
    if (on) this.timer = setTimeout(() => this.beat(), PAUSE / Number(this.find(".speed").value));
    const button = this.find(".play");
    button.setAttribute("aria-label", on ? "Pause" : "Play");
    button.classList.toggle("on", on);
  }

  beat() {
    this.go(this.at + 1);
    this.play(this.at < this.last);
  }

  // Keys work in the stepper, and anywhere else as long as nothing on the page has the focus.
  key(event) {
    const path = event.composedPath();
    const [target] = path;
    const isHere = path.includes(this.root) || target === document.body;
    if (!isHere || event.defaultPrevented || hasModifier(event)) return;
    if (event.key === "Escape" && this.projecting) return this.project(false);
    if (this.act(event.key, target)) event.preventDefault();
  }

  // Do what a key means at an element; says whether it means anything there.
  act(key, target) {
    const isSlider = target === this.scrub; // it has arrow keys of its own
    if (target.matches("select, textarea, input") && !isSlider) return false;
    const step = isSlider ? null : this.stepFor(key);
    if (key === " " && !target.matches("button") && !this.predicting) this.play(!this.timer);
    else if (step != null) this.go(step);
    else return false;
    return true;
  }

  stepFor(key) {
    const steps = { ArrowRight: this.at + 1, ArrowLeft: this.at - 1, Home: 0, End: this.last };
    return steps[key];
  }

  // --- drawing ----------------------------------------------------------------------------------

  draw() {
    this.drawBar();
    const { kind, said } = this.step;
    const sign = this.find(".kind");
    sign.className = `kind ${kind}`;
    sign.textContent = SIGNS[kind] ?? STEP_NAMES[kind];
    sign.setAttribute("aria-hidden", kind in SIGNS); // the sentence says it too
    this.find(".said").textContent = said;
    const { state, moved } = this.step;
    showSentence(this.find(".text"), this.data, state, moved);
    this.drawCounts();
    this.possible = this.next ? possibleMoves(this.next) : { names: new Set(), kinds: new Set() };
    this.drawLattice();
    this.drawCode();
    this.drawPlot();
    this.find(".ending").hidden = this.at !== this.last; // it would spoil the search
    for (const name of ["outcome", "certificate", "complement"]) {
      this.find(`.ending .${name}`).textContent = this.data[name];
    }
    this.root.dataset.status = this.data.status;
    if (this.predicting) this.drawGuess();
    this.keepInSight();
  }

  // In the projector, the panes scroll by themselves.
  keepInSight() {
    bringIntoSight(this.find(".code ol"), ".on");
    bringIntoSight(this.find(".field"), ".node.moved");
  }

  drawBar() {
    const { at, last } = this;
    this.root.dataset.step = at;
    this.scrub.value = at;
    this.scrub.style.setProperty("--done", `${(100 * at) / last}%`);
    const name = `Step ${at} of ${last}`;
    this.scrub.setAttribute("aria-valuetext", `${name}: ${STEP_NAMES[this.step.kind]}`);
    this.find(".where").textContent = name;
    for (const button of [".first", ".back"]) this.find(button).disabled = at === 0;
    for (const button of [".next", ".last"]) this.find(button).disabled = at === last;
    [...this.find(".beads").children].forEach((bead, index) => {
      bead.classList.toggle("here", index === at);
    });
  }

  drawCounts() {
    const { before, score, digits, reached, state, queries, requests } = this.step;
    const mood = score > before ? "up" : score < before ? "down" : null;
    const change = mood ? `from ${decimals(before, digits)}` : "";
    this.find(".counts").replaceChildren(
      figure(this.data.title, decimals(score, digits), change || reached, mood),
      figure("Words changed", state.filter(Boolean).length, `of ${state.length}`),
      figure("Queries", queries.toLocaleString("en"), "distinct texts"),
      figure("Requests", requests.toLocaleString("en"), "as the paper counts"),
    );
  }

  drawLattice() {
    const { id, columns, labels, range, base, keep, measure, digits } = this.data;
    const { population, unseen } = this.data;
    const { state, marks, moved } = this.step;
    // What a word gains alone is known, and a hint, once the first step has tried all of them.
    const bare = this.game?.seen === 0 || Boolean(population);
    if (this.latticeShows !== `${id} ${bare}`) {
      this.latticeShows = `${id} ${bare}`;
      const withoutGains = ({ choices, reasons, note }) => ({ choices, reasons, note });
      const shown = bare ? columns.map(withoutGains) : columns;
      this.lattice.set({ id, columns: shown, labels, range, base, keep, measure, digits });
    }
    const shades = {};
    for (const [name, share] of Object.entries(this.step.shades ?? {})) {
      shades[name] = Math.sqrt(share); // small shares stay visible
    }
    const pickable = this.predicting ? this.possible.names : null;
    // What a population holds has rings of its own.
    this.lattice.show(state, { shades, marks, moved: marks ? {} : moved, pickable });
    const off = this.data.no_guess && `Predict is off. ${this.data.no_guess}`;
    this.find(".legend").textContent = [unseen, population, off].filter(Boolean).join(" ");
  }

  drawCode() {
    [...this.find(".code ol").children].forEach((item, index) => {
      const isOn = this.step.lines.includes(index + 1);
      item.classList.toggle("on", isOn);
      if (isOn) item.setAttribute("aria-current", "step");
      else item.removeAttribute("aria-current");
    });
  }

  drawPlot() {
    const moves = this.at ? this.step.moves : {};
    const tried = countMoves(moves);
    const idle = this.at
      ? "Nothing new is tried in this step"
      : "Only the original sentence is scored";
    this.find(".strip h3").textContent = tried
      ? `${counted(tried, ["change", "changes"])} tried in this step`
      : idle;
    const pixels = Math.max(1, Math.round(window.devicePixelRatio)) * (this.projecting ? 2 : 1);
    this.plot.draw({ ...this.step, moves }, this.data.kinds, this.plotWidth, pixels);
  }

  hover(event) {
    const { point, zoom } = this.plot.find(event);
    if (!point) return this.tip.hide();
    const { moves, before: score, digits } = this.step;
    const table = moves[point.kind];
    const gain = gainOf(table, point.index);
    const move = describeMove(table, point.index, this.data.columns, this.before);
    const name = this.data.title.toLowerCase();
    const lines = [move, `${name} ${decimals(score + gain, digits)} (${signed(gain, digits)})`];
    this.tip.show(lines, { x: event.clientX, y: event.clientY, gap: 18, zoom });
  }

  // --- predict mode -----------------------------------------------------------------------------

  predict(on) {
    this.game = on ? new Game(this.data.steps, this.at) : null;
    if (on) this.play(false);
    this.find(".predict").setAttribute("aria-pressed", on);
    this.find(".guess").hidden = !on;
    this.find(".play").disabled = on;
    this.root.classList.toggle("predicting", on);
    this.lattice.onPick = on ? (position, choice) => this.guessMove(position, choice) : null;
    this.latticeShows = null;
    const buttons = Object.entries(GUESSES).map(([kind, text]) => {
      const button = element("button", { class: kind, text, value: kind });
      button.addEventListener("click", () => this.guessKind(kind));
      return button;
    });
    this.find(".kinds").replaceChildren(...buttons);
    this.find(".verdict").textContent = "";
    this.draw();
    this.tellAddress();
  }

  drawGuess() {
    this.find(".ask").textContent = this.next
      ? "What will the search do next? Pick a word in the lattice, or only the kind of move."
      : this.at < this.game.seen
        ? "You have seen this move: step on to one that you have not."
        : "There is no move to predict here. Step on.";
    this.find(".tally").textContent = this.game.tally;
    for (const button of this.find(".kinds").children) {
      button.disabled = !this.possible.kinds.has(button.value);
    }
  }

  guessKind(kind) {
    this.reveal(judgeKind(this.next, kind), (move) => move.kind === kind);
  }

  guessMove(position, choice) {
    const name = `${position},${choice}`;
    const verdict = judgeMove(this.next, position, choice, this.data.columns);
    this.reveal(verdict, (move) => move.name === name);
  }

  // Show the move that was to be guessed, and what the guess was worth.
  reveal([grade, sentence], fits) {
    this.game.guess(fits);
    this.go(this.at + 1);
    const verdict = this.find(".verdict");
    verdict.textContent = sentence;
    verdict.className = `verdict ${grade}`;
  }

  // --- projector mode ---------------------------------------------------------------------------

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
    button.focus({ preventScroll: true });
    this.draw();
    this.tellAddress();
  }
}

function codeLine([number, indent, text]) {
  const item = element(
    "li",
    { class: text.startsWith("—") ? "remark" : null },
    element("b", { text: number }),
    element("span", { text }),
  );
  item.style.setProperty("--indent", indent);
  return item;
}

function figure(name, value, more, mood = null) {
  const number = element("dd", { text: value });
  if (more) number.append(element("small", { class: mood, text: more }));
  return element("div", {}, element("dt", { text: name }), number);
}

export const mountStepper = mount(".stepper", Stepper);

import { element, shape } from "./dom.js";
import { countMoves, gainOf, laneKinds, laneName } from "./moves.js";
import { signed } from "./numbers.js";

const DOT = 8;
const LANE = 54;
const FOOT = 40;
const EDGE = 8;
const REACH = 14; // pixels around the pointer in which a dot is found

// Every move that was tried as a dot: a lane for each kind, its gain to the right.
export class MovePlot {
  constructor(node) {
    this.node = node;
    this.points = [];
    this.canvas = element("canvas", { "aria-hidden": true });
    // Drawn by the processor: no round trips.
    this.pen = this.canvas.getContext("2d", { willReadFrequently: true });
  }

  // `sharpness` is the number of pixels of the screen for one of the page.
  draw({ moves, chosen, threshold }, kinds, width, sharpness) {
    this.points = [];
    this.width = width;
    this.node.hidden = !countMoves(moves);
    if (this.node.hidden || !width) return this.node.replaceChildren();
    const range = gainRange(moves, threshold);
    const x = (gain) => EDGE + ((width - 2 * EDGE) * (gain - range[0])) / (range[1] - range[0]);
    const lanes = laneKinds(moves, kinds);
    const bottom = lanes.length * LANE;
    const label = summary(moves, lanes);
    const svg = shape("svg", { width, height: bottom + FOOT, role: "img", "aria-label": label });
    svg.append(...axis(range, x, width, bottom));
    if (threshold != null) {
      const at = { x1: x(threshold), x2: x(threshold), y1: 0, y2: bottom };
      svg.append(shape("line", { class: "threshold", ...at }));
    }
    lanes.forEach((kind, lane) => {
      const gain = moves[kind]?.gain ?? [];
      const text = laneName(kind, gain.length);
      svg.append(shape("text", { class: "lane", x: 0, y: lane * LANE + 9, text }));
      gain.forEach((_, index) => {
        const value = gainOf(moves[kind], index);
        if (value == null) return;
        const y = lane * LANE + LANE - 20 + 13 * jitter(index);
        this.points.push({ kind, index, x: x(value), y });
      });
    });
    const isChosen = ({ kind, index }) => kind === chosen[0] && index === chosen[1];
    const taken = chosen && this.points.find(isChosen);
    if (taken) {
      const ring = { class: `taken ${taken.kind}`, cx: taken.x, cy: taken.y, r: 7 };
      svg.append(shape("circle", ring));
    }
    svg.dataset.dots = this.points.length;
    this.drawDots(bottom, sharpness);
    this.node.replaceChildren(this.canvas, svg);
    if (threshold != null) this.node.append(note(taken));
  }

  // The dots as pixels: thousands of shapes would be slow to paint at every step.
  drawDots(height, sharpness) {
    const { canvas, pen, width } = this;
    const size = DOT * sharpness;
    const stamps = {};
    canvas.width = width * sharpness; // this clears it too
    canvas.height = height * sharpness;
    canvas.style.width = `${width}px`;
    const style = getComputedStyle(this.node);
    for (const { kind, x, y } of this.points) {
      stamps[kind] ??= stamp(size, style.getPropertyValue(`--${kind}`));
      const [left, top] = [x, y].map((middle) => Math.round(middle * sharpness - size / 2));
      pen.drawImage(stamps[kind], left, top);
    }
  }

  // The dot at a point of the screen, if there is one, and the zoom at which it is seen.
  find({ clientX, clientY }) {
    const box = this.node.querySelector("svg")?.getBoundingClientRect();
    if (!box) return {};
    const zoom = box.width / this.width;
    const place = { x: (clientX - box.left) / zoom, y: (clientY - box.top) / zoom };
    return { zoom, point: nearest(this.points, place, REACH) };
  }
}

// The least and the greatest gain that is drawn, with some room.
export function gainRange(moves, threshold) {
  let low = threshold ?? 0;
  let high = low;
  for (const table of Object.values(moves)) {
    table.gain.forEach((_, index) => {
      const gain = gainOf(table, index);
      if (gain == null) return;
      low = Math.min(low, gain);
      high = Math.max(high, gain);
    });
  }
  const room = (high - low || 0.1) * 0.06;
  return [low - room, high + room];
}

// A few round numbers between two ends.
export function ticks(left, right, width) {
  const rough = (right - left) / Math.max(2, width / 75);
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((times) => times * power).find((size) => size >= rough);
  const marks = [];
  for (let k = Math.ceil(left / step); k * step <= right; k += 1) {
    marks.push(Number((k * step).toPrecision(6)));
  }
  return marks;
}

// A spread that is the same each time, so that dots do not jump: fractions of the golden ratio.
export const jitter = (index) => 2 * ((index * 0.6180339887) % 1) - 1;

export function nearest(points, { x, y }, reach) {
  let found = null;
  let distance = reach * reach;
  for (const point of points) {
    const away = (point.x - x) ** 2 + (point.y - y) ** 2;
    if (away < distance) [found, distance] = [point, away];
  }
  return found;
}

// The plot in words, for those who do not see it.
export function summary(moves, lanes) {
  const parts = lanes
    .filter((kind) => moves[kind])
    .map((kind) => {
      const { gain } = moves[kind];
      const best = gain.reduce(
        (most, _, index) => Math.max(most, gainOf(moves[kind], index) ?? -Infinity),
        -Infinity,
      );
      return `${laneName(kind, gain.length)}, best ${signed(best)}`;
    });
  return parts.join("; ");
}

function axis([left, right], x, width, bottom) {
  const parts = ticks(left, right, width).flatMap((tick) => {
    const text = tick === 0 ? "0" : signed(tick).replace(/0+$/, "");
    return [
      shape("line", { class: "grid", x1: x(tick), x2: x(tick), y1: 0, y2: bottom }),
      shape("text", { class: "tick", x: x(tick), y: bottom + 12, text }),
    ];
  });
  const name = { class: "axis", x: width / 2, y: bottom + 30, text: "change of the score" };
  return [...parts, shape("text", name)];
}

const note = (taken) =>
  element(
    "p",
    { class: "note" },
    "Dashed line: a change is taken only to the right of it. ",
    taken ? "Ring: the change that was taken." : "None was taken.",
  );

// A translucent disc, to be printed many times.
function stamp(size, colour) {
  const canvas = element("canvas", { width: size, height: size });
  const pen = canvas.getContext("2d");
  pen.fillStyle = colour.trim();
  pen.globalAlpha = 0.6;
  pen.arc(size / 2, size / 2, size / 2, 0, 2 * Math.PI);
  pen.fill();
  return canvas;
}

import assert from "node:assert/strict";
import { test } from "node:test";
import { drawn, texts } from "./page.js";
import { element } from "../../assets/scripts/dom.js";
import {
  MovePlot,
  gainRange,
  jitter,
  nearest,
  summary,
  ticks,
} from "../../assets/scripts/move-plot.js";

const MOVES = {
  insert: { gain: [-10_000, 30_000, null] },
  delete: { gain: [20_000] },
};
const KINDS = ["insert", "delete", "exchange"];
const STEP = { moves: MOVES, chosen: ["insert", 1], threshold: 0 };

test("ticks are a few round numbers between the ends", () => {
  assert.deepEqual(ticks(-0.11, 0.32, 300), [0, 0.2]);
  assert.deepEqual(ticks(-0.11, 0.32, 600), [-0.1, 0, 0.1, 0.2, 0.3]);
  assert.deepEqual(ticks(-3, 9, 300), [0, 5]);
  assert.deepEqual(ticks(0, 0.0003, 300), [0, 0.0001, 0.0002, 0.0003]);
  assert.deepEqual(ticks(0, 1, 10), [0, 0.5, 1]); // as many where there is no room at all
});

test("dots are spread over their lane, always the same", () => {
  const spread = Array.from({ length: 200 }, (_, index) => jitter(index));
  assert.deepEqual(
    spread,
    Array.from({ length: 200 }, (_, index) => jitter(index)),
  );
  assert.ok(Math.min(...spread) >= -1 && Math.max(...spread) < 1);
  assert.equal(new Set(spread.map((value) => Math.round(value * 1e6))).size, 200);
  for (const edge of [-0.9, -0.5, 0, 0.5, 0.9]) {
    assert.ok(spread.some((value) => Math.abs(value - edge) < 0.05));
  }
});

test("the range has all gains and the threshold inside", () => {
  const near = (range, [low, high]) => {
    assert.ok(Math.abs(range[0] - low) < 1e-9 && Math.abs(range[1] - high) < 1e-9, String(range));
  };
  near(gainRange(MOVES, null), [-0.1 - 0.024, 0.3 + 0.024]);
  near(gainRange(MOVES, 0.5), [-0.1 - 0.036, 0.5 + 0.036]);
  near(gainRange({ insert: { gain: [null] } }, 0.2), [0.194, 0.206]);
});

test("the nearest dot is found within reach", () => {
  const points = [
    { x: 10, y: 10 },
    { x: 20, y: 10 },
  ];
  assert.equal(nearest(points, { x: 16, y: 10 }, 14), points[1]);
  assert.equal(nearest(points, { x: 33, y: 10 }, 14), points[1]);
  assert.equal(nearest(points, { x: 34, y: 10 }, 14), null);
});

test("the plot in words", () => {
  const text = summary(MOVES, KINDS);
  assert.equal(text, "3 insertions, best +0.300; 1 deletion, best +0.200");
});

test("every move whose gain is known becomes a dot, the chosen one has a ring", () => {
  const node = element("div");
  const plot = new MovePlot(node);
  drawn.length = 0;
  plot.draw(STEP, KINDS, 600, 2);
  const svg = node.querySelector("svg");
  assert.equal(svg.dataset.dots, "3");
  const corner = (middle) => Math.round(2 * middle - 8); // of a disc of 16 pixels
  assert.deepEqual(
    drawn,
    plot.points.map(({ x, y }) => [corner(x), corner(y)]),
  );
  assert.equal(node.querySelector("canvas").width, 1200);
  assert.deepEqual(texts(svg.querySelectorAll(".lane")), [
    "3 insertions",
    "1 deletion",
    "no exchange possible",
  ]);
  const [chosen] = plot.points.filter(({ kind, index }) => kind === "insert" && index === 1);
  const ring = svg.querySelector("circle.taken.insert");
  assert.equal(Number(ring.getAttribute("cx")), chosen.x);
  assert.ok(chosen.x > plot.points.find(({ kind }) => kind === "delete").x);
  assert.equal(svg.querySelectorAll(".threshold").length, 1);
  assert.match(node.querySelector(".note").textContent, /Ring: the change that was taken/);
  plot.draw({ ...STEP, chosen: null, threshold: null }, KINDS, 600, 1);
  assert.equal(node.querySelectorAll("circle, .threshold, .note").length, 0);
});

test("a step in which nothing was tried has no plot", () => {
  const node = element("div");
  const plot = new MovePlot(node);
  plot.draw(STEP, KINDS, 600, 1);
  plot.draw({ ...STEP, moves: {} }, KINDS, 600, 1);
  assert.ok(node.hidden);
  assert.deepEqual(plot.points, []);
  assert.deepEqual(plot.find({ clientX: 0, clientY: 0 }), {});
});

import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import "./page.js";
import { keepHistoryShort, writeAddress } from "../../assets/scripts/address.js";

const { history, location } = window;
const shown = () => location.pathname + location.search;
const settled = () => Promise.resolve(); // observers are called before this goes on
const app = document.createElement("div");
document.body.append(app);
keepHistoryShort();

const RUNS = "data-test-script-state";

async function begin() {
  app.setAttribute(RUNS, "running");
  await settled();
}

async function end() {
  app.setAttribute(RUNS, "notRunning");
  await settled();
}

// Write an address as Streamlit does; says whether it got an entry of the history.
function write(address) {
  const before = history.length;
  history.pushState({}, "", address);
  assert.equal(shown(), address);
  return history.length > before;
}

beforeEach(async () => {
  history.pushState({}, "", "/elsewhere");
  history.pushState({}, "", "/step");
  await end();
});

test("another sentence gets an entry, a step and a setting do not", async () => {
  await begin();
  assert.equal(write("/step?search=pso"), false);
  await end();
  await begin();
  assert.equal(write("/step?text=a&search=pso"), true);
  assert.equal(write("/step?text=a"), false);
  await end();
  assert.equal(write("/step?made=E1"), true);
});

test("what a page writes while it is first drawn completes its entry", async () => {
  await begin();
  assert.equal(write("/race"), true);
  assert.equal(write("/race?text=a"), false);
  assert.equal(write("/race?text=a&seeds=5"), false);
  assert.equal(write("/theory"), true); // a visitor does not wait for it
  await end();
  assert.equal(write("/theory?text=b"), true);
});

// Go back and tell where that leads.
async function back() {
  const gone = new Promise((done) => window.addEventListener("popstate", done, { once: true }));
  history.back();
  await gone;
  return shown();
}

for (const link of ["/step?text=a&seed=2", "/step?seed=2"]) {
  test(`a page that writes too early leaves ${link} as it was`, async () => {
    history.replaceState({}, "", link);
    await begin();
    history.pushState({}, "", "/step"); // a button that leads elsewhere clears the address first
    history.pushState({}, "", "/race");
    history.pushState({}, "", "/race?text=b");
    await end();
    assert.equal(await back(), link);
    await begin();
    history.pushState({}, "", `${link}&search=pso`);
    history.pushState({}, "", "/race?search=pso");
    await end();
    assert.equal(await back(), link);
  });
}

test("the server does not take back what the browser wrote", () => {
  writeAddress({ step: 3, predict: true, projector: false });
  assert.equal(shown(), "/step?step=3&predict=true");
  history.pushState({}, "", "/step?step=2&projector=true");
  assert.equal(shown(), "/step?step=3&predict=true");
  writeAddress({ step: 0, predict: false });
  assert.equal(shown(), "/step");
  assert.equal(write("/race?step=2"), true);
});

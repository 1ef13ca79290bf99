import { element } from "./dom.js";
import { hasModifier } from "./keys.js";
import { mount } from "./mount.js";

const PATIENCE = 3000; // milliseconds until an answer is sent again
const LAST_KEY = 9; // there are no keys for more options

// What was chosen for the text at hand and maybe sent: it outlives a component that Streamlit draws
// anew, as it may after a lost line.
export const unsaved = { id: null, answers: null, sent: null };

// The questions about a text. Digits answer the question at hand: the first one without an answer.
// The server is told only at Send, and all at once, so that no quick key comes between an answer
// and its text. An answer that it does not confirm is sent again until it does: the line may be
// lost, or the server be started anew.
export class Questions {
  constructor(root) {
    const names = ["context", "text", "list", "message", "clear", "send"];
    for (const name of names) this[name] = root.querySelector(`.${name}`);
    this.clear.addEventListener("click", () => this.takeBack());
    this.send.addEventListener("click", () => this.submit());
    // A click takes no focus, or Enter would press that button again instead of sending.
    root.addEventListener("mousedown", (event) => {
      if (event.target.closest("button")) event.preventDefault();
    });
    this.onKey = (event) => this.key(event);
  }

  update(data) {
    document.addEventListener("keydown", this.onKey);
    if (this.data?.id !== data.id) this.begin(data);
    this.data = data;
    this.send.querySelector("span").textContent = data.send;
    if (this.sent && data.received !== this.sent.mark) {
      this.show();
      return this.wait(); // not confirmed yet
    }
    this.sent = unsaved.sent = null;
    clearInterval(this.again);
    this.say(data.message);
    this.show();
  }

  // Another text: it and its questions change together, so that no answer is given below the wrong
  // one.
  begin({ id, context, text, questions }) {
    if (unsaved.id !== id) {
      const given = questions.map((question) => question.given);
      Object.assign(unsaved, { id, answers: given, sent: null });
    }
    this.sent = unsaved.sent;
    this.answers = unsaved.answers;
    this.context.textContent = context;
    this.text.textContent = text;
    this.list.replaceChildren(...questions.map((question, number) => this.draw(question, number)));
    document.querySelector("[data-testid=stMain]")?.scrollTo(0, 0);
  }

  destroy() {
    document.removeEventListener("keydown", this.onKey);
    clearInterval(this.again);
  }

  // Send again by and by until the server has confirmed this very answer.
  wait() {
    clearInterval(this.again);
    this.again = setInterval(() => {
      this.say("Not saved yet. Trying again by itself …");
      this.tellServer();
    }, PATIENCE);
  }

  tellServer() {
    this.page.setTriggerValue("sent", this.sent);
  }

  draw({ text, options, first, row }, number) {
    const name = `question-${number}`;
    const head = element(
      "p",
      { class: "head" },
      element("strong", { id: name, text }),
      element("span", { class: "hint", role: "status" }),
    );
    const buttons = options.map((option, index) => {
      const key = first + index;
      const button = element("button", {}, element("span", { dir: "auto", text: option }));
      if (key <= LAST_KEY) button.prepend(element("kbd", { "aria-hidden": true, text: key }));
      button.addEventListener("click", () => this.answer(number, index));
      return button;
    });
    const choices = element("div", { class: row ? "choices row" : "choices" }, ...buttons);
    const group = { class: "question", role: "group", "aria-labelledby": name };
    return element("div", group, head, choices);
  }

  get atHand() {
    return questionAtHand(this.answers);
  }

  show() {
    this.data.questions.forEach(({ options, first }, number) => {
      const group = this.list.children[number];
      const isAtHand = number === this.atHand;
      const lastKey = Math.min(first + options.length - 1, LAST_KEY);
      group.classList.toggle("at-hand", isAtHand);
      group.querySelector(".hint").textContent = isAtHand ? `keys ${first}–${lastKey}` : "";
      group.querySelectorAll("button").forEach((button, index) => {
        const key = first + index;
        button.setAttribute("aria-pressed", this.answers[number] === index);
        if (isAtHand && key <= LAST_KEY) button.setAttribute("aria-keyshortcuts", key);
        else button.removeAttribute("aria-keyshortcuts");
      });
    });
    this.clear.disabled = this.sent != null || this.answers.every((answer) => answer === null);
    this.send.classList.toggle("ready", !this.answers.includes(null));
  }

  answer(number, index) {
    if (this.sent) return;
    this.answers[number] = index;
    this.say("");
    this.show();
  }

  takeBack() {
    const last = this.answers.findLastIndex((answer) => answer !== null);
    if (last >= 0) this.answer(last, null);
  }

  submit() {
    if (this.answers.includes(null)) {
      return this.say(`Answer this first: ${this.data.questions[this.atHand].text}`);
    }
    // Pressed again, the same once more: the server takes it once.
    this.sent ??= { answers: this.answers.slice(), mark: Math.random().toString(36).slice(2) };
    unsaved.sent = this.sent;
    this.show();
    this.tellServer();
    this.wait();
  }

  say(text) {
    this.message.textContent = text;
  }

  key(event) {
    if (event.repeat || event.defaultPrevented || hasModifier(event)) return;
    const [target] = event.composedPath();
    if (target.closest?.("input, textarea, select, [contenteditable]")) return;
    if (event.key === "Backspace") this.takeBack();
    else if (event.key === "Enter" && !target.matches?.("button, a, summary")) this.submit();
    else if (!this.answerByDigit(digitOf(event))) return;
    event.preventDefault();
  }

  // Answer the question at hand; says whether it has an option with this key.
  answerByDigit(digit) {
    const { first, options } = this.data.questions[this.atHand];
    const index = digit - first;
    if (!(index in options)) return false;
    this.answer(this.atHand, index);
    return true;
  }
}

// The first question without an answer; the last one, when there is none.
export function questionAtHand(answers) {
  const open = answers.indexOf(null);
  return open < 0 ? answers.length - 1 : open;
}

// The digit of a key, or NaN; some layouts want Shift for digits.
export const digitOf = ({ key, code }) =>
  Number(/^\d$/.test(key) ? key : (code.match(/^Digit(\d)$/)?.[1] ?? NaN));

export const mountQuestions = mount(".rate", Questions);

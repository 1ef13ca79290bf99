// The questions about a text. Digits answer the question at hand: the first one that has no answer. The
// server is told only at Send, and all at once, so that no quick key comes between an answer and its text.
// An answer that it does not confirm is sent again until it does: the line may be lost, or the server be started anew.
const asked = new WeakMap();
const PATIENCE = 3000; // milliseconds until an answer is sent again

export default function ({ data, parentElement, setTriggerValue }) {
  const root = parentElement.querySelector(".rate");
  let questions = asked.get(root);
  if (!questions) asked.set(root, (questions = new Questions(root)));
  questions.tell = (answers) => setTriggerValue("sent", answers);
  questions.update(data);
  return () => questions.leave();
}

class Questions {
  constructor(root) {
    const parts = ["context", "text", "list", "message", "clear", "send"];
    for (const name of parts) this[name] = root.querySelector(`.${name}`);
    this.clear.addEventListener("click", () => this.takeBack());
    this.send.addEventListener("click", () => this.submit());
    // A click takes no focus, or Enter would press that button again instead of sending.
    root.addEventListener("mousedown", (event) => event.target.closest("button") && event.preventDefault());
    this.onKey = (event) => this.key(event);
  }

  update(data) {
    document.addEventListener("keydown", this.onKey);
    if (this.data?.id !== data.id) this.begin(data);
    this.data = data;
    if (this.sent && data.received !== this.sent.mark) return this.wait(); // drawn anew, but not because of the answer
    this.sent = null;
    this.send.querySelector("span").textContent = data.send;
    this.say(data.message);
    this.show();
  }

  // Another text: it and its questions change together, so that no answer is given below the wrong one.
  begin(data) {
    this.sent = null;
    this.context.textContent = data.context;
    this.text.textContent = data.text;
    this.answers = data.questions.map((question) => question.given);
    this.list.replaceChildren(...data.questions.map((question, number) => this.question(question, number)));
    document.querySelector("[data-testid=stMain]")?.scrollTo(0, 0);
  }

  leave() {
    document.removeEventListener("keydown", this.onKey);
    clearInterval(this.again);
  }

  // Send again by and by until the server has confirmed this very answer.
  wait() {
    clearInterval(this.again);
    this.again = setInterval(() => {
      this.say("Not saved yet. Trying again by itself …");
      this.tell(this.sent);
    }, PATIENCE);
  }

  question({ text, options, first, row }, number) {
    const group = element("div", "question"), head = element("p", "head", group);
    const name = element("strong", "", head, text), hint = element("span", "hint", head);
    name.id = `question-${number}`;
    hint.setAttribute("role", "status");
    group.setAttribute("role", "group");
    group.setAttribute("aria-labelledby", name.id);
    const choices = element("div", row ? "choices row" : "choices", group);
    options.forEach((option, index) => {
      const button = element("button", "", choices), key = first + index;
      if (key <= 9) element("kbd", "", button, String(key)).setAttribute("aria-hidden", "true");
      element("span", "", button, option).dir = "auto";
      button.addEventListener("click", () => this.answer(number, index));
    });
    return group;
  }

  // The first question without an answer; the last one, when there is none.
  get atHand() {
    const open = this.answers.indexOf(null);
    return open < 0 ? this.answers.length - 1 : open;
  }

  show() {
    this.data.questions.forEach(({ options, first }, number) => {
      const group = this.list.children[number], on = number === this.atHand, last = Math.min(first + options.length - 1, 9);
      group.classList.toggle("at-hand", on);
      group.querySelector(".hint").textContent = on ? `keys ${first}–${last}` : "";
      group.querySelectorAll("button").forEach((button, index) => {
        button.setAttribute("aria-pressed", this.answers[number] === index);
        if (on && first + index <= 9) button.setAttribute("aria-keyshortcuts", first + index);
        else button.removeAttribute("aria-keyshortcuts");
      });
    });
    this.clear.disabled = this.sent || this.answers.every((answer) => answer === null);
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
    if (this.answers.includes(null)) return this.say(`Answer this first: ${this.data.questions[this.atHand].text}`);
    // Pressed again, the same once more: the server takes it once.
    this.sent ??= { answers: this.answers.slice(), mark: Math.random().toString(36).slice(2) };
    this.show();
    this.tell(this.sent);
    this.wait();
  }

  say(text) {
    this.message.textContent = text;
  }

  key(event) {
    if (event.repeat || event.defaultPrevented || event.ctrlKey || event.altKey || event.metaKey) return;
    const target = event.composedPath()[0];
    if (target.closest?.("input, textarea, select, [contenteditable]")) return;
    if (event.key === "Backspace") this.takeBack();
    else if (event.key === "Enter" && !target.matches?.("button, a, summary")) this.submit();
    else if (!this.digit(event)) return;
    event.preventDefault();
  }

  digit({ key, code }) {
    const digit = /^\d$/.test(key) ? key : code.match(/^Digit(\d)$/)?.[1]; // some layouts want Shift for digits
    const { first, options } = this.data.questions[this.atHand], index = Number(digit) - first;
    if (!(index in options)) return false;
    this.answer(this.atHand, index);
    return true;
  }
}

function element(tag, kind, parent, text = "") {
  const node = document.createElement(tag);
  node.className = kind;
  node.textContent = text;
  parent?.append(node);
  return node;
}

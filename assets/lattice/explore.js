// The lattice of the first page: swap words, edit the space, take the picture away. It sends the whole
// selection, never single clicks, so that quick clicks cannot be lost; `turn` tells an old answer of the
// server from a new one.
const explorers = new WeakMap();

export default function ({ data, parentElement, setStateValue }) {
  const root = parentElement.querySelector(".explore");
  let explorer = explorers.get(root);
  if (!explorer) explorers.set(root, (explorer = new Explorer(root)));
  explorer.send = setStateValue;
  explorer.update(data);
  return () => explorer.lattice.destroy();
}

class Explorer {
  constructor(root) {
    this.turn = 0;
    const onPick = (position, choice) => this.pick(position, choice);
    const onEdit = (kind, position, choice) => this.edit(kind, position, choice);
    this.lattice = new Lattice(root.querySelector(".stage"), { onPick, onEdit });
    this.said = root.querySelector(".said");
    this.toggle = root.querySelector(".edit");
    this.toggle.addEventListener("click", () => this.editing(!this.lattice.editing));
    const on = (name, act) => root.querySelector(name).addEventListener("click", act);
    on(".copy", () => this.copy(this.data.text, "The sentence is copied."));
    on(".link", () => this.copy(window.location.href, "The link to this view is copied."));
    on(".svg", () => save(this.picture(), "image/svg+xml", "lattice.svg"));
    on(".png", () => this.png());
  }

  update(data) {
    const other = this.data?.id !== data.id;
    if (other || data.turn >= this.turn) this.turn = data.turn;
    const state = data.turn < this.turn ? this.lattice.state : data.state;
    this.data = data;
    this.lattice.set(data);
    this.lattice.show(state);
  }

  pick(position, choice) {
    const state = this.lattice.state.slice();
    if (state[position] === choice) return;
    state[position] = choice;
    this.turn += 1;
    this.lattice.show(state);
    this.lattice.go(position, choice);
    this.send("picked", { id: this.data.id, turn: this.turn, state });
  }

  edit(kind, position, choice) {
    const { locked, removed } = this.data.edits;
    const word = this.data.columns[position].choices[choice];
    const next = { locked: locked.slice(), removed: removed.slice() };
    if (kind === "remove") next.removed.push([position, word]);
    else if (locked.includes(position)) next.locked = locked.filter((at) => at !== position);
    else next.locked.push(position);
    this.data.edits = next;
    this.send("edited", { id: this.data.id, ...next });
  }

  editing(on) {
    this.lattice.editing = on;
    this.lattice.root.classList.toggle("editing", on);
    this.toggle.setAttribute("aria-pressed", on);
    this.say(on ? "Click a word to lock or unlock it, a substitute to remove it." : "");
  }

  say(text) {
    this.said.textContent = text;
  }

  async copy(text, done) {
    try {
      await navigator.clipboard.writeText(text);
      this.say(done);
    } catch {
      window.prompt("Copy this:", text); // a page without https may not write to the clipboard
    }
  }

  // The drawing as a file of its own: the looks that come from the page are written into it.
  picture() {
    const drawn = this.lattice.scroll.querySelector("svg"), copy = drawn.cloneNode(true);
    const looks = ["fill", "stroke", "stroke-width", "stroke-dasharray", "opacity", "font-size", "font-weight", "font-family", "text-anchor", "dominant-baseline", "text-decoration"];
    const from = drawn.querySelectorAll("rect, text, path"), to = copy.querySelectorAll("rect, text, path");
    from.forEach((node, index) => {
      const style = getComputedStyle(node);
      for (const look of looks) to[index].style.setProperty(look, style.getPropertyValue(look));
    });
    copy.setAttribute("xmlns", SVG);
    copy.setAttribute("viewBox", `0 0 ${drawn.getAttribute("width")} ${drawn.getAttribute("height")}`);
    const paper = make("rect", { width: "100%", height: "100%" });
    paper.style.fill = getComputedStyle(this.lattice.root).getPropertyValue("--st-background-color");
    copy.prepend(paper);
    return new XMLSerializer().serializeToString(copy);
  }

  async png() {
    const image = new Image(), scale = 2;
    image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(this.picture())}`;
    await image.decode();
    const canvas = document.createElement("canvas");
    canvas.width = scale * image.width;
    canvas.height = scale * image.height;
    canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
    canvas.toBlob((blob) => save(blob, "image/png", "lattice.png"));
  }
}

function save(content, type, name) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([content], { type }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

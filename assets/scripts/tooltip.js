import { element } from "./dom.js";

// A few lines of text beside what they are about, inside the frame that they belong to.
export class Tooltip {
  constructor(frame, node) {
    Object.assign(this, { frame, node });
  }

  hide() {
    this.node.hidden = true;
  }

  // Below a point of the screen, the first line in bold. `zoom` is that of the frame, for boxes are
  // measured on the screen.
  show(lines, { x, y, gap, zoom = 1 }) {
    const { frame, node } = this;
    node.hidden = false;
    node.replaceChildren(
      ...lines.map((text, index) => element(index ? "div" : "strong", { text })),
    );
    const box = frame.getBoundingClientRect();
    const middle = (x - box.left) / zoom - node.offsetWidth / 2;
    const left = Math.max(0, Math.min(middle, box.width / zoom - node.offsetWidth));
    node.style.left = `${left}px`;
    node.style.top = `${(y - box.top) / zoom + frame.scrollTop + gap}px`;
  }
}

import { element, shape } from "./dom.js";

// A drawing as a file: as it is (SVG) or as pixels (PNG).

const LOOKS = [
  "fill",
  "stroke",
  "stroke-width",
  "stroke-dasharray",
  "opacity",
  "font-size",
  "font-weight",
  "font-family",
  "text-anchor",
  "dominant-baseline",
  "text-decoration",
];

// The looks that come from the page are written into the copy, for a file has no page around it.
export function pictureOf(drawing, background) {
  const copy = drawing.cloneNode(true);
  const from = drawing.querySelectorAll("rect, text, path");
  const to = copy.querySelectorAll("rect, text, path");
  from.forEach((node, index) => {
    const style = getComputedStyle(node);
    for (const look of LOOKS) to[index].style.setProperty(look, style.getPropertyValue(look));
  });
  const size = ["width", "height"].map((side) => drawing.getAttribute(side));
  copy.setAttribute("viewBox", `0 0 ${size.join(" ")}`);
  const paper = shape("rect", { width: "100%", height: "100%" });
  paper.style.fill = background;
  copy.prepend(paper);
  return new XMLSerializer().serializeToString(copy);
}

export async function pixelsOf(picture, scale = 2) {
  const image = new Image();
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(picture)}`;
  await image.decode();
  const canvas = element("canvas", { width: scale * image.width, height: scale * image.height });
  canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
  return new Promise((resolve) => canvas.toBlob(resolve, "image/png"));
}

export function saveFile(content, type, name) {
  const link = element("a", { download: name });
  link.href = URL.createObjectURL(new Blob([content], { type }));
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

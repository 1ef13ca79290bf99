import js from "@eslint/js";

// What scripts may use of a browser. A name that is missing here is a mistake until it is added.
const BROWSER = [
  "Blob",
  "Image",
  "MutationObserver",
  "ResizeObserver",
  "URL",
  "URLSearchParams",
  "XMLSerializer",
  "clearInterval",
  "clearTimeout",
  "document",
  "getComputedStyle",
  "navigator",
  "setInterval",
  "setTimeout",
  "window",
];

// User text enters a page as text only.
const AS_HTML = ["innerHTML", "outerHTML", "insertAdjacentHTML", "setHTMLUnsafe", "srcdoc"];

const readonly = (names) => Object.fromEntries(names.map((name) => [name, "readonly"]));

export default [
  js.configs.recommended,
  {
    linterOptions: { reportUnusedDisableDirectives: "error" },
    rules: {
      complexity: ["error", 14],
      eqeqeq: ["error", "smart"],
      "max-lines-per-function": ["error", 60],
      // In a bundle modules share their names: none may hide one of the browser's.
      "no-shadow": ["error", { builtinGlobals: true }],
      "no-var": "error",
      "object-shorthand": "error",
      "one-var": ["error", "never"],
      "prefer-const": "error",
    },
  },
  {
    files: ["assets/**"],
    languageOptions: { globals: readonly(BROWSER) },
    rules: {
      "no-restricted-properties": ["error", ...AS_HTML.map((property) => ({ property }))],
    },
  },
  { files: ["tests/**"], languageOptions: { globals: readonly([...BROWSER, "globalThis"]) } },
];

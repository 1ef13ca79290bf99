// A key that is pressed together with another means something to the browser, not to the page.
export const hasModifier = ({ ctrlKey, metaKey, altKey }) => ctrlKey || metaKey || altKey;

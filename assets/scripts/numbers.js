// Numbers and words as a visitor reads them.

export const decimals = (value) => value.toFixed(3);

export const signed = (value) => (value < 0 ? "−" : "+") + decimals(Math.abs(value));

// "1 change", "1,200 changes"
export const counted = (number, [one, many]) =>
  `${number.toLocaleString("en")} ${number === 1 ? one : many}`;

export const shorten = (word, letters) =>
  word.length > letters ? `${word.slice(0, letters - 1)}…` : word;

// Numbers and words as a visitor reads them.

// With so many digits behind the point; null writes a value as it is.
export const decimals = (value, digits = 3) =>
  digits == null ? String(Number(value.toPrecision(6))) : value.toFixed(digits);

export const signed = (value, digits) =>
  (value < 0 ? "−" : "+") + decimals(Math.abs(value), digits);

// "1 change", "1,200 changes"
export const counted = (number, [one, many]) =>
  `${number.toLocaleString("en")} ${number === 1 ? one : many}`;

export const shorten = (word, letters) =>
  word.length > letters ? `${word.slice(0, letters - 1)}…` : word;

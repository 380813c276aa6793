/** Values of placeholders by their lower-case name. */
export type MessageValues = Readonly<Record<string, string>>;

const placeholder = /\{([a-z][a-z0-9_]*)\}/gi;

/**
 * Fills in the placeholders of a text. Unknown ones stay unchanged, because other braces are text. `adapt` escapes a
 * value for its context.
 */
export const fillText = (text: string, values: MessageValues, adapt: (value: string) => string = asIs): string =>
  text.replaceAll(placeholder, (whole, name: string) => {
    const key = name.toLowerCase();
    return Object.hasOwn(values, key) ? adapt(values[key] ?? "") : whole;
  });

/** A text that is JSON, or becomes JSON with its placeholders filled in, stays JSON whatever the values are. */
export const fillBody = (text: string, values: MessageValues): string =>
  fillText(text, values, isJson(text) ? asJson : asIs);

export const fillUrl = (text: string, values: MessageValues): string => fillText(text, values, encodeURIComponent);

/** Subjects and headers are one line. */
export const fillLine = (text: string, values: MessageValues): string =>
  fillText(text, values)
    .replaceAll(/[\r\n\t\0]+/g, " ")
    .trim();

/** Unknown placeholders of a text. */
export const unknownPlaceholders = (text: string, values: MessageValues): string[] =>
  [...text.matchAll(placeholder)]
    .filter(([, name = ""]) => !Object.hasOwn(values, name.toLowerCase()))
    .map(([whole]) => whole);

export const isJson = (text: string): boolean => {
  try {
    JSON.parse(text.replaceAll(placeholder, "0"));
    return /^\s*[{[]/.test(text);
  } catch {
    return false;
  }
};

const asIs = (value: string): string => value;
const asJson = (value: string): string => JSON.stringify(value).slice(1, -1);

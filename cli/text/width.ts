const graphemes = new Intl.Segmenter(undefined, { granularity: "grapheme" });
const wide =
  /^[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\ua960-\ua97c\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6\u{1b000}-\u{1b2ff}\u{20000}-\u{3fffd}]/u;
const emoji = /^\p{Emoji_Presentation}|\ufe0f/u;
const invisible = /^[\p{Mark}\p{Format}]/u;
const rightToLeft = /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u;

/** How many columns of a terminal a text takes. */
export const widthOf = (text: string): number => {
  let width = 0;
  for (const { segment } of graphemes.segment(text)) width += cells(segment);
  return width;
};

/** No wider than `columns`; what is cut ends in … and never inside a letter. */
export const cut = (text: string, columns: number): string => {
  if (widthOf(text) <= columns) return text;
  let kept = "";
  let width = 0;
  for (const { segment } of graphemes.segment(text)) {
    if (width + cells(segment) > columns - 1) break;
    kept += segment;
    width += cells(segment);
  }
  return columns > 0 ? `${kept.trimEnd()}…` : "";
};

/**
 * Puts foreign text on one line. Removes characters that move the cursor, colour the terminal or change the text
 * direction. Isolates right-to-left text, so that the columns beside it stay in place.
 */
export const plain = (text: string): string => {
  const line = text.replaceAll(/[\s\p{Control}]+/gu, " ").replaceAll(/[\u202a-\u202e\u2066-\u2069\u200e\u200f]/g, "");
  return rightToLeft.test(line) ? `\u2068${line}\u2069` : line;
};

/** The same for a text of several lines. */
export const plainLines = (text: string): string =>
  text.replaceAll(/\r\n?/g, "\n").replaceAll(/[^\P{Control}\n\t]/gu, "�");

/**
 * Whatever is written to a terminal: keeps line ends, tabs and the colours that this program makes. What else would move
 * the cursor, name the window or turn the text around becomes a mark.
 */
export const forTerminal = (text: string): string =>
  text.replaceAll(/\p{Control}\[\d{1,2}m|[^\P{Control}\n\t]|[\u202a-\u202e\u2066\u2067]/gu, (found) =>
    found.startsWith("\u001b[") ? found : "\ufffd",
  );

/** JSON in which the same characters are escaped. */
export const jsonForTerminal = (value: unknown): string =>
  JSON.stringify(value).replaceAll(
    /[\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g,
    (found) => `\\u${found.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );

const cells = (grapheme: string): number => {
  if (invisible.test(grapheme)) return 0;
  return wide.test(grapheme) || emoji.test(grapheme) ? 2 : 1;
};

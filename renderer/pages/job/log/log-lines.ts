/** Longer lines are cut into several, so that a file without line ends is still shown piece by piece. */
const longestLine = 1000;

export type Log = { readonly lines: readonly string[] /** Characters of the longest line. */; readonly width: number };

/** A log's text as lines that can be shown one by one. A carriage return begins a line: tools overwrite progress by it. */
export const splitLog = (text: string): Log => {
  if (text === "") return { lines: [], width: 0 };
  const lines: string[] = [];
  let width = 0;
  const whole = text.split(/\r\n|\n|\r/);
  if (whole.at(-1) === "") whole.pop();
  for (const line of whole) {
    for (let at = 0; at < line.length || at === 0; at += longestLine) {
      const piece = line.slice(at, at + longestLine);
      lines.push(piece);
      width = Math.max(width, piece.length);
    }
  }
  return { lines, width };
};

/** The search: a text in any case, or an expression between slashes; undefined if that is invalid. */
export const buildPattern = (sought: string): RegExp | undefined => {
  if (sought === "") return undefined;
  const expression = /^\/(.+)\/$/.exec(sought)?.[1];
  try {
    return new RegExp(expression ?? sought.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&"), "gi");
  } catch {
    return undefined; // it is still being typed
  }
};

/** The lines that match the search. */
export const findHits = (lines: readonly string[], sought: string): number[] => {
  const pattern = buildPattern(sought);
  if (!pattern) return [];
  return lines.flatMap((line, index) => (line.search(pattern) >= 0 ? [index] : []));
};

/** A line cut into pieces that match the search or do not. */
export const markHits = (line: string, sought: string): { readonly text: string; readonly isHit: boolean }[] => {
  const pattern = buildPattern(sought);
  const pieces: { text: string; isHit: boolean }[] = [];
  let at = 0;
  for (const { 0: text, index } of pattern ? line.matchAll(pattern) : []) {
    if (text === "") continue;
    if (index > at) pieces.push({ text: line.slice(at, index), isHit: false });
    pieces.push({ text, isHit: true });
    at = index + text.length;
  }
  if (at < line.length || pieces.length === 0) pieces.push({ text: line.slice(at), isHit: false });
  return pieces;
};

export type LineTone = "plain" | "warning" | "fault";

/** The first line that tells of a fault; -1 if none does. */
export const firstFault = (lines: readonly string[]): number => lines.findIndex((line) => toneOf(line) === "fault");

/** Lines that need attention, by the words that tools use in them. A command may name such words and mean no fault. */
export const toneOf = (line: string): LineTone => {
  if (line.startsWith("$ ")) return "plain";
  if (/\b(error|fatal|failed|invalid)\b/i.test(line)) return "fault";
  return /\bwarn(ing)?\b/i.test(line) ? "warning" : "plain";
};

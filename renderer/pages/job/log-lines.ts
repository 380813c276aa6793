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

/** Which lines have the text in them, whatever its case. */
export const findHits = (lines: readonly string[], text: string): number[] => {
  const wanted = text.toLowerCase();
  if (wanted === "") return [];
  return lines.flatMap((line, index) => (line.toLowerCase().includes(wanted) ? [index] : []));
};

/** A line cut into pieces that are, or are not, what was searched for. */
export const markHits = (line: string, text: string): { readonly text: string; readonly isHit: boolean }[] => {
  const wanted = text.toLowerCase();
  const folded = line.toLowerCase();
  // Where folding changes lengths, places in the folded line are none of the line.
  if (wanted === "" || folded.length !== line.length) return [{ text: line, isHit: false }];
  const pieces: { text: string; isHit: boolean }[] = [];
  let at = 0;
  for (let hit = folded.indexOf(wanted); hit >= 0; hit = folded.indexOf(wanted, at)) {
    if (hit > at) pieces.push({ text: line.slice(at, hit), isHit: false });
    at = hit + wanted.length;
    pieces.push({ text: line.slice(hit, at), isHit: true });
  }
  if (at < line.length) pieces.push({ text: line.slice(at), isHit: false });
  return pieces;
};

export type LineTone = "plain" | "warning" | "fault";

/** Lines that deserve an eye: tools say what they think of a line in words. */
export const toneOf = (line: string): LineTone => {
  if (/\b(error|fatal|failed|invalid)\b/i.test(line)) return "fault";
  return /\bwarn(ing)?\b/i.test(line) ? "warning" : "plain";
};

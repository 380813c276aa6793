import { type Line, type Span, TooMuchText } from "../cue.ts";
import type { TtmlLook } from "./looks.ts";

/** From a moment to another one, in milliseconds; the end, which may be infinite, is not included. */
export type Stretch = { readonly from: number; readonly to: number };

/** A look for a while (`set`). */
export type Change = Stretch & { readonly look: TtmlLook };

/** A text of a paragraph, or a line break where `text` is undefined, and when it is shown. */
export type Piece = Stretch & {
  readonly text: string | undefined;
  readonly look: TtmlLook;
  readonly changes: readonly Change[];
};

export type Shown = Stretch & { readonly lines: readonly Line[] };

/** How many pieces are looked at for all moments of a document. */
export const mostLooks = 4_000_000;

/** What is left of `mostLooks`. */
export type Budget = { left: number };

/**
 * What is seen of a paragraph from each moment to the next at which one of its texts comes, goes or changes its look.
 * Throws TooMuchText where the document has more of that than anybody reads.
 */
export const shownOf = (pieces: readonly Piece[], budget: Budget): Shown[] => {
  const looks = pieces.reduce((sum, { changes }) => sum + 1 + changes.length, 0);
  spend(budget, looks);
  const moments = momentsOf(pieces);
  spend(budget, looks * moments.length);
  const shown: Shown[] = [];
  for (const [at, from] of moments.entries()) {
    const to = moments[at + 1];
    if (to === undefined) break;
    const lines = linesOf(pieces, from);
    if (lines.length === 0) continue;
    const last = shown.at(-1);
    const goesOn = last?.to === from && JSON.stringify(last.lines) === JSON.stringify(lines);
    if (goesOn) shown.pop();
    shown.push({ from: goesOn ? last.from : from, to, lines });
  }
  return shown;
};

const spend = (budget: Budget, looks: number): void => {
  budget.left -= looks;
  if (budget.left < 0) throw new TooMuchText("its texts come and go at too many moments");
};

const momentsOf = (pieces: readonly Piece[]): number[] => {
  const within = ({ from, to, changes }: Piece): number[] => [
    from,
    to,
    ...changes.flatMap((change) => [change.from, change.to].filter((each) => each > from && each < to)),
  ];
  return [...new Set(pieces.flatMap(within))].sort((a, b) => a - b);
};

const linesOf = (pieces: readonly Piece[], moment: number): Line[] => {
  const lines: Span[][] = [[]];
  for (const { text, from, to, look, changes } of pieces) {
    if (from > moment || to <= moment) continue;
    if (text === undefined) lines.push([]);
    else {
      const now = changes.filter((change) => change.from <= moment && change.to > moment).map((change) => change.look);
      const { isHidden, ...seen }: TtmlLook = Object.assign({}, look, ...now);
      if (!isHidden) lines.at(-1)?.push({ text, ...seen });
    }
  }
  return lines.map(trimmed).filter((line) => line.some(({ text }) => text.trim() !== ""));
};

const trimmed = (line: readonly Span[]): Span[] =>
  line
    .map((span, at) => (at === 0 ? { ...span, text: span.text.trimStart() } : span))
    .map((span, at) => (at === line.length - 1 ? { ...span, text: span.text.trimEnd() } : span))
    .filter(({ text }) => text !== "");

import { usefulEnd } from "../../../shared/texts/useful-error-end.ts";

const name = /\S*[/\\]\S*|\d+/g;

/** An error without its paths and numbers: jobs that failed alike have the same. */
export const withoutNames = (error: string): string => usefulEnd(error).replaceAll(name, "…");

/** Shorter ones are in too many errors. */
const fewest = 6;

/** The longest words that all errors have which are alike, for the search of the list; undefined where there are none. */
export const wordsOfAll = (error: string): string | undefined => {
  const pieces = usefulEnd(error)
    .split(name)
    .map((piece) => piece.trim());
  const longest = pieces.reduce((best, piece) => (piece.length > best.length ? piece : best), "");
  return longest.length < fewest ? undefined : longest;
};

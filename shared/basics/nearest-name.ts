/** Longer words are nobody's slip of the keyboard: the time to compare two grows with the product of their lengths. */
const maxLetters = 60;

/** The name that was probably meant, if one is close enough: up to a third of its letters may be wrong. */
export const nearest = (word: string, names: readonly string[]): string | undefined => {
  if (word.length > maxLetters) return undefined;
  const near = names.flatMap((name) => {
    const most = Math.max(1, Math.ceil(name.length / 3));
    const away = name.startsWith(word) && word.length > 1 ? 1 : distanceUpTo(most, word, name);
    return away === undefined ? [] : [{ name, away }];
  });
  return near.sort((a, b) => a.away - b.away)[0]?.name;
};

/** Names beyond so many are not compared: who has more finds the right one by other means. */
const mostNames = 500;

/**
 * The end of a message about a name that there is not among those that a job or a farm has: the one that was probably meant,
 * as it would be written there; "" for none.
 */
export const didYouMean = (word: string, names: Iterable<string>, write: (name: string) => string = quoted): string => {
  const short = [...names].filter((name) => name.length <= maxLetters);
  const meant = short.length > mostNames ? undefined : nearest(word, short);
  return meant === undefined ? "" : `; did you mean ${write(meant)}?`;
};

const quoted = (name: string): string => JSON.stringify(name);

/** The distance of two texts if it is at most this many letters; texts of quite different lengths are not compared. */
export const distanceUpTo = (most: number, from: string, to: string): number | undefined => {
  if (Math.abs(from.length - to.length) > most || Math.max(from.length, to.length) > maxLetters) return undefined;
  const away = distance(from, to);
  return away <= most ? away : undefined;
};

/** The number of letters to insert, delete, change or swap with their neighbour. */
export const distance = (from: string, to: string): number => {
  const rows: number[][] = [Array.from({ length: to.length + 1 }, (_, index) => index)];
  for (let row = 1; row <= from.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= to.length; column += 1) {
      const isSame = from[row - 1] === to[column - 1];
      const isSwapped = from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1];
      const costs = [
        at(rows[row - 1], column) + 1,
        at(current, column - 1) + 1,
        at(rows[row - 1], column - 1) + (isSame ? 0 : 1),
        ...(isSwapped ? [at(rows[row - 2], column - 2) + 1] : []),
      ];
      current.push(Math.min(...costs));
    }
    rows.push(current);
  }
  return at(rows.at(-1), to.length);
};

const at = (row: readonly number[] | undefined, index: number): number => row?.[index] ?? Number.POSITIVE_INFINITY;

/** The name that was probably meant, if one is close enough: up to a third of its letters may be wrong. */
export const nearest = (word: string, names: readonly string[]): string | undefined => {
  const [best] = names
    .map((name) => ({ name, distance: name.startsWith(word) && word.length > 1 ? 1 : distance(word, name) }))
    .sort((a, b) => a.distance - b.distance);
  return best && best.distance <= Math.max(1, Math.ceil(best.name.length / 3)) ? best.name : undefined;
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

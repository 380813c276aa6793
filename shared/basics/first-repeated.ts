/** The first entry whose key an earlier entry has too. */
export const firstRepeated = <T>(
  list: readonly T[],
  keyOf: (entry: T) => unknown = (entry) => entry,
): T | undefined => {
  const seen = new Set<unknown>();
  for (const entry of list) {
    const key = keyOf(entry);
    if (seen.has(key)) return entry;
    seen.add(key);
  }
  return undefined;
};

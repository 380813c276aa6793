/**
 * The results of `perform` for each item, in order, with a limited number in parallel. After a failure no further item
 * begins; it rejects with the first error once the running ones have ended.
 */
export const mapInParallel = async <T, R>(
  items: readonly T[],
  atOnce: number,
  perform: (item: T) => Promise<R>,
): Promise<R[]> => {
  const results: R[] = [];
  const failures: unknown[] = [];
  const left = items.entries();
  const work = async (): Promise<void> => {
    for (const [index, item] of left) {
      if (failures.length > 0) return;
      try {
        results[index] = await perform(item);
      } catch (error) {
        failures.push(error);
      }
    }
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  if (failures.length > 0) throw failures[0];
  return results;
};

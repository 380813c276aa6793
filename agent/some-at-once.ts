/**
 * What `perform` makes of each item, in the order of the items, with so many at work at the same time. After a failure
 * none is begun; it rejects with the first one once those at work have ended.
 */
export const someAtOnce = async <T, R>(
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

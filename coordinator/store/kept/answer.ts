/**
 * Keeps the answer to a question that every request asks. Only the coordinator that leads changes what the store holds, so it asks
 * again after its own changes alone: whoever makes one says `forget` afterwards, also where its outcome is not known.
 */
export const keepAnswer = <T>(ask: () => Promise<T>) => {
  let kept: Promise<T> | undefined;
  const forget = (): void => {
    kept = undefined;
  };
  return {
    get: (): Promise<T> => {
      if (kept) return kept;
      const asked = ask();
      kept = asked;
      asked.catch(() => {
        if (kept === asked) forget();
      });
      return asked;
    },
    forget,
  };
};

/** One question names so many keys at most: its answer must not fill the memory. */
const mostKeys = 50;

/**
 * What is asked about within one turn of the loop goes to the server as one question. `read` makes of the answer what each
 * asker gets, so what cannot be read of one key fails for its asker alone.
 */
export const together = <Key, Answer, Found>(
  ask: (keys: readonly Key[]) => Promise<Answer>,
  read: (answer: Answer, key: Key) => Found,
): ((key: Key) => Promise<Found>) => {
  let next: { readonly keys: Set<Key>; readonly answer: Promise<Answer> } | undefined;
  const gather = () => {
    const keys = new Set<Key>();
    const gathered = {
      keys,
      answer: turnEnd().then(() => {
        if (next === gathered) next = undefined;
        return ask([...keys]);
      }),
    };
    return gathered;
  };
  return async (key) => {
    if (next === undefined || next.keys.size === mostKeys) next = gather();
    next.keys.add(key);
    return read(await next.answer, key);
  };
};

const turnEnd = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

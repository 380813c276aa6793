const mostRemembered = 1000;

export type Memory<T> = ReturnType<typeof createMemory<T>>;

/** Remembers as many as it may; the oldest goes first. */
export function createMemory<T>(most = mostRemembered) {
  const kept = new Map<string, T>();
  return {
    /** False if it is there already. */
    add: (key: string, value: T): boolean => {
      if (kept.has(key)) return false;
      kept.set(key, value);
      for (const oldest of kept.keys()) if (kept.size > most) kept.delete(oldest);
      return true;
    },
    take: (key: string): T | undefined => {
      const found = kept.get(key);
      kept.delete(key);
      return found;
    },
  };
}

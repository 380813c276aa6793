/** Runs a function that looks up rows by key, again and again until everything it asks for is loaded. */
export const loadOnDemand = async <V, T>(
  load: (key: string) => Promise<V>,
  run: (lookUp: (key: string) => V) => T | Promise<T>,
): Promise<T> => {
  const known = new Map<string, V>();
  for (;;) {
    try {
      return await run((key) => {
        if (!known.has(key)) throw new NotLoaded(key);
        return known.get(key) as V; // it is loaded, whatever its value
      });
    } catch (problem) {
      if (!(problem instanceof NotLoaded)) throw problem;
      known.set(problem.key, await load(problem.key));
    }
  }
};

/** Code that catches errors of a lookup must rethrow this one. */
class NotLoaded extends Error {
  override readonly name = "Unknown";
  readonly key: string;
  constructor(key: string) {
    super(`${key} is not loaded`);
    this.key = key;
  }
}

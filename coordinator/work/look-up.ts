/** Runs what looks things up by key, again and again until all that it asks for is loaded. */
export const lookingUp = async <V, T>(
  load: (key: string) => Promise<V>,
  run: (lookUp: (key: string) => V) => T | Promise<T>,
): Promise<T> => {
  const known = new Map<string, V>();
  for (;;) {
    try {
      return await run((key) => {
        if (!known.has(key)) throw new Unknown(key);
        return known.get(key) as V; // it is there, whatever it is
      });
    } catch (problem) {
      if (!(problem instanceof Unknown)) throw problem;
      known.set(problem.key, await load(problem.key));
    }
  }
};

/** Whoever catches what a lookup throws has to let this through. */
export class Unknown extends Error {
  override readonly name = "Unknown";
  readonly key: string;
  constructor(key: string) {
    super(`${key} is not loaded`);
    this.key = key;
  }
}

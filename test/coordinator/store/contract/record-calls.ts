import type { Store } from "../../../../coordinator/store/store.ts";

/** Names of all functions of an opened store, such as `load.job`. */
export const methodsOf = (part: object, path = ""): string[] =>
  Object.entries(part).flatMap(([name, value]) => {
    if (typeof value === "function") return [path + name];
    return isPart(value) ? methodsOf(value, `${path}${name}.`) : [];
  });

/** The same store; the names of the functions that are called go into `called`. */
export const recordCalls = (store: Store, called: Set<string>): Store => recorded(store, called, "") as Store; // same shape

const recorded = (part: object, called: Set<string>, path: string): object =>
  Object.fromEntries(
    Object.entries(part).map(([name, value]) => {
      if (typeof value === "function") return [name, recording(value, called, path + name)];
      return [name, isPart(value) ? recorded(value, called, `${path}${name}.`) : value];
    }),
  );

const recording =
  (run: (...args: unknown[]) => unknown, called: Set<string>, name: string) =>
  (...args: unknown[]): unknown => {
    called.add(name);
    return run(...args);
  };

const isPart = (value: unknown): value is object =>
  typeof value === "object" && value !== null && !(value instanceof AbortSignal);

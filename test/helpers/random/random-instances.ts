import type { GraphConnection } from "../../../shared/model/job-graph.ts";
import type { randomFrom } from "./random.ts";
import { aRandomGraph, type Fate, type RandomGraph } from "./random-graph.ts";

type Random = ReturnType<typeof randomFrom>;

/** A graph some of whose elements find batches, and what becomes of each instance once it runs. */
export type BatchedGraph = RandomGraph & {
  readonly enumerations: ReadonlySet<string>;
  readonly fails: (uid: string, path: string) => boolean;
  /** Batches that the enumeration finds where it succeeds. */
  readonly finds: (uid: string, path: string) => number;
};

export const aBatchedGraph = (random: Random, most: number): BatchedGraph => {
  const graph = aRandomGraph(random, most);
  const enumerations = new Set(graph.uids.filter(() => random.chance(0.35)));
  const salt = random.integer(1, 1_000_000);
  const rate = random.one([0, 0.1, 0.3]);
  return {
    ...graph,
    enumerations,
    fails: (uid, path) => hash(`${salt} fails ${uid} ${path}`) % 1000 < rate * 1000,
    finds: (uid, path) => hash(`${salt} finds ${uid} ${path}`) % 4,
  };
};

const hash = (text: string): number =>
  [...text].reduce((sum, letter) => Math.imul(sum ^ letter.charCodeAt(0), 16_777_619) >>> 0, 2_166_136_261) % 99_991;

/** One choice of batches: an enumeration's number, or null where its scope runs without one. */
type Env = ReadonlyMap<string, number | null>;
type Run = { readonly uid: string; readonly env: Env; readonly path: string; readonly fate: Fate };

/**
 * The design's words, carried out plainly: every instance is written down, and everything that is asked walks all of them.
 * Two instances belong together where they agree on the batches that they have in common.
 */
export const outcomeOf = (graph: BatchedGraph) => {
  const { uids, connections, enumerations } = graph;
  const scopes = scopesOf(graph);
  const runs: Run[] = [];
  const together = (uid: string, env: Env): Run[] =>
    runs.filter((run) => run.uid === uid && [...run.env].every(([key, nr]) => !env.has(key) || env.get(key) === nr));
  const seen = ({ uid, path, fate }: Run): Fate =>
    fate === "succeeded" && enumerations.has(uid) && graph.finds(uid, path) === 0 ? "skipped" : fate;
  const fold = (fates: readonly Fate[]): Fate => {
    if (fates.includes("failed")) return "failed";
    return fates.includes("succeeded") ? "succeeded" : "skipped";
  };
  const fired = (uid: string, env: Env): GraphConnection[] =>
    connections.filter(({ from, success, error }) => {
      const fate = fold(from.flatMap((each) => together(each, env).map(seen)));
      return (fate === "succeeded" && success.includes(uid)) || (fate === "failed" && error.includes(uid));
    });
  const envsOf = (scope: readonly string[]): Env[] =>
    scope.reduce<Env[]>(
      (envs, enumeration) =>
        envs.flatMap((env) => {
          const [run] = together(enumeration, env);
          if (!run) throw new Error("an enumeration stands before what it leads to");
          const found = run.fate === "succeeded" ? graph.finds(enumeration, run.path) : 0;
          const numbers = found > 0 ? [...Array(found).keys()] : [null];
          return numbers.map((nr) => new Map([...env, [enumeration, nr]]));
        }),
      [new Map()],
    );
  const inputs = new Map<string, string[]>();
  for (const uid of uids) {
    const incoming = connections.filter(({ success, error }) => success.includes(uid) || error.includes(uid));
    for (const env of envsOf(scopes.get(uid) ?? [])) {
      const path = [...env.values()].filter((nr) => nr !== null).join(".");
      const sources = fired(uid, env);
      const isStarted = incoming.length === 0 || sources.length > 0;
      runs.push({ uid, env, path, fate: isStarted ? (graph.fails(uid, path) ? "failed" : "succeeded") : "skipped" });
      const feeders = new Set(sources.flatMap(({ from }) => from));
      inputs.set(
        `${path}:${uid}`,
        [...feeders].flatMap((each) =>
          together(each, env).flatMap((run) => {
            if (!env.has(each)) return `${run.path}:${each}`;
            const nr = env.get(each);
            return nr === null ? [] : [`${run.path}:${each} ${nr}`];
          }),
        ),
      );
    }
  }
  const isHandled = ({ uid, env }: Run): boolean =>
    connections.some(
      ({ from, error }) =>
        from.includes(uid) &&
        error.length > 0 &&
        error.every((each) => fold(together(each, env).map(({ fate }) => fate)) === "succeeded"),
    );
  const failed = runs.filter(({ fate }) => fate === "failed");
  const unhandled = failed.filter((run) => !isHandled(run));
  return {
    fates: Object.fromEntries(runs.map(({ uid, path, fate }) => [`${path}:${uid}`, fate])),
    inputs,
    failed: failed.length,
    unhandled: unhandled.length,
    /** Runs are in the order of the definition, and then of batches. */
    first: unhandled[0] && `${unhandled[0].path}:${unhandled[0].uid}`,
  };
};

const scopesOf = ({ uids, connections, enumerations }: BatchedGraph): Map<string, string[]> => {
  const scopes = new Map<string, string[]>();
  for (const uid of uids) {
    const feeding = connections.flatMap(({ from, success, error }) => {
      if (!success.includes(uid) && !error.includes(uid)) return [];
      return from.map((each) => {
        const own = scopes.get(each) ?? [];
        return success.includes(uid) && enumerations.has(each) ? [...own, each] : own;
      });
    });
    const isPrefix = (a: readonly string[], b: readonly string[]) => a.every((each, at) => b[at] === each);
    const innermost = feeding.filter((a) => !feeding.some((b) => b.length > a.length && isPrefix(a, b)));
    const [first = []] = innermost;
    const common = first.filter((_, at) => innermost.every((each) => isPrefix(first.slice(0, at + 1), each)));
    scopes.set(uid, common);
  }
  return scopes;
};

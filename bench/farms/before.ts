import { resolve } from "node:path";
import { interleave, type Measure } from "../harness.ts";
import { type BusyFarm, openBusyFarm } from "./busy-page.ts";

/** A clone of another commit with its packages and built pages, which the pages of this one are held against; undefined: none. */
export const cloneBefore = process.env.BENCH_BEFORE === undefined ? undefined : resolve(process.env.BENCH_BEFORE);

type Wish = { readonly jobs: number; readonly say: (text: string) => void };
type Pair<T> = { readonly now: T; readonly before?: T };

/** The busy farm of this tree, and beside it that of the clone before. */
export const openBusyFarms = async (wish: Wish) => {
  await using stack = new AsyncDisposableStack();
  const now = stack.use(await openBusyFarm(wish));
  const before = cloneBefore === undefined ? undefined : stack.use(await openBusyFarm({ ...wish, clone: cloneBefore }));
  const opened = stack.move();
  return {
    /** Does something with each of them in turn, so many times. */
    measure: async <T>(rounds: number, act: (farm: BusyFarm) => Promise<T>): Promise<readonly Pair<T>[]> =>
      before === undefined
        ? interleave(rounds, { now: () => act(now) })
        : interleave(rounds, { now: () => act(now), before: () => act(before) }),
    /** One ratio a pair of what was measured now against before; nothing where nothing came before. */
    against: <T>(
      pairs: readonly Pair<T>[],
      measures: readonly (readonly [string, (each: T) => number])[],
    ): Measure[] =>
      before === undefined
        ? []
        : measures.map(([name, of]) => ({
            ...{ name, reference: "the clone before", target: 1 },
            ratios: pairs.flatMap(({ now, before }) => (before === undefined ? [] : [of(now) / of(before)])),
          })),
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  };
};

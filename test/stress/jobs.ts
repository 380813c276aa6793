import { aCopyTo, aFileSource, type ElementJson, type Job } from "../helpers/farm/job-builders.ts";
import type { randomFrom } from "../helpers/random/random.ts";

/** Tags that some nodes provide and some elements ask for. */
export const stormTags = ["night", "big", "colour"] as const;

type Random = ReturnType<typeof randomFrom>;

/** A job of one of the storm's shapes: a chain, a fan, or a chain with a branch for its errors. */
export const aStormJob = (random: Random, index: number): Job => {
  const place = `${index}-${random.integer(0, 1e9)}`;
  const shape = random.one(["chain", "fan", "rescued"] as const);
  const copies = Array.from({ length: random.integer(1, 3) }, (_, nth) => aStormCopy(random, place, nth));
  const source = { ...aFileSource(`/media/${index % 500}.mov`), task: retries(random) };
  return {
    name: `storm ${index}`,
    priority: random.one([50, 100, 100, 100, 200]),
    payload: { elements: [source, ...copies], connections: connectionsOf(shape, copies) },
  };
};

const aStormCopy = (random: Random, place: string, nth: number): ElementJson => ({
  ...aCopyTo(`/out/${place}/${nth}`, { existing_files: random.one(["fail", "replace"]) }),
  uid: `copy_${nth}`,
  task: { ...retries(random), tags: random.chance(0.2) ? [random.one(stormTags)] : [] },
});

const retries = (random: Random) =>
  random.chance(0.5)
    ? { retry_method: "retry", retry: { count: random.integer(1, 3), delay_sec: 0 } }
    : { retry_method: "fail" };

const connectionsOf = (shape: "chain" | "fan" | "rescued", copies: readonly ElementJson[]) => {
  const [first, ...rest] = copies.map(({ uid }) => ({ element: uid }));
  if (!first) return [];
  const from = [{ element: "source" }];
  if (shape === "fan") return [{ from, to: { success: [first, ...rest] } }];
  if (shape === "rescued") {
    const rescue = rest.length > 0 ? [{ from: [first], to: { success: [], error: rest } }] : [];
    return [{ from, to: { success: [first] } }, ...rescue];
  }
  return [
    source(first),
    ...rest.map((each, nth) => ({ from: [[first, ...rest][nth] ?? first], to: { success: [each] } })),
  ];
};

const source = (first: { element: string }) => ({ from: [{ element: "source" }], to: { success: [first] } });

import { causeNames } from "../../shared/model/failure.ts";
import type { Outcome } from "../../shared/protocol/messages.ts";
import type { randomFrom } from "../helpers/random/random.ts";

type Random = ReturnType<typeof randomFrom>;

/** What can go wrong with an attempt, and how often of a thousand. The rest go well. */
const acts = {
  /** Ends with a cause of the table. */
  fails: 80,
  /** Refuses for want of room, as a node does that holds too many. */
  refuses: 10,
  /** Says everything twice. */
  repeats: 50,
  /** Reports outputs that it never asked to publish. */
  liesUngranted: 10,
  /** Reports another file than the one that it published. */
  liesStranger: 10,
  /** Asks and reports for an attempt of somebody else's. */
  steals: 20,
  /** Says something that is no message. */
  babbles: 5,
} as const;
export type Act = keyof typeof acts | "works";

/** What befalls a whole node between two steps of an attempt, of a thousand steps. */
const blows = {
  /** The line is cut; the node goes on and comes back. */
  cut: 15,
  /** The agent dies; what was verified or reported is on its disk. */
  crash: 8,
  /** The machine stands still for a while, and wakes when its work may have been given away. */
  freeze: 6,
  /** Nothing is heard or said for a while, but the work goes on. */
  partition: 6,
} as const;
export type Blow = keyof typeof blows | "none";

export const chooseAct = (random: Random): Act => chooseFrom(random, acts, "works");
export const chooseBlow = (random: Random): Blow => chooseFrom(random, blows, "none");

const chooseFrom = <K extends string, R extends string>(
  random: Random,
  weights: Readonly<Record<K, number>>,
  rest: R,
): K | R => {
  let left = random.integer(0, 999);
  for (const name of Object.keys(weights) as K[]) {
    left -= weights[name];
    if (left < 0) return name;
  }
  return rest;
};

export const someFailure = (random: Random): Outcome => ({
  outcome: "failed",
  failure: { cause: random.one(causeNames), message: "the storm broke it" },
});

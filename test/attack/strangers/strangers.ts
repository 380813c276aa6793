import { startFarm } from "../../helpers/processes/farm-processes.ts";
import type { Attack, Random } from "../attack.ts";
import { kinds } from "./kinds.ts";
import { openSubmitter, submitFor } from "./measure.ts";
import { type KindName, kindNames, type Outcome, tryKind } from "./try-kind.ts";
import { openWorld } from "./world.ts";

/** As many tries try every kind, long enough to tell of the slowest submit in a hundred. */
const wholeTries = 40;

/**
 * Strangers and ordinary users who do their worst while somebody else submits: how much longer that takes, what memory
 * the coordinator needs, and when all is as before.
 */
export const strangers: Attack = {
  name: "strangers",
  run: async ({ random, tries, only = [] }) => {
    const isWhole = tries >= wholeTries;
    const named = kindNames.filter((name) => only.length === 0 || only.some((word) => name.includes(word)));
    const chosen = isWhole ? named : someOf(named, tries + 1, random);
    const needsTls = (kind: KindName) => "needsTls" in kinds[kind];
    if (isWhole) console.log(titleOf());
    const outcomes = [
      ...(await tryAll(
        chosen.filter((kind) => !needsTls(kind)),
        isWhole,
        false,
      )),
      ...(await tryAll(chosen.filter(needsTls), isWhole, true)),
    ];
    const fell = outcomes.filter((outcome) => !isHeld(outcome, isWhole)).map(lineOf);
    return [{ what: "kinds of them", tried: chosen.length, fell }];
  },
};

/** Tries these kinds on a farm of their own, beside one that is left in peace. */
const tryAll = async (chosen: readonly KindName[], isWhole: boolean, isTls: boolean): Promise<Outcome[]> => {
  if (chosen.length === 0) return [];
  await using farm = await startFarm({ isTls, isUnwatched: isWhole });
  await using quiet = await startFarm({ isTls, isUnwatched: isWhole });
  const world = await openWorld(farm);
  const submitter = openSubmitter(farm.baseUrl, world.other, farm.ca);
  const control = openSubmitter(quiet.baseUrl, (await openWorld(quiet)).other, quiet.ca);
  const victim = { world, submitter, control, pid: () => farm.coordinator().child.pid ?? 0 };
  const outcomes: Outcome[] = [];
  // Programs are slow at first.
  await Promise.all([submitter, control].map((each) => submitFor(each, isWhole ? 3000 : 1000)));
  for (const kind of chosen) {
    const outcome = await tryKind(kind, victim, isWhole ? 6000 : 1500);
    outcomes.push(outcome);
    if (isWhole) console.log(lineOf(outcome));
  }
  for (const each of [submitter, control]) each.close();
  return outcomes;
};

const someOf = <T>(list: readonly T[], count: number, random: Random): T[] =>
  Array.from({ length: count }, () => random.one(list));

/** A quiet submit may be quicker than what a busy machine's clock can tell apart. */
const leastMs = 10;
const mostMegabytes = 300;

/**
 * What is promised of the slowest submit in a hundred and of the time after, on a machine that does nothing else. A short
 * measurement tells only what stops a farm: its middle is judged, and whether all is as before at all.
 */
const promised = { ratio: 3, recoveryMs: 5000 };
const inShort = { ratio: 10, recoveryMs: 59_000 };

const isHeld = (outcome: Outcome, isWhole: boolean): boolean => {
  const [quiet, under] = isWhole ? [outcome.quietMs, outcome.underMs] : [outcome.quietHalfMs, outcome.underHalfMs];
  const { ratio, recoveryMs } = isWhole ? promised : inShort;
  return (
    under <= ratio * Math.max(quiet, leastMs) && outcome.grew <= mostMegabytes && outcome.recoveredMs <= recoveryMs
  );
};

/** The table's columns: what stands above each, and what it says of an outcome. */
const columns: readonly (readonly [title: string, width: number, of: (outcome: Outcome) => string])[] = [
  ["kind", 52, ({ kind }) => kind],
  ["who", 8, ({ kind }) => kinds[kind].who],
  ["p99 quiet", 10, ({ quietMs }) => `${quietMs.toFixed(0)} ms`],
  ["p99 under", 10, ({ underMs }) => `${underMs.toFixed(0)} ms`],
  ["ratio", 6, ({ quietMs, underMs }) => (underMs / Math.max(quietMs, leastMs)).toFixed(1)],
  ["p50", 16, ({ quietHalfMs, underHalfMs }) => `${quietHalfMs.toFixed(0)} -> ${underHalfMs.toFixed(0)} ms`],
  ["memory", 8, ({ grew }) => `+${grew.toFixed(0)} MB`],
  ["as before after", 16, ({ recoveredMs }) => `${(recoveredMs / 1000).toFixed(1)} s`],
];

const titleOf = (): string => columns.map(([title, width]) => title.padEnd(width)).join(" ");
const lineOf = (outcome: Outcome): string =>
  columns
    .map(([, width, of]) => of(outcome).padEnd(width))
    .join(" ")
    .trimEnd();

import { afterAll, describe, expect, test } from "vitest";
import { type ChaosResult, runChaos } from "../../chaos/chaos.ts";
import { faults } from "../../chaos/faults.ts";
import { hasSmallDisks } from "../../chaos/world.ts";
import { times, turn } from "../../helpers/long.ts";
import { ffmpegPath } from "../../helpers/media/media-tools.ts";
import { randomFrom } from "../../helpers/random/random.ts";

const seed = Number(process.env.MEDIAFARM_SEED ?? turn + 1);
/** Faults that one farm goes through before it is audited. */
const together = 8;
const results: ChaosResult[] = [];

/** All faults, shuffled, a handful a farm, again and again: with enough farms every fault comes. */
const rounds = (count: number): string[][] => {
  const random = randomFrom(seed);
  const waiting: string[] = [];
  const draw = (): string => {
    if (waiting.length === 0) waiting.push(...faults.keys());
    return waiting.splice(random.integer(0, waiting.length - 1), 1)[0] ?? "";
  };
  return Array.from({ length: count }, () => Array.from({ length: together }, draw));
};

describe.concurrent("nothing is lost, stuck, shown without a grant or left behind", () => {
  for (const [index, names] of rounds(times(1, 3, 30)).entries()) {
    const isReal = ffmpegPath !== undefined && index % 2 === 1;
    test(`seed ${seed}.${index}${isReal ? " with ffmpeg" : ""}: ${names.join("; ")}`, {
      timeout: 400_000,
    }, async () => {
      const result = await runChaos({ seed: seed * 1000 + index, isReal }, names);
      results.push(result);
      expect(result.findings).toEqual({ lost: [], stuck: [], ungranted: [], leftBehind: [], unlike: [] });
      // Where hardly anybody died at the planned moment, nothing was tried.
      const died = result.deaths.filter(Boolean).length;
      expect(died, String(result.deaths)).toBeGreaterThanOrEqual(result.deaths.length / 2);
    });
  }
});

/** What a run by hand reports. */
afterAll(() => {
  const sum = (count: (result: ChaosResult) => number) => results.reduce((total, each) => total + count(each), 0);
  const deaths = `${sum((each) => each.deaths.filter(Boolean).length)} of ${sum((each) => each.deaths.length)}`;
  console.log(
    `chaos, seed ${seed}: ${results.length * together} faults on ${results.length} farms, ${faults.size} kinds of them;`,
    `${sum(({ jobs }) => jobs)} jobs; ${deaths} planned deaths came about;`,
    `${sum(({ findings }) => findings.lost.length)} lost, ${sum(({ findings }) => findings.stuck.length)} stuck,`,
    `${sum(({ findings }) => findings.ungranted.length)} targets with bytes that were not granted,`,
    `${sum(({ findings }) => findings.leftBehind.length)} temporary files,`,
    `${sum(({ findings }) => findings.unlike.length)} batches after which memory was not as the store`,
  );
  if (!hasSmallDisks) console.log("No disk ran full: mounting small ones takes root");
});

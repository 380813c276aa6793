import { describe, expect, test } from "vitest";
import { runChaos } from "../chaos/chaos.ts";
import { faults } from "../chaos/faults.ts";
import { times } from "../helpers/long.ts";
import { ffmpegPath } from "../helpers/media-tools.ts";
import { randomFrom } from "../helpers/random.ts";

const seed = Number(process.env.MEDIAFARM_SEED ?? 1);
/** Faults that one farm goes through before it is audited. */
const together = 8;

/** All faults in a random order, as often as asked, a handful a farm. */
const rounds = (count: number): string[][] => {
  const random = randomFrom(seed);
  const lists: string[][] = [];
  for (let list: string[] = []; lists.length < count; list = []) {
    while (list.length < together) list.push(random.one([...faults.keys()]));
    lists.push(list);
  }
  return lists;
};

describe("nothing is lost, stuck, shown without a grant or left behind", () => {
  for (const [index, names] of rounds(times(3, 30)).entries()) {
    const isReal = ffmpegPath !== undefined && index % 2 === 1;
    test(`seed ${seed}.${index}${isReal ? " with ffmpeg" : ""}: ${names.join("; ")}`, {
      timeout: 400_000,
    }, async () => {
      const { violations, deaths } = await runChaos({ seed: seed * 1000 + index, isReal }, names);
      expect(violations).toEqual([]);
      // Where hardly anybody died at the planned moment, nothing was tried.
      expect(deaths.filter(Boolean).length, String(deaths)).toBeGreaterThanOrEqual(deaths.length / 2);
    });
  }
});

import { startFarm } from "../../helpers/processes/farm-processes.ts";
import type { Attack, Tally } from "../attack.ts";
import { tries as all } from "./tries.ts";
import { openWorld } from "./world.ts";

/** Whoever stands outside of a boundary tries to get across: strangers, programs, people, foreign pages. */
export const boundaries: Attack = {
  name: "boundaries",
  run: async ({ only = [] }) => {
    // Jobs that wait for a node are to wait as long as all of this takes.
    await using farm = await startFarm({ timing: { capabilityWaitMs: 3_600_000 } });
    const world = await openWorld(farm);
    const tallies = new Map<string, { tried: number; fell: string[] }>();
    for (const [group, what, attempt] of all) {
      if (only.length > 0 && !only.some((word) => group.includes(word))) continue;
      const tally = tallies.get(group) ?? { tried: 0, fell: [] };
      tallies.set(group, tally);
      tally.tried += 1;
      const got = await attempt(world).catch((problem) => `it broke: ${problem}`);
      if (got) tally.fell.push(`${what}: ${got}`);
    }
    const errors = farm.errors().map((each) => JSON.stringify(each).slice(0, 500));
    return [
      ...[...tallies].map(([what, tally]): Tally => ({ what, ...tally })),
      { what: "the coordinator's own errors", tried: 1, fell: errors },
    ];
  },
};

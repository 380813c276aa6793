import { shareAt } from "../world/places.ts";
import type { Invariant } from "./invariant.ts";

/** It looks once a second whether its owner is there. */
const noticingMs = 3000;

export const owners: readonly Invariant[] = [
  {
    name: "the owner's machine",
    says: "While its owner works at it, a machine that suspends work or gives it back starts nothing for the farm.",
    check: ({ now, isDiskCalm }) => ({
      started: (machine, program, args) => {
        const { owner, isUsed, since } = machine.desk;
        if (!owner || owner.onReturn === "finish" || !isUsed) return [];
        const awake = machine.life()?.resumed() ?? 0;
        const isWork = args.some((word) => word.startsWith(`${shareAt}/`));
        if (!isWork || !isDiskCalm(machine) || now() - Math.max(since, awake) < noticingMs) return [];
        return [`${machine.name} starts ${program}, and its owner is there`];
      },
    }),
  },
];

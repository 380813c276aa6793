import { elementOf } from "../../shared/elements/index.ts";
import type { JobShare } from "../memory/progress.ts";
import type { JobValue } from "../memory/values.ts";

/** Effort done and total; skipped work does not count, and failed work is never done. */
export const shareOf = ({ runs, tasks }: JobValue): JobShare => {
  const share = { done: 0, total: 0, tasks: new Map<number, number>() };
  const work = Map.groupBy(
    [...tasks.values()].filter(({ purpose }) => purpose === "work"),
    ({ element_uid }) => element_uid,
  );
  for (const run of runs.values()) {
    if (run.state === "skipped") continue;
    const effort = elementOf(run.kind)?.effort ?? 10;
    share.total += effort;
    if (run.state === "succeeded") share.done += effort;
    if (run.state !== "running") continue;
    const own = work.get(run.uid) ?? [];
    for (const { id, state } of own) {
      if (state === "completed") share.done += effort / own.length;
      else share.tasks.set(id, effort / own.length);
    }
  }
  return share;
};

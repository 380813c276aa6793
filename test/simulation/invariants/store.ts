import { isAsStored } from "../../helpers/farm/audited-store.ts";
import { openEnds, strayAttempts, strayTasks } from "../../helpers/farm/store-audit.ts";
import type { Invariant } from "./invariant.ts";
import { atStore, storeOf } from "./requests.ts";

/** What the farm says of a task that it gives up, although it has retries left. */
const mayFail = /ended while they ran this task|Its node was lost \d+ times/;

const isTriedAgain = (asked: ReadonlySet<string>): boolean =>
  ["retry", "requeue", "go on"].some((each) => asked.has(each));

export const store: readonly Invariant[] = [
  {
    name: "memory is the store",
    says: "After every batch, what the coordinator decides on is what its store holds.",
    check: (seen) => ({
      settled: (farm, jobs) =>
        jobs.flatMap((id) => (atStore(seen, () => isAsStored(farm, id)) ? [] : [`job ${id} differs from the store`])),
    }),
  },
  {
    name: "everything ends",
    says: "After the last fault, one task after the other ends within a bounded time, until every job has ended, and its tasks and attempts with it.",
    check: (seen) => ({ ended: () => openEnds(storeOf(seen)) }),
  },
  {
    name: "no job fails for a fault",
    says: "A job whose retries are left does not fail for a fault of a machine, a disk, a line or a store. Only where the agents of several nodes ended over one task, or its nodes were lost time and again, it does, and says so.",
    check: (seen) => ({
      ended: () => {
        const asked = new Map(seen.sent().map((each) => [each.id, each.asked]));
        return storeOf(seen).jobs.flatMap(({ id, status, error }) =>
          status === "failed" && !asked.get(id)?.has("stop") && !mayFail.test(error ?? "")
            ? [`job ${id} failed: ${error}`]
            : [],
        );
      },
    }),
  },
  {
    name: "one attempt",
    says: "A task has one open attempt at most, its numbers of retries and losses are those of its attempts, and one of them made what it shows.",
    check: (seen) => ({
      ended: () => {
        const image = storeOf(seen);
        const byHand = new Set(
          seen.sent().flatMap(({ id, asked }) => (id !== undefined && isTriedAgain(asked) ? [id] : [])),
        );
        return [...strayTasks({ ...image, byHand }), ...strayAttempts(image)];
      },
    }),
  },
];

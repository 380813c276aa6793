import { isAsStored } from "../../helpers/farm/audited-store.ts";
import { openEnds, strayAttempts, strayTasks } from "../../helpers/farm/store-audit.ts";
import type { Invariant } from "./invariant.ts";
import { storeOf } from "./requests.ts";

export const store: readonly Invariant[] = [
  {
    name: "memory is the store",
    says: "After every batch, what the coordinator decides on is what its store holds.",
    check: (seen) => ({
      written: (jobs) => {
        const farm = seen.farm();
        return jobs.flatMap((id) => (farm && !isAsStored(farm, id) ? [`job ${id} differs from the store`] : []));
      },
    }),
  },
  {
    name: "everything ends",
    says: "After the last fault, every job ends within a bounded time, and its tasks and attempts with it.",
    check: (seen) => ({ ended: () => openEnds(storeOf(seen)) }),
  },
  {
    name: "one attempt",
    says: "A task has one open attempt at most, its numbers of retries and losses are those of its attempts, and one of them made what it shows.",
    check: (seen) => ({ ended: () => [strayTasks, strayAttempts].flatMap((check) => check(storeOf(seen))) }),
  },
];

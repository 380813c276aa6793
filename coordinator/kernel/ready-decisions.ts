import type { Clock } from "../../shared/basics/clock.ts";
import type { createBatchWriter } from "./batch-writer.ts";
import { CacheMiss } from "./cache-miss.ts";
import type { createDecider } from "./decider.ts";
import type { createPendingLoads } from "./pending-loads.ts";
import type { ChangeRequest, createRequestLines } from "./request-lines.ts";

type Parts = {
  readonly clock: Clock;
  readonly nextTurn: () => Promise<void>;
  readonly lines: ReturnType<typeof createRequestLines>;
  readonly loads: ReturnType<typeof createPendingLoads>;
  readonly decider: ReturnType<typeof createDecider>;
  readonly writer: ReturnType<typeof createBatchWriter>;
};

/** After this many milliseconds in one turn of the loop, further decisions wait for the next turn. */
const longestMs = 10;

/** Makes the decisions that wait for nothing. */
export const createReadyDecisions = ({ clock, nextTurn, lines, loads, decider, writer }: Parts) => {
  const next = (): ChangeRequest | undefined => {
    const first = lines.first();
    return first && writer.hasRoomFor(first) ? first : undefined;
  };

  const decideOne = (request: ChangeRequest): void => {
    const found = decider.decide(request, (key) => lines.isBehind(request, key));
    if (found instanceof CacheMiss) {
      if (lines.join(request, found.keys)) loads.start(request, found);
      return;
    }
    lines.leave(request);
    writer.add(found);
  };

  return {
    next,
    /** In the order of asking, as far as time allows; also those whose rows the store has at hand. */
    decide: async (): Promise<void> => {
      const [until, slow] = [clock.monotonic() + longestMs, new Set(loads.all())];
      for (;;) {
        for (let request = next(); request && clock.monotonic() < until; request = next()) decideOne(request);
        const begun = loads.all().filter((load) => !slow.has(load));
        if (begun.length === 0) return;
        await Promise.race([Promise.all(begun), nextTurn()]);
        for (const load of begun) slow.add(load);
      }
    },
  };
};

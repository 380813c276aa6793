import type { Change } from "../../../coordinator/store/batch.ts";
import { type AttemptRow, fenceOf } from "../../../coordinator/store/rows.ts";
import { type CoordinatorMessage, type Fence, fenceKey } from "../../../shared/protocol/messages.ts";
import type { Invariant } from "./invariant.ts";

export const told: readonly Invariant[] = [
  {
    name: "told as stored",
    says: "A node is told to begin or keep only attempts that the store has open with it. It hears that a report is stored only when the store has the attempt's end, and still its job.",
    check: ({ now }) => {
      const book = createBook(now);
      return {
        written: ({ epoch, changes }) => {
          book.lead(epoch);
          for (const change of changes) book.read(change);
          // The ends of its attempts are beside it.
          for (const { table, before, after } of changes)
            if (table === "jobs" && before && !after) book.forget(before.id);
          return [];
        },
        // What a coordinator says that has been followed by another one is refused by its epoch.
        said: (node, message) =>
          "epoch" in message && message.epoch === book.epoch()
            ? wrongIn(message, book).map((why) => `${node} ${why}`)
            : [],
      };
    },
  },
];

const wrongIn = (message: CoordinatorMessage, book: ReturnType<typeof createBook>): readonly string[] => {
  if (message.type === "welcome")
    return message.keep
      .filter((fence) => book.holderOf(fence) !== message.nodeId)
      .map((fence) => `keeps ${fenceKey(fence)}, which is not open with it`);
  if (message.type === "assign" && book.holderOf(message.assignment.fence) === undefined)
    return [`begins ${fenceKey(message.assignment.fence)}, which is over`];
  if (message.type === "stored" && !book.hasEnd(message.fence))
    return [`hears that the report of ${fenceKey(message.fence)} is stored, and it is not`];
  return [];
};

/**
 * A job may be deleted between the moment at which a report was stored and the word of it: a slow disk takes seconds to flush
 * the one, and the other is written meanwhile.
 */
const underWayMs = 15_000;

/** Which attempts the store has, open and ended. */
const createBook = (now: () => number) => {
  const open = new Map<string, AttemptRow>();
  const ended = new Map<string, AttemptRow>();
  /** When what had ended went with its job. */
  const gone = new Map<string, number>();
  let last = 0;
  return {
    epoch: (): number => last,
    lead: (epoch: number): void => {
      last = Math.max(last, epoch);
    },
    holderOf: (fence: Fence): number | undefined => open.get(fenceKey(fence))?.node_id,
    hasEnd: (fence: Fence): boolean => {
      const since = gone.get(fenceKey(fence));
      return ended.has(fenceKey(fence)) || (since !== undefined && now() - since <= underWayMs);
    },
    forget: (job: number): void => {
      for (const [key, row] of ended) if (row.job_id === job) gone.set(key, now());
      for (const rows of [open, ended]) for (const [key, row] of rows) if (row.job_id === job) rows.delete(key);
    },
    read: (change: Change): void => {
      if (change.table !== "attempts" || !change.after) return;
      const key = fenceKey(fenceOf(change.after));
      const isOpen = change.after.ended === null;
      (isOpen ? ended : open).delete(key);
      (isOpen ? open : ended).set(key, change.after);
    },
  };
};

import type { Batch } from "../../../coordinator/store/batch.ts";
import { addressOf } from "../world/keeper.ts";
import type { Machine } from "../world/machine.ts";
import type { Invariant, Seen } from "./invariant.ts";
import { storeOf } from "./requests.ts";

/** After it stood still, a program may go on so long before it looks at the time. */
const wakingMs = 200;
/** So long nobody may lead. */
export const takeoverBoundMs = 5000;
/** Whoever gave the lead away waits so long for another one to take it. */
const lettingMs = 10_000;

/** What several coordinators promise. */
export const leading: readonly Invariant[] = [
  {
    name: "one after the other",
    says: "The batches of two coordinators never interleave: whoever began to lead later wrote all of theirs later, and each batch follows the one before it.",
    check: () => {
      let last: { readonly batch: Batch; readonly by: Machine } | undefined;
      return {
        written: (batch, by) => {
          const before = last;
          last = { batch, by };
          return before ? outOfOrder(before, last) : [];
        },
      };
    },
  },
  {
    name: "silent without a lease",
    says: "A coordinator whose lease has ended leads no longer and tells nodes nothing, whatever its clock says. Only one that stood still until then may end what it was saying.",
    check: ({ leading: shared, coordinators, acting, now }) => {
      const wrong = (by: Machine | undefined, does: string): string[] => {
        if (!shared || !by || now() - (by.life()?.resumed() ?? 0) < wakingMs) return [];
        const holder = shared.lease.current()?.address;
        return holder === addressOf(by) ? [] : [`${by.name} ${does}, and ${holder ?? "nobody"} has the lease`];
      };
      return {
        told: (host, { type }) =>
          wrong(
            coordinators.find((each) => hostOf(each) === host),
            `says ${type}`,
          ),
        passed: () => acting().flatMap((each) => wrong(each, "leads")),
      };
    },
  },
  {
    name: "kept over a takeover",
    says: "What was acknowledged before another coordinator took over is there when it begins to lead.",
    check: (seen) => ({
      led: (by) => {
        const ids = new Set(storeOf(seen).jobs.map(({ id }) => id));
        return seen.sent().flatMap(({ id, key, asked, done }) => {
          if (id === undefined) return [];
          if (!ids.has(id) && !asked.has("delete")) return [`${by.name} leads without job ${id} (${key})`];
          return ids.has(id) && done.has("delete") ? [`${by.name} leads with job ${id}, which was deleted`] : [];
        });
      },
    }),
  },
  {
    name: "taken over soon",
    says: "When a lease has ended, and a coordinator is there that reaches the store, one leads within five seconds.",
    check: (seen) => {
      const { leading: shared, now } = seen;
      if (!shared) return {};
      const watch = createWatch(seen, shared);
      return {
        gave: (by) => {
          watch.letsUntil.set(by, now() + lettingMs);
          return [];
        },
        passed: () => {
          const since = watch.vacantSince();
          const ms = since === undefined ? 0 : now() - since;
          return ms > takeoverBoundMs ? [`nobody has led for ${Math.round(ms)} ms`] : [];
        },
      };
    },
  },
];

const hostOf = (machine: Machine): string => new URL(addressOf(machine)).host;

type Written = { readonly batch: Batch; readonly by: Machine };

const outOfOrder = (before: Written, { batch, by }: Written): string[] => {
  const [from, to] = [before.batch, batch];
  const said = `batch ${to.nr} of epoch ${to.epoch} by ${by.name}`;
  const after = `batch ${from.nr} of epoch ${from.epoch} by ${before.by.name}`;
  if (to.epoch < from.epoch) return [`${said} was written after ${after}`];
  if (to.epoch > from.epoch) return to.nr === 1 ? [] : [`${said} is the first of its epoch`];
  return to.nr === from.nr + 1 && by === before.by ? [] : [`${said} was written after ${after}`];
};

/** Since when nobody leads although somebody could. */
const createWatch = ({ coordinators, farm, now }: Seen, { lease, linkOf, isCalm }: NonNullable<Seen["leading"]>) => {
  const letsUntil = new Map<Machine, number>();
  const able = new Map<Machine, { readonly life: unknown; readonly since: number }>();
  let [calmSince, ledAt] = [0, 0];
  const note = (machine: Machine): void => {
    const life = machine.life();
    const link = linkOf(machine.name);
    // Who gives the lead away waits first for what became of its batches.
    const isHeldUp = link.isStalled() || link.isLate();
    const isAble = life && life.resumed() !== Number.POSITIVE_INFINITY && !isHeldUp;
    if (!isAble) able.delete(machine);
    else if (able.get(machine)?.life !== life) able.set(machine, { life, since: now() });
  };
  const sinceOf = (machine: Machine): number =>
    Math.max(able.get(machine)?.since ?? Number.POSITIVE_INFINITY, letsUntil.get(machine) ?? 0);
  return {
    letsUntil,
    vacantSince: (): number | undefined => {
      for (const each of coordinators) note(each);
      if (!isCalm()) calmSince = now();
      const held = lease.current();
      const holder = coordinators.find((each) => addressOf(each) === held?.address);
      if (held && holder) {
        const isLed = farm()?.config.address === held.address;
        if (isLed) ledAt = now();
        return isLed ? undefined : Math.max(calmSince, ledAt, held.taken, sinceOf(holder));
      }
      return Math.max(calmSince, ledAt, lease.free(), Math.min(...coordinators.map(sinceOf)));
    },
  };
};

import { readSealingKey } from "../../../coordinator/store/cipher.ts";
import { openStore } from "../../../coordinator/store/open-store.ts";
import { type Lease, type Store, standbyMs } from "../../../coordinator/store/store.ts";
import type { Loop } from "../engine/loop.ts";
import { keepAsTemplate } from "../system/database.ts";
import type { Machine } from "./machine.ts";
import { dataDir } from "./places.ts";

/** The way from one coordinator to the store. */
export type Link = {
  readonly carry: (act: () => void, moreMs?: number) => void;
  /** Called when the next batch has left; gives how much longer it is on its way than usual. */
  atBatch: (() => number) | undefined;
  /** Whoever waits for an answer hears that there will be none. */
  readonly waiting: Set<() => void>;
  /** Carries nothing until it goes on: neither side learns of it. */
  readonly stall: () => void;
  readonly isStalled: () => boolean;
  /** A batch is longer on its way than usual. */
  readonly isLate: () => boolean;
  readonly goOn: () => void;
  /** Connections break: what was on its way to the store is lost, what it does already goes on. */
  readonly reset: () => void;
};

/** What the database server does with a request. */
export type Transaction = {
  /** Waits for the row that says who leads, and keeps it to the end. */
  readonly isLocked: boolean;
  /** How long it takes. */
  readonly ms: number;
};

export type StoreServer = ReturnType<typeof createStoreServer>;

const opening = { dataDir };

/**
 * One database for all coordinators, on a machine of its own that nothing happens to: real SQLite in the place of the
 * server's engine. What PostgreSQL adds to it is here: transactions that go on after their client is gone, a lock of the
 * leader's row, and the lease by this machine's clock alone.
 */
export const createStoreServer = (machine: Machine, loop: Loop, delayMs: () => number) => {
  const life = machine.start(() => new Promise(() => undefined));
  const { plain, key } = life.run(() => ({
    plain: openStore(opening).then((store) => {
      keepAsTemplate(`${dataDir}/farm.db`);
      return store;
    }),
    key: readSealingKey(dataDir).toString("base64"),
  }));
  const links = new Map<string, Link>();
  let last: Promise<unknown> = Promise.resolve();
  const locked = new Set<{ readonly began: number }>();
  let epoch = 0;

  return {
    machine,
    /** Encrypts secrets, for all coordinators. */
    key,
    /** The last epoch that was begun. */
    epoch: (): number => epoch,
    linkOf: (name: string): Link => {
      const link = links.get(name) ?? createLink(loop, delayMs);
      links.set(name, link);
      return link;
    },
    /** One transaction: it happens at once, when its time is over. */
    perform: <T>({ isLocked, ms }: Transaction, act: (store: Store) => Promise<T>): Promise<T> => {
      // What only reads, or is one statement, is done somewhere in between; a transaction with its commit.
      const [before, after] = isLocked ? [ms, 0] : [ms / 4, (3 * ms) / 4];
      const run = () =>
        new Promise<T>((resolve, reject) => {
          const answer = (how: () => void) => (after > 0 ? void life.after(after, how) : how());
          life.after(before, () => {
            void plain.then(act).then(
              (value) => answer(() => resolve(value)),
              (problem) => answer(() => reject(problem)),
            );
          });
        });
      if (!isLocked) return run();
      const mine = { began: loop.now() };
      locked.add(mine);
      const done = last.then(run, run).finally(() => locked.delete(mine));
      last = done.catch(() => undefined);
      return done;
    },
    /** How long whoever waits longest has waited for the leader's row, or kept it. */
    longestMs: (): number => Math.max(0, ...[...locked].map(({ began }) => loop.now() - began)),
    lead: async (store: Store, atLeast: number) => {
      const found = await store.lead(atLeast);
      epoch = found.epoch;
      return found;
    },
    lease: createLeaseRow(loop, machine.clock.rate),
  };
};

const createLink = (loop: Loop, delayMs: () => number): Link => {
  const waiting = new Set<() => void>();
  let held: (() => void)[] | undefined;
  let late = 0;
  const carry = (act: () => void, moreMs = 0): void => {
    late += moreMs > 0 ? 1 : 0;
    loop.after(delayMs() + moreMs, () => {
      late -= moreMs > 0 ? 1 : 0;
      if (held) held.push(act);
      else act();
    });
  };
  return {
    ...{ carry, waiting, atBatch: undefined },
    isStalled: () => held !== undefined,
    isLate: () => late > 0,
    stall: () => {
      held ??= [];
    },
    goOn: () => {
      const all = held ?? [];
      held = undefined;
      for (const each of all) carry(each);
    },
    reset: () => {
      for (const each of [...waiting]) each();
    },
  };
};

/** Another coordinator has the lease while this is later than the server's clock. */
const never = Number.NEGATIVE_INFINITY;

type LeaseRow = { holder: string | undefined; address: string; until: number; term: number };

/** Times are those of the loop. */
export type HeldLease = { readonly address: string; readonly taken: number; readonly free: number };

/** The statements of `coordinator/store/postgres/lease.ts`, by this clock. */
const createLeaseRow = (loop: Loop, rate: number) => {
  const now = () => loop.now() * rate;
  /** When it was taken, and had become free before; and when it was given. */
  let [taken, free] = [0, 0];
  const row: LeaseRow = { holder: undefined, address: "", until: never, term: 0 };
  const standbys = new Map<string, { readonly address: string; readonly seen: number }>();
  const take: Lease["take"] = async ({ holder, address, ms }) => {
    const isFree = row.holder === undefined || row.until < now();
    if (row.holder !== holder && !isFree) return undefined;
    const term = row.holder === holder ? row.term : row.term + 1;
    if (row.holder !== holder) {
      if (row.holder !== undefined) free = row.until / rate;
      taken = loop.now();
    }
    Object.assign(row, { holder, address, until: now() + ms, term });
    return term;
  };
  const statements: Lease = {
    take,
    give: async (holder) => {
      if (row.holder !== holder) return;
      Object.assign(row, { holder: undefined, until: never });
      free = loop.now();
    },
    leader: async () => (row.holder !== undefined && row.until > now() ? row : undefined),
    wait: async ({ holder, address }) => void standbys.set(holder, { address, seen: now() }),
    leave: async (holder) => void standbys.delete(holder),
    standbys: async () => {
      const seen = [...standbys.values()].filter((each) => each.seen > now() - standbyMs);
      return [...new Set(seen.map(({ address }) => address))].sort();
    },
  };
  return {
    ...statements,
    /** Who holds it now; undefined: nobody. */
    current: (): HeldLease | undefined =>
      row.holder !== undefined && row.until > now() ? { address: row.address, taken, free } : undefined,
    /** Since when nobody has it, if nobody has. */
    free: (): number => (row.holder === undefined ? free : row.until / rate),
  };
};

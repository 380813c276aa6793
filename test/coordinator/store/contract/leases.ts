import { expect } from "vitest";
import type { Contract } from "./contract.ts";

/** Which of several coordinators leads, where the store admits several. */
export const leases: Contract = {
  "one holds the lease at a time, and keeps its term while it prolongs": async ({ lease }) => {
    if (!lease) return;
    const [one, two] = ["one", "two"].map((holder) => ({ holder, address: `http://${holder}`, ms: 60_000 }));
    if (!one || !two) throw new Error("two holders");
    expect(await lease.leader()).toBeUndefined();
    const taken = await Promise.all([lease.take(one), lease.take(two)]);
    expect(taken.filter((term) => term !== undefined)).toHaveLength(1);
    const [first, second] = taken[0] === undefined ? [two, one] : [one, two];
    const term = taken[0] ?? taken[1] ?? 0;
    expect([await lease.take(first), await lease.take(second)]).toEqual([term, undefined]);
    expect(await lease.leader()).toEqual({ address: first.address, term });
    await lease.give(second.holder);
    expect(await lease.take(second)).toBeUndefined();
    await lease.give(first.holder);
    expect([await lease.leader(), await lease.take(second)]).toEqual([undefined, term + 1]);
  },

  "a lease that has ended is free, and holds no one": async ({ lease }) => {
    if (!lease) return;
    const ended = { holder: "one", address: "http://one", ms: -1 };
    const term = await lease.take(ended);
    expect(await lease.leader()).toBeUndefined();
    expect(await lease.take({ ...ended, holder: "two", ms: 60_000 })).toBe((term ?? 0) + 1);
    expect(await lease.take(ended)).toBeUndefined();
  },

  "those who stand by are known until they leave": async ({ lease }) => {
    if (!lease) return;
    expect(await lease.standbys()).toEqual([]);
    for (const holder of ["two", "one", "one"]) await lease.wait({ holder, address: `http://${holder}` });
    expect(await lease.standbys()).toEqual(["http://one", "http://two"]);
    await lease.leave("one");
    expect(await lease.standbys()).toEqual(["http://two"]);
  },
};

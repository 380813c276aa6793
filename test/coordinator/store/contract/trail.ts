import { expect } from "vitest";
import { type NewTrailLine, noHash, trailHash } from "../../../../coordinator/store/trail.ts";
import type { Contract } from "./contract.ts";

export const aLine = (about: string, more: Partial<NewTrailLine> = {}): NewTrailLine => ({
  ...{ at: 1_790_000_000_123, who: "Ada (person 1)", origin: "192.0.2.7", action: "stopJob", outcome: "done", about },
  ...more,
});

const ids = (rows: readonly { readonly id: number }[]): number[] => rows.map(({ id }) => id);

/** What was changed or refused. */
export const trail: Contract = {
  "of lines: numbered and chained, in whichever additions they come": async ({ trail: { add, after, ends } }) => {
    expect([await ends(), await after(0, 9)]).toEqual([undefined, []]);
    await add([aLine("job_id=1"), aLine('note="Ä, \\"quoted\\" 𝄞"')], 100);
    await add([], 100);
    await add([aLine("job_id=3", { who: "ben", outcome: "NOT_ALLOWED" })], 100);
    const rows = await after(0, 9);
    const [first, second, third] = rows;
    expect(ids(rows)).toEqual([1, 2, 3]);
    expect(first).toEqual({ ...aLine("job_id=1"), id: 1, hash: trailHash(noHash, { ...aLine("job_id=1"), id: 1 }) });
    expect(third?.hash).toBe(trailHash(second?.hash ?? "", { ...third, id: 3 } as never)); // it is there
    expect(await ends()).toEqual({ first: 1, before: noHash, last: 3, hash: third?.hash, isSealed: true });
    expect([ids(await after(1, 9)), ids(await after(0, 2)), ids(await after(3, 9))]).toEqual([[2, 3], [1, 2], []]);
  },

  "of lines by their words, outcomes and numbers, the newest first": async ({ trail: { add, find } }) => {
    await add(
      [aLine("job_id=1"), aLine("name=50%_done"), aLine("job_id=3", { who: "BEN", outcome: "NOT_ALLOWED" })],
      100,
    );
    const found = async (search: Parameters<typeof find>[0], take = 9) => ids(await find(search, take));
    expect([await found({}), await found({}, 2), await found({ before: 3 })]).toEqual([
      [3, 2, 1],
      [3, 2],
      [2, 1],
    ]);
    expect([await found({ text: "Ben" }), await found({ text: "JOB_ID=" }), await found({ text: "%_" })]).toEqual([
      [3],
      [3, 1],
      [2],
    ]);
    expect([await found({ outcome: "done" }), await found({ outcome: "refused" })]).toEqual([[2, 1], [3]]);
    expect(await found({ text: "192.0.2.7", outcome: "done", before: 2 })).toEqual([1]);
  },

  "of so many lines as are kept: the anchor is the hash of the last one that went": async ({ trail: t }) => {
    await t.add(
      [1, 2, 3, 4, 5].map((nr) => aLine(`nr=${nr}`)),
      100,
    );
    const all = await t.after(0, 9);
    await t.add([aLine("nr=6")], 3);
    expect(ids(await t.after(0, 9))).toEqual([4, 5, 6]);
    expect(await t.ends()).toMatchObject({ first: 4, before: all[2]?.hash, last: 6, isSealed: true });
  },
};

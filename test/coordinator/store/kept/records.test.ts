import { expect, test } from "vitest";
import { keepRecords } from "../../../../coordinator/store/kept/records.ts";
import type { RecordStore } from "../../../../coordinator/store/records.ts";

/** Records in memory, which notes what it was asked for. */
const aStore = () => {
  const values = new Map<string, string>();
  const asked: string[] = [];
  let isAway = false;
  let isLate = false;
  let late: () => void = () => undefined;
  const records: RecordStore = {
    get: async (kind, key) => {
      asked.push(`${kind} ${key}`);
      if (isAway) throw new Error("away");
      return values.get(`${kind} ${key}`);
    },
    all: async () => [],
    change: async (kind, key, decide) => {
      const before = values.get(`${kind} ${key}`);
      const after = decide(before, { all: 0, own: 0, allBytes: 0, ownBytes: 0 });
      const store = () => after !== undefined && values.set(`${kind} ${key}`, after);
      if (isLate) {
        late = store;
        throw new Error("nobody knows");
      }
      store();
      if (isAway) throw new Error("its end was not heard");
      return { before, after };
    },
    version: async () => 0,
  };
  return {
    asked,
    records: keepRecords(records),
    /** From now on what is changed is stored only when the returned function is called. */
    delay: () => {
      isLate = true;
      return () => {
        isLate = false;
        late();
      };
    },
    away: (is: boolean): void => {
      isAway = is;
    },
  };
};

test("a record of the farm is asked for once, also where there is none, and again after it was changed", async () => {
  const { records, asked } = aStore();
  const seen = [await records.get("farm", "a"), await records.get("farm", "a"), await records.get("mounts", "all")];
  await records.change("farm", "a", () => "1");
  seen.push(...(await Promise.all([records.get("farm", "a"), records.get("farm", "a"), records.get("mounts", "all")])));
  expect([seen, asked]).toEqual([
    [undefined, undefined, undefined, "1", "1", undefined],
    ["farm a", "mounts all", "farm a"],
  ]);
});

test("keys that strangers name are not kept", async () => {
  const { records, asked } = aStore();
  for (const _ of [1, 2]) await records.get("join_token", "guessed");
  expect(asked).toEqual(["join_token guessed", "join_token guessed"]);
});

test("a change of which nobody knows whether it is stored is looked up; a question that failed is asked again", async () => {
  const { records, away } = aStore();
  expect(await records.get("farm", "a")).toBe(undefined);
  away(true);
  await expect(records.change("farm", "a", () => "1")).rejects.toThrow("not heard");
  await expect(records.get("farm", "a")).rejects.toThrow("away");
  away(false);
  expect(await records.get("farm", "a")).toBe("1");
});

test("a change that was given up, and is stored later all the same, is seen", async () => {
  const { records, asked, delay } = aStore();
  const arrive = delay();
  await expect(records.change("farm", "a", () => "1")).rejects.toThrow("nobody knows");
  expect(await records.get("farm", "a")).toBe(undefined);
  arrive();
  expect(await records.get("farm", "a")).toBe("1");
  await records.change("farm", "a", () => "2");
  expect([await records.get("farm", "a"), await records.get("farm", "a")]).toEqual(["2", "2"]);
  expect(asked).toHaveLength(3); // kept again
});

import { expect } from "vitest";
import type { Others } from "../../../../coordinator/store/records.ts";
import type { Contract } from "./contract.ts";

/** What the farm keeps and people set. */
export const records: Contract = {
  "keeps records by kind and key, in the order of their keys' bytes": async (store) => {
    for (const key of ["b", "\u{1f600}", "B", "\uff5e"]) await store.records.change("view", key, () => `v${key}`);
    await store.records.change("farm", "b", () => "of another kind");
    expect((await store.records.all("view")).map(({ key }) => key)).toEqual(["B", "b", "\uff5e", "\u{1f600}"]);
    expect(await store.records.change("view", "b", () => undefined)).toEqual({ before: "vb", after: undefined });
    expect([await store.records.get("view", "b"), await store.records.get("farm", "b")]).toEqual([
      undefined,
      "of another kind",
    ]);
    expect(await store.records.all("preset")).toEqual([]);
  },

  "changes records one after the other, and tells a change how many others there are": async (store) => {
    const add = (text: string) =>
      store.records.change("farm", "list", (before) => JSON.stringify([...JSON.parse(before ?? "[]"), text]));
    await Promise.all([add("one"), add("two"), add("three")]);
    expect(JSON.parse((await store.records.get("farm", "list")) ?? "[]").sort()).toEqual(["one", "three", "two"]);
    const seen: string[] = [];
    const put = (key: string, owner?: string) =>
      store.records.change(
        "preset",
        key,
        (_, { all, own }) => {
          seen.push(`${key} ${all} ${own}`);
          return `${seen.length}`;
        },
        owner,
      );
    for (const key of ["a", "b", "a"]) await put(key);
    for (const key of ["c", "d", "c", "a"]) await put(key, "ana");
    await put("e", "ben");
    await put("c", "ben");
    await put("d", "ana");
    expect(seen).toEqual(["a 0 0", "b 1 0", "a 1 0", "c 2 0", "d 3 1", "c 3 1", "a 3 2", "e 4 0", "c 4 1", "d 4 1"]);
  },

  "tells a change how many bytes the others have": async (store) => {
    await store.records.change("preset", "x", () => "äö", "ana");
    await store.records.change("preset", "y", () => "123");
    const seen: unknown[] = [];
    const look = (_: string | undefined, { allBytes, ownBytes }: Others): string => {
      seen.push([allBytes, ownBytes]);
      return "z";
    };
    await store.records.change("preset", "z", look, "ana");
    await store.records.change("preset", "z", look, "ben");
    await store.records.change("preset", "z", look);
    expect(seen).toEqual([
      [7, 4],
      [7, 0],
      [7, 0],
    ]);
  },

  "a change of a record that throws changes nothing, and versions rise with changes alone": async (store) => {
    const before = await store.records.version("view");
    await store.records.change("view", "a", () => "1");
    const changed = await store.records.version("view");
    expect(changed).toBeGreaterThan(before);
    const refused = store.records.change("view", "a", () => {
      throw new Error("there is no room");
    });
    await expect(refused).rejects.toThrow("there is no room");
    await store.records.change("view", "a", (same) => same);
    await store.records.change("farm", "a", () => "2");
    expect([await store.records.get("view", "a"), await store.records.version("view")]).toEqual(["1", changed]);
  },
};

import { expect } from "vitest";
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
    const seen: number[] = [];
    for (const key of ["a", "b", "a"])
      await store.records.change("preset", key, (_, others) => {
        seen.push(others);
        return "{}";
      });
    expect(seen).toEqual([0, 1, 1]);
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

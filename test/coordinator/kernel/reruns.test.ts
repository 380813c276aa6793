import { expect, test } from "vitest";
import { CacheMiss } from "../../../coordinator/kernel/cache-miss.ts";
import { createTransaction } from "../../../coordinator/kernel/transaction.ts";
import { createValues } from "../../../coordinator/kernel/values.ts";
import { createRegistry } from "../../../coordinator/nodes/registry.ts";
import { listedFiles } from "../../../coordinator/planning/listings.ts";
import { factsTask } from "../../../coordinator/planning/plan-tasks.ts";
import { waitingRun } from "../../../coordinator/store/rows.ts";

const missOf = (act: () => unknown): unknown => {
  try {
    act();
  } catch (problem) {
    if (problem instanceof CacheMiss) return problem.needs;
    throw problem;
  }
  return undefined;
};
const rowsIn = (needs: unknown) =>
  Object.fromEntries(Object.entries(needs as object).filter(([, rows]) => rows.length > 0)); // lists

test("the facts of all files that an element asks for are asked for together", () => {
  const draft = createTransaction(createValues());
  const registry = createRegistry({ lateMs: 1, lostMs: 2 });
  const need = ["file:///a", "file:///b", "file:///c"].map((uri) => ({ fact: "probe", uri }) as const);
  const run = waitingRun({ uid: "src", kind: "source", name: "src", payload: {}, tags: [] } as never); // what is read of it
  expect(rowsIn(missOf(() => factsTask({ registry }, draft, run, need)))).toEqual({
    facts: ["file:///a", "file:///b", "file:///c"],
  });
});

test("all pages of a listing are asked for together", () => {
  const draft = createTransaction(createValues());
  expect(rowsIn(missOf(() => listedFiles(draft, 7, 150, 450)))).toEqual({
    listings: [0, 1, 2].map((page) => ({ task: 7, page })),
  });
});

test("what the parts of a decision lack is asked for together, and a problem that follows from it is not told", () => {
  const draft = createTransaction(createValues());
  draft.part(() => draft.works([1, 2]));
  draft.part(() => draft.facts("file:///a"));
  draft.part(() => {
    throw new Error("follows");
  });
  expect(rowsIn(draft.missed()?.needs)).toEqual({ works: [1, 2], facts: ["file:///a"] });
});

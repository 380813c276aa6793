import { describe, expect, test } from "vitest";
import type { Store } from "../../../../coordinator/store/store.ts";
import { alerts } from "./alerts.ts";
import { batches } from "./batches.ts";
import type { Contract } from "./contract.ts";
import { files } from "./files.ts";
import { history } from "./history.ts";
import { jobReads } from "./job-reads.ts";
import { leases } from "./leases.ts";
import { lists } from "./lists.ts";
import { loads } from "./loads.ts";
import { pageLists } from "./page-lists.ts";
import { people } from "./people.ts";
import { methodsOf, recordCalls } from "./record-calls.ts";
import { records } from "./records.ts";
import { starts } from "./starts.ts";
import { trail } from "./trail.ts";
import { values } from "./values.ts";
import { webhooks } from "./webhooks.ts";

const contracts: Readonly<Record<string, Contract>> = {
  ...{
    batches,
    values,
    starts,
    loads,
    lists,
    "lists of the pages": pageLists,
    "reads of jobs": jobReads,
    history,
    files,
  },
  ...{ records, alerts, "people and programs": people, leases },
  ...{ "what was changed or refused": trail, "what webhooks are told": webhooks },
};

/** What every implementation of the store has to do alike. `open` gives one without data each time. */
export const describeStore = (name: string, open: () => Promise<Store>): void => {
  const called = new Set<string>();
  describe.each(Object.entries(contracts))(`the ${name} store: %s`, (_, contract) => {
    test.each(Object.entries(contract))("%s", async (_fact, holds) => {
      const store = recordCalls(await open(), called);
      try {
        await holds(store);
      } finally {
        await store.close();
      }
    });
  });

  test(`the ${name} store has no method that this suite never called`, async () => {
    const store = await open();
    expect(methodsOf(store).filter((method) => !called.has(method))).toEqual([]);
    expect(methodsOf(store).length).toBeGreaterThan(50);
    await store.close();
  });
};

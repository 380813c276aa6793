import { noOthers, type RecordStore } from "../../../coordinator/store/records.ts";

/** Records in memory, by their keys alone: where a test needs no other store. */
export const memoryRecords = (values = new Map<string, string>()): RecordStore => ({
  get: async (_, key) => values.get(key),
  all: async () => [...values].map(([key, value]) => ({ key, value })),
  change: async (_, key, decide) => {
    const before = values.get(key);
    const after = decide(before, { ...noOthers, all: values.size - (before === undefined ? 0 : 1) });
    if (after === undefined) values.delete(key);
    else values.set(key, after);
    return { before, after };
  },
  version: async () => 0,
});

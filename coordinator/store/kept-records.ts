import { keepAnswer } from "./kept-answer.ts";
import type { RecordKind, RecordStore } from "./records.ts";

/** Those with a few keys, which nobody outside chooses. Each node that joins and each request asks for some of them. */
const keptKinds: ReadonlySet<RecordKind> = new Set(["farm", "mounts"]);

/** Records of the coordinator that leads: it alone changes them, so it reads most of them from memory. */
export const keepRecords = (records: RecordStore): RecordStore => {
  const kept = new Map<string, ReturnType<typeof keepAnswer<string | undefined>>>();
  const keptOf = (kind: RecordKind, key: string) => {
    const name = `${kind} ${key}`;
    const known = kept.get(name) ?? keepAnswer(() => records.get(kind, key));
    kept.set(name, known);
    return known;
  };
  return {
    ...records,
    get: (kind, key) => (keptKinds.has(kind) ? keptOf(kind, key).get() : records.get(kind, key)),
    change: (kind, key, ...how) =>
      records.change(kind, key, ...how).finally(() => kept.get(`${kind} ${key}`)?.forget()),
  };
};

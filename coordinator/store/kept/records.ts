import type { RecordKind, RecordStore } from "../records.ts";
import { keepAnswer } from "./answer.ts";

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
  /** A change is under way, or nobody knows what became of the last one: the store may have another value any time. */
  const open = new Set<string>();
  return {
    ...records,
    get: (kind, key) =>
      keptKinds.has(kind) && !open.has(`${kind} ${key}`) ? keptOf(kind, key).get() : records.get(kind, key),
    change: async (kind, key, ...how) => {
      const name = `${kind} ${key}`;
      if (!keptKinds.has(kind)) return records.change(kind, key, ...how);
      open.add(name);
      try {
        const changed = await records.change(kind, key, ...how);
        open.delete(name);
        return changed;
      } catch (problem) {
        open.add(name); // another one may have ended well meanwhile
        throw problem;
      } finally {
        kept.get(name)?.forget();
      }
    },
  };
};

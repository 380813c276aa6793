import { type Bound, mayUse } from "../../shared/credentials/vault.ts";
import type { FarmMount } from "../../shared/files/mounts.ts";
import type { ComputeGroup } from "../../shared/model/compute-group.ts";
import type { Reach } from "../schedule/reach.ts";
import type { NodeRow } from "../store/rows.ts";
import { buildNodeFacts, type Connection, type NodeEntries, type NodeEntry, newEntry } from "./node-entry.ts";

type BoundEntry = { readonly name: string; readonly bound: Bound };

/** The enrolled nodes, and what each of them and all together provide. */
export const createKnownNodes = (entries: NodeEntries, groupOf: (name: string) => ComputeGroup | undefined) => {
  let farmMounts: readonly FarmMount[] = [];
  let entriesBound: readonly BoundEntry[] = [];
  let reach: Reach | undefined;
  const facts = (row: NodeRow) => {
    const usable = entriesBound.flatMap(({ name, bound }) => (mayUse(bound, row) ? [name] : []));
    return buildNodeFacts(row, row.group === null ? undefined : groupOf(row.group), farmMounts, usable);
  };

  const put = (row: NodeRow, now: number): NodeEntry => {
    reach = undefined;
    const known = entries.get(row.id);
    if (known) return Object.assign(known, { row, facts: facts(row), free: undefined });
    const entry = newEntry(row, facts(row), now);
    entries.set(row.id, entry);
    return entry;
  };

  /** Recomputes the facts of nodes after a change outside their own profiles. */
  const refresh = (isMeant: (row: NodeRow) => boolean = () => true): void => {
    for (const { row } of entries.values()) if (isMeant(row)) put(row, 0);
  };

  return {
    put,
    /** Its reported free scratch space, in bytes. */
    setDisk: (nodeId: number, disk: number | undefined): void => {
      const entry = entries.get(nodeId);
      if (!entry || disk === undefined) return;
      entry.facts = { ...entry.facts, capacity: { ...entry.facts.capacity, disk } };
      entry.free = undefined;
    },
    /** Forgets the node; the caller closes its connection. */
    remove: (nodeId: number): Connection | undefined => {
      const connection = entries.get(nodeId)?.connection;
      entries.delete(nodeId);
      reach = undefined;
      return connection;
    },
    row: (nodeId: number): NodeRow | undefined => entries.get(nodeId)?.row,
    rows: (): NodeRow[] => [...entries.values()].map(({ row }) => row),
    /** What a group provides has changed. */
    refreshGroup: (name: string): void => refresh(({ group }) => group === name),
    /** The mounts of the whole farm, which nodes have in addition to their own. */
    mount: (mounts: readonly FarmMount[]): void => {
      farmMounts = mounts;
      refresh();
    },
    /** The entries of the credentials vault that only some nodes may use. */
    bind: (bound: readonly BoundEntry[]): void => {
      entriesBound = bound;
      refresh();
    },
    /** The storage that all nodes together can reach. */
    reach: (): Reach => {
      reach ??= reachOfAll(entries);
      return reach;
    },
  };
};

const reachOfAll = (entries: NodeEntries): Reach => {
  const all = [...entries.values()].map(({ facts }) => facts);
  return {
    prefixes: new Set(all.flatMap(({ prefixes }) => [...prefixes])),
    capabilities: new Set(all.flatMap(({ capabilities }) => [...capabilities])),
  };
};

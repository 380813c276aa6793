import type { FactsRow, NodeRow, SubmissionName, SubmissionRow, Tables, WatchedFileRow } from "../../store/rows.ts";
import { submissionId } from "../values.ts";
import type { Notes } from "./notes.ts";

/** Changes of nodes, of small tables, of watched folders, of facts about files, and of the names of submissions. */
export const otherChanges = ({ values, putIn, putRow, nextId, known }: Notes) => ({
  node: (id: number): NodeRow | undefined => values.nodes.get(id),
  insertNode: (row: Omit<NodeRow, "id">): NodeRow => {
    const after = { id: nextId("nodes"), ...row };
    putRow(values.nodes, after.id, { table: "nodes", key: [after.id], before: undefined, after });
    return after;
  },
  setNode: (before: NodeRow, changed: Partial<NodeRow>): NodeRow => {
    const after = { ...before, ...changed };
    putRow(values.nodes, before.id, { table: "nodes", key: [before.id], before, after });
    return after;
  },
  /** A row of a small table that is in memory as a whole; undefined removes it. */
  setRow: <N extends "groups" | "limits">(
    table: N,
    map: Map<string, Tables[N]>,
    key: string,
    after: Tables[N] | undefined,
  ): void => putRow(map, key, { table, key: [key], before: map.get(key), after }),
  /** A file of a watched folder; undefined forgets it. */
  setWatchedFile: (
    watch: string,
    map: Map<string, WatchedFileRow>,
    uri: string,
    after: WatchedFileRow | undefined,
  ): void => {
    const before = map.get(uri);
    const job = (after ?? before)?.owner ?? undefined;
    putRow(map, uri, { table: "watchedFiles", key: [watch, uri], before, after, job });
  },

  facts: (uri: string): FactsRow | undefined => known(values.facts, uri, () => ({ facts: [uri] })),
  setFacts: (uri: string, after: FactsRow): void => {
    const before = known(values.facts, uri, () => ({ facts: [uri] }));
    putIn(values.facts, uri, { table: "facts", key: [uri], before, after });
  },
  dropFacts: (uri: string): void => {
    const before = known(values.facts, uri, () => ({ facts: [uri] }));
    if (before) putIn(values.facts, uri, { table: "facts", key: [uri], before, after: undefined });
  },
  submission: (name: SubmissionName): SubmissionRow | undefined =>
    known(values.submissions, submissionId(name), () => ({ submissions: [name] })),
  setSubmission: (name: SubmissionName, after: SubmissionRow): void => {
    const before = values.submissions.get(submissionId(name));
    putIn(values.submissions, submissionId(name), { table: "submissions", key: [name.who, name.key], before, after });
  },
});

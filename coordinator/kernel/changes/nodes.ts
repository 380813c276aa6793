import type { NodeRow, SubmissionName, SubmissionRow, Tables } from "../../store/rows.ts";
import { idIn } from "../cache-miss.ts";
import type { ChangeContext } from "./change-context.ts";

/** Changes of nodes, of small tables, and of the names of submissions. */
export const nodeChanges = ({ values, putIn, putRow, nextId, expect }: ChangeContext) => ({
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
  submission: (name: SubmissionName): SubmissionRow | undefined => {
    expect({ submissions: [name] });
    return values.submissions.get(idIn.submissions(name));
  },
  setSubmission: (name: SubmissionName, after: SubmissionRow): void => {
    const id = idIn.submissions(name);
    const before = values.submissions.get(id);
    putIn(values.submissions, id, { table: "submissions", key: [name.who, name.key], before, after });
  },
});

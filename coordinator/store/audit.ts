import type { AuditAction } from "../../shared/people/audit.ts";

export type NewAuditEntry = {
  readonly at: number;
  readonly who: string;
  readonly action: AuditAction;
  readonly jobId: number | null;
  readonly nodeId: number | null;
  readonly note: string | null;
};
export type AuditRow = NewAuditEntry & { readonly id: number };
/** With the name of its job; null for others. */
export type NamedAuditRow = AuditRow & { readonly jobName: string | null };

/** The history of actions on jobs and nodes, and who did them; deleted ones lose theirs. Lists begin with the newest. */
export type AuditStore = {
  /** Leaves out actions on jobs and nodes that no longer exist. */
  readonly add: (entries: readonly NewAuditEntry[]) => Promise<void>;
  /** Of a job, else of a node, else all. */
  readonly list: (of: { readonly jobId?: number; readonly nodeId?: number }, take: number) => Promise<NamedAuditRow[]>;
  /** The last of these actions for each of these jobs, or for each node. */
  readonly last: (actions: readonly AuditAction[], of: readonly number[] | "nodes") => Promise<AuditRow[]>;
};

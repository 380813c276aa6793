import type { AuditAction } from "../../shared/audit.ts";

export type NewAuditEntry = {
  readonly at: number;
  readonly who: string;
  readonly action: AuditAction;
  readonly jobId: number | null;
  readonly nodeId: number | null;
  readonly note: string | null;
};
export type AuditRow = NewAuditEntry & { readonly id: number };
/** With the name of its job; null for a node's, and for a job that is deleted. */
export type NamedAuditRow = AuditRow & { readonly jobName: string | null };

/** The history of actions on jobs and nodes, and who did them. Lists begin with the newest. */
export type AuditStore = {
  /** Actions on jobs and nodes that still exist. */
  readonly add: (entries: readonly NewAuditEntry[]) => Promise<void>;
  readonly ofJob: (jobId: number, take: number) => Promise<AuditRow[]>;
  readonly ofNode: (nodeId: number, take: number) => Promise<AuditRow[]>;
  readonly latest: (take: number) => Promise<NamedAuditRow[]>;
  /** The last of these actions for each job. */
  readonly lastOfJobs: (jobIds: readonly number[], actions: readonly AuditAction[]) => Promise<AuditRow[]>;
  readonly lastOfNodes: (actions: readonly AuditAction[]) => Promise<AuditRow[]>;
};

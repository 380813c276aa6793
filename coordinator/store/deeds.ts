import type { DeedAction } from "../../shared/deed.ts";

export type NewDeed = {
  readonly at: number;
  readonly who: string;
  readonly action: DeedAction;
  readonly jobId: number | null;
  readonly nodeId: number | null;
  readonly note: string | null;
};
export type DeedRow = NewDeed & { readonly id: number };
/** With the name of its job; null for a node's, and for a job that is deleted. */
export type NamedDeedRow = DeedRow & { readonly jobName: string | null };

/** The history of actions on jobs and nodes, and who did them. Lists begin with the newest. */
export type DeedStore = {
  /** Actions on jobs and nodes that still exist. */
  readonly add: (deeds: readonly NewDeed[]) => Promise<void>;
  readonly ofJob: (jobId: number, take: number) => Promise<DeedRow[]>;
  readonly ofNode: (nodeId: number, take: number) => Promise<DeedRow[]>;
  readonly latest: (take: number) => Promise<NamedDeedRow[]>;
  /** The last of these actions for each job. */
  readonly lastOfJobs: (jobIds: readonly number[], actions: readonly DeedAction[]) => Promise<DeedRow[]>;
  readonly lastOfNodes: (actions: readonly DeedAction[]) => Promise<DeedRow[]>;
};

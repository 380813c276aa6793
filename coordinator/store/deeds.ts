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

/** What was done to jobs and nodes, by whom. Lists begin with the newest. */
export type DeedStore = {
  /** Those of jobs and nodes that are there still. */
  readonly add: (deeds: readonly NewDeed[]) => Promise<void>;
  readonly ofJob: (jobId: number, take: number) => Promise<DeedRow[]>;
  readonly ofNode: (nodeId: number, take: number) => Promise<DeedRow[]>;
  readonly latest: (take: number) => Promise<DeedRow[]>;
  /** The last of these of each job. */
  readonly lastOfJobs: (jobIds: readonly number[], actions: readonly DeedAction[]) => Promise<DeedRow[]>;
  readonly lastOfNodes: (actions: readonly DeedAction[]) => Promise<DeedRow[]>;
};

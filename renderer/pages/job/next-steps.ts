import { t } from "@lingui/core/macro";
import { type Cause, causes } from "../../../shared/model/failure.ts";

export type NextStep = {
  readonly advice: string;
  /** The retry button's label; undefined if a retry alone cannot help. */
  readonly offer?: string;
  /** Where a person can fix it. */
  readonly mends?: "job" | "nodes";
};

const steps: Partial<Record<Cause, NextStep>> = {
  definition: { advice: t`A retry cannot help: the job itself has to change.`, mends: "job" },
  source: {
    advice: t`Replace or repair the source. The retry probes it again first.`,
    offer: t`Retry from the source`,
    mends: "job",
  },
  storage: { advice: t`Check the folder, its permissions and free space, then retry.`, offer: t`Retry` },
  capability: {
    advice: t`No node could run it. Install what is missing on a node, or change the job.`,
    offer: t`Retry`,
    mends: "job",
  },
  resources: { advice: t`A node ran out of memory or disk. Free some, then retry.`, offer: t`Retry`, mends: "nodes" },
  machine: {
    advice: t`The node lost the work. A retry runs on another node if possible.`,
    offer: t`Retry`,
    mends: "nodes",
  },
  timeout: { advice: t`It took too long. Check the node's load, then retry.`, offer: t`Retry`, mends: "nodes" },
  media: {
    advice: t`The tool could not process the media. Its log says where; a retry helps only if something changed.`,
    offer: t`Retry`,
    mends: "job",
  },
  file: {
    advice: t`No node can read the file within its limits. Repair or replace it, then retry.`,
    offer: t`Retry`,
    mends: "job",
  },
  cancelled: { advice: t`Somebody stopped it. A retry continues where it stopped.`, offer: t`Retry` },
};

/** What a person does about a failure, by its cause. */
export const suggestNextStep = (cause: Cause): NextStep =>
  steps[cause] ?? { advice: causes[cause].advice, offer: t`Retry` };

import { summaryOf } from "../../media/formats/media-summary.ts";
import type { JobOutput } from "../../shared/api/job-outputs.ts";
import type { AssetFile } from "../../shared/model/asset.ts";
import { isoOrNull } from "../iso-time.ts";
import type { Kernel } from "../kernel/kernel.ts";
import type { OutputRow } from "../store/job-reads.ts";

/** One page of the files that a job made. */
export const jobOutputs = async (
  farm: Pick<Kernel, "store">,
  jobId: number,
  { skip, take }: { skip: number; take: number },
) => {
  const { jobs } = farm.store;
  const { rows, count } = await jobs.outputs(jobId, skip, take);
  return { items: rows.map(outputOf), count };
};

const outputOf = ({ file, task_id, ...row }: OutputRow): JobOutput => {
  const { uri, size, modified, facts, checksum }: AssetFile = file;
  return {
    uri,
    size: size ?? null,
    modified: isoOrNull(modified ?? null),
    checksum: checksum ?? null,
    ...row,
    task_id: String(task_id),
    facts: facts ?? null,
    summary: facts ? summaryOf(facts) : "",
  };
};

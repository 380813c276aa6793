import type { AssetFile } from "../../shared/asset.ts";
import type { JobOutput } from "../../shared/job-outputs.ts";
import { summaryOf } from "../../shared/media-summary.ts";
import type { OutputRow } from "../store/job-reads.ts";
import type { Farm } from "./farm.ts";
import { isoOrNull } from "./info.ts";

/** One page of the files that a job made. */
export const jobOutputs = async (farm: Farm, jobId: number, { skip, take }: { skip: number; take: number }) => {
  const { jobs } = farm.store;
  const [rows, count] = await Promise.all([jobs.outputs(jobId, skip, take), jobs.countOutputs(jobId)]);
  return { items: rows.map(outputOf), count };
};

const outputOf = ({ file, task_id, ...row }: OutputRow): JobOutput => {
  const { uri, size, modified, facts, checksum }: AssetFile & { checksum?: string } = JSON.parse(file);
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

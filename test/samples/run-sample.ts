import { execFile } from "node:child_process";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { AppError } from "../../shared/basics/errors.ts";
import { ffprobePath } from "../helpers/media/media-tools.ts";
import { fillBucket, pathOf } from "./bucket.ts";
import { type SampleFarm, untilEnded } from "./farm.ts";
import { checkMade } from "./made.ts";
import { type Outcome, outcomeOfFailure } from "./outcome.ts";
import { fieldsAt, listOf, readSample, type Sample, textAt } from "./samples.ts";

const run = promisify(execFile);

/** Masters outlive a run: they are made once a machine. */
export const mastersFolder = join(tmpdir(), "mediafarm-sample-masters");

/** Sends one sample as it is, waits for its end and checks everything that it made. */
export const runSample = async (farm: SampleFarm, name: string, patienceSec = 600): Promise<Outcome> => {
  const sample = readSample(name);
  const lacking = await fillBucket(farm.bucket, mastersFolder, sample);
  if (lacking.length > 0) return failed(`no master for ${lacking.join(", ")}`);
  const id = await submit(farm, sample);
  if (id instanceof AppError) return failed(`not accepted: ${id.message}`);
  const status = await untilEnded(farm.client, id, patienceSec);
  if (status === undefined) return failed(`it did not end within ${patienceSec} s`);
  if (status === "failed") return outcomeOfFailure(await errorsOf(farm, id));
  const { items: outputs } = await farm.client.listOutputs({ job_id: id, skip: 0, take: 1000 });
  const made = { outputs, result: await farm.client.getResult({ job_id: id }) };
  const lengthOf = lengthIn(farm.bucket);
  const { files, faults } = await checkMade({ sample, ...made, root: farm.bucket, lengthOf });
  return faults.length > 0
    ? failed(...faults)
    : { kind: "completed", outputs: files, warnings: warningsIn(made.result) };
};

const warningsIn = (result: unknown): string[] => {
  const { warnings } = fieldsAt(result, "job");
  return Array.isArray(warnings) ? warnings.map(String) : [];
};

const failed = (...faults: string[]): Outcome => ({ kind: "failed", faults });

const submit = async ({ client }: SampleFarm, { job }: Sample): Promise<string | AppError> => {
  try {
    // It is sent as it is; whether it is a job is for the farm to say.
    return (await client.createJob(job as Parameters<typeof client.createJob>[0])).id;
  } catch (problem) {
    if (problem instanceof AppError) return problem;
    throw problem;
  }
};

const errorsOf = async ({ client }: SampleFarm, id: string) => {
  const result = await client.getResult({ job_id: id });
  return listOf(result.errors).map((error) => ({
    cause: textAt(error, "cause"),
    message: [textAt(error, "message"), textAt(error, "details")?.split("\n").at(-1)].filter(Boolean).join(" / "),
  }));
};

const lengthIn = (bucket: string) => async (uri: string) => {
  const path = pathOf(bucket, uri);
  if (path === undefined) return undefined;
  const argv = ["-v", "error", "-show_entries", "format=duration", "-of", "csv=p=0", path];
  const { stdout } = await run(ffprobePath ?? "ffprobe", argv).catch(() => ({ stdout: "" }));
  return Number(stdout) || undefined;
};

import { readFileSync } from "node:fs";
import { createClient } from "../../shared/client.ts";
import { AppError, messageOf } from "../../shared/errors.ts";
import { systemClock } from "../../shared/system-clock.ts";
import type { ParsedCommand } from "../command.ts";
import { readCredentials } from "../credentials.ts";
import { describeResult } from "../describe.ts";
import { watchJob } from "../watch.ts";

/** Submits a job file; with --wait stays until the job has ended. */
export const submit: ParsedCommand = {
  name: "submit",
  usage: "submit FILE|- [--wait]",
  summary: "Submit a job (a JSON file, - for standard input). --wait shows its progress and, at the end, its result.",
  options: { wait: { type: "boolean" } },
  check: (positionals) => (positionals.length === 1 ? undefined : "submit takes one FILE, or - for standard input"),
  run: async ({ values, positionals, output }) => {
    const client = createClient(readCredentials(process.env));
    const job = readJob(positionals[0] ?? "-");
    const { id } = await client.createJob(job as Parameters<typeof client.createJob>[0]); // the coordinator checks it
    if (output.isJson || !values.wait) output.json({ id });
    else output.problem(`Job ${id} is queued`);
    if (!values.wait) return 0;
    const status = await watchJob(client, id, output, systemClock);
    const result = await client.getResult({ job_id: id });
    if (output.isJson) output.json(result);
    else output.text(describeResult(result));
    return status === "completed" ? 0 : 1;
  },
};

const readJob = (file: string): object => {
  const name = file === "-" ? "standard input" : file;
  let text: string;
  try {
    text = readFileSync(file === "-" ? 0 : file, "utf8");
  } catch (cause) {
    throw new AppError("NOT_FOUND", `${name} cannot be read: ${messageOf(cause)}`, { cause });
  }
  try {
    const job: unknown = JSON.parse(text);
    if (typeof job === "object" && job !== null && !Array.isArray(job)) return job;
  } catch (cause) {
    throw new AppError("INVALID_JSON", `${name} is not JSON: ${messageOf(cause)}`, { cause });
  }
  throw new AppError("INVALID_JSON", `${name} holds no JSON object`);
};

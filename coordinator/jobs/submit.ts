import { parseJob } from "../../media/jobs/parse-job.ts";
import { fromThirdparty } from "../../media/thirdparty/index.ts";
import { invalid } from "../../shared/basics/validation.ts";
import { resolveDefinitions } from "../../shared/model/definitions.ts";
import { type ElementSpec, type JobSpec, limits } from "../../shared/model/job.ts";
import { applyPresets, type Preset } from "../../shared/model/preset.ts";
import type { Reach } from "../../shared/rights/reach.ts";
import type { Transaction } from "../kernel/transaction.ts";
import { checkNamedEntries } from "../secrets/credentials.ts";
import { sealPayload, sealText } from "../secrets/sealing.ts";
import { type JobSender, type SubmissionName, unknownSender } from "../store/rows.ts";
import { submitOnce } from "./idempotency.ts";
import type { Jobs } from "./jobs.ts";
import { loadOnDemand } from "./load-on-demand.ts";
import { findMissingCapabilities } from "./missing-capabilities.ts";
import { readPreset } from "./presets.ts";
import { readRetention, withRetention } from "./retention.ts";
import { scheduleAtStart } from "./update.ts";
import { withVariablePlaces } from "./variable-places.ts";

/**
 * Checks and stores a job; it begins when there is room for it. Resolves with its id once it is durable, and with warnings
 * for its author. A submission with a name is accepted once: repeating it returns the first job's id, without warnings.
 */
export const submitJob = async (
  farm: Jobs,
  received: Record<string, unknown>,
  name?: SubmissionName,
  { sender, reach }: Sent = { sender: unknownSender, reach: "all" },
): Promise<{ readonly id: number; readonly warnings: readonly string[] }> => {
  const definition = JSON.stringify(received);
  const { known, remember } = submitOnce(farm, name, definition);
  const earlier = await known();
  if (earlier !== undefined) return { id: earlier, warnings: [] };
  const job = await readSubmission(farm, received, { definition, reach });
  const id = await farm.change({ submissions: name ? [name] : [] }, (draft) =>
    remember(draft, () => insertJob(farm, draft, job, sender)),
  );
  return { id, warnings: [...job.spec.warnings, ...(await findMissingCapabilities(farm, job.spec))] };
};

/** Checks every field of a submission. Stores nothing. */
export const readSubmission = async (
  farm: Pick<Jobs, "store" | "timeSlice" | "vault" | "credentials">,
  received: Record<string, unknown>,
  { definition = JSON.stringify(received), reach }: { readonly definition?: string; readonly reach: Reach },
): Promise<ReadJob> => {
  if (definition.length > limits.payloadCharacters) refuseLongPayload(received.payload);
  const job = await loadOnDemand(
    async (key) => (await readPreset(farm, key, reach))?.preset,
    (lookUp) => farm.timeSlice(() => readJob(farm, received, definition, lookUp)),
  );
  checkNamedEntries(farm, job.spec.elements);
  return { ...job, spec: withRetention(job.spec, received, await readRetention(farm)) };
};

/** Who sends a job, and whose presets it may use. */
export type Sent = { readonly sender: JobSender; readonly reach: Reach };

export type ReadJob = {
  readonly spec: JobSpec;
  /** The job as received and its elements, in the form in which they may be stored. */
  readonly definition: string;
  readonly elements: readonly ElementSpec[];
};

const readJob = (
  farm: Pick<Jobs, "vault">,
  received: Record<string, unknown>,
  text: string,
  presetAt: (key: string) => Preset | undefined,
): ReadJob => {
  const { job, warnings } = isThirdparty(received) ? fromThirdparty(received) : { job: received, warnings: [] };
  const fill = (job: Record<string, unknown>) =>
    applyPresets(usesDefinitions(text) ? resolveDefinitions(job) : job, presetAt);
  const whole = fill(job);
  const spec = withVariablePlaces(job, withWarnings(parseJob(whole), warnings), fill);
  const definition = sealText(farm.vault, text);
  // The text contains no secrets, so its parts contain none.
  if (whole === received && definition === text && !text.includes("$sealed")) {
    return { spec, definition, elements: spec.elements };
  }
  const sealed = spec.elements.map((each) => ({ ...each, payload: sealPayload(farm.vault, each.payload) }));
  return { spec, definition, elements: sealed };
};

const isThirdparty = ({ schema }: Record<string, unknown>): boolean => schema === "thirdparty" || schema === "rhozet";

const withWarnings = (spec: JobSpec, more: readonly string[]): JobSpec =>
  more.length === 0 ? spec : { ...spec, warnings: [...more, ...spec.warnings].slice(0, 100) };

/** Jobs that use none, which are most, are not copied. */
const usesDefinitions = (text: string): boolean => text.includes("{{") || text.includes("$inherits");

/** Stores a checked job; it begins when there is room for it. */
export const insertJob = (
  farm: Pick<Jobs, "clock" | "change" | "pausedJobs" | "jobStarter">,
  draft: Transaction,
  job: ReadJob,
  sender: JobSender,
): number => {
  const jobId = storeJob(farm, draft, job, sender);
  const known = farm.jobStarter.add({ id: jobId, priority: job.spec.priority });
  draft.after(known);
  draft.undo(known);
  return jobId;
};

/** Stores a checked job that nobody begins. */
export const storeJob = (
  farm: Pick<Jobs, "clock" | "change" | "pausedJobs">,
  draft: Transaction,
  { spec, definition, elements }: ReadJob,
  sender: JobSender,
): number => {
  const { name, userTag, priority, expirationMinutes, connections, warnings } = spec;
  const jobId = draft.insertJob(
    {
      name,
      user_tag: userTag,
      priority,
      status: "queued",
      substatus: "waiting",
      progress: 0,
      begun: 0,
      creation_time: farm.clock.now(),
      start_time: null,
      end_time: null,
      expiration: expirationMinutes,
      expiration_time: null,
      error: null,
      stopped: null,
      ...sender,
    },
    { definition, elements, connections, warnings },
  );
  scheduleAtStart(farm, draft, jobId, spec);
  return jobId;
};

const refuseLongPayload = (payload: unknown): void => {
  const text = typeof payload === "string" ? payload : (JSON.stringify(payload) ?? "");
  if (text.length <= limits.payloadCharacters) return;
  const message = `has ${text.length} characters, and ${limits.payloadCharacters} are the limit`;
  throw invalid([{ path: "payload", message }]);
};

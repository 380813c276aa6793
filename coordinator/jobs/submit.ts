import type { AppError } from "../../shared/basics/errors.ts";
import { invalid } from "../../shared/basics/validation.ts";
import type { ElementSpec, JobSpec } from "../../shared/model/job.ts";
import type { Within } from "../../shared/rights/narrowing.ts";
import type { Owned, Reach } from "../../shared/rights/reach.ts";
import type { Transaction } from "../kernel/transaction.ts";
import { requireWithin } from "../nodes/narrowing.ts";
import { checkNamedEntries } from "../secrets/credentials.ts";
import { sealPayload, sealText } from "../secrets/sealing.ts";
import { isPaused, type JobSender, type SubmissionName, unknownSender } from "../store/rows.ts";
import { submitOnce } from "./idempotency.ts";
import type { Jobs } from "./jobs.ts";
import { findMissingCapabilities } from "./missing-capabilities.ts";
import { awaitTurn, reschedule } from "./pause.ts";
import { presetKeys, readPreset, type StoredPreset } from "./presets.ts";
import type { Read } from "./read-job.ts";
import { withRetention } from "./retention.ts";
import { scheduleAtStart } from "./update.ts";

/**
 * Checks and stores a job; it begins when there is room for it. Resolves with its id once it is durable, and with warnings
 * for its author. A submission with a name is accepted once: repeating it returns the first job's id, without warnings.
 */
export const submitJob = async (
  farm: Jobs,
  received: Record<string, unknown>,
  name?: SubmissionName,
  { sender, reach, bytes, within }: Sent = { sender: unknownSender, reach: "all" },
): Promise<{ readonly id: number; readonly warnings: readonly string[] }> => {
  const definition = await farm.timeSlice(() => JSON.stringify(received), bytes);
  const { known, remember } = submitOnce(farm, name, definition);
  const earlier = await known();
  if (earlier !== undefined) return { id: earlier, warnings: [] };
  const job = await readSubmission(farm, received, { definition, reach, sender, within });
  const id = await farm.change({ submissions: name ? [name] : [] }, (draft) =>
    remember(draft, () => insertJob(farm, draft, job, sender)),
  );
  return { id, warnings: [...job.spec.warnings, ...(await findMissingCapabilities(farm, job.spec))] };
};

/** Checks every field of a submission. Stores nothing. */
export const readSubmission = async (
  farm: Pick<Jobs, "store" | "timeSlice" | "vault" | "credentials" | "jobReader" | "retention">,
  received: Record<string, unknown>,
  { definition, reach, sender, bytes, within = "all" }: Submission,
): Promise<ReadJob> => {
  const text = definition ?? (await farm.timeSlice(() => JSON.stringify(received), bytes));
  const { spec, isFilled } = await readWithPresets(farm, received, { text, reach, sender });
  requireWithin(within, spec.tags, "This job");
  checkNamedEntries(farm, spec.elements);
  const job = await farm.timeSlice(() => sealed(farm, { spec, text, isFilled }), text.length);
  return { ...job, spec: withRetention(spec, received, await farm.retention.read()) };
};

type Submission = {
  /** As received. */
  readonly definition?: string;
  readonly bytes?: number | undefined;
  /** Whose presets it may use. */
  readonly reach: Reach;
  /** Whose presets' secrets it knows. */
  readonly sender: Owned;
  /** One of these tags it must have itself. */
  readonly within?: Within | undefined;
};

const readWithPresets = async (
  farm: Pick<Jobs, "store" | "vault" | "jobReader">,
  received: Record<string, unknown>,
  { text, reach, sender }: Submission & { readonly text: string },
): Promise<Extract<Read, { spec: JobSpec }>> => {
  const presets = new Map<string, StoredPreset | undefined>();
  let characters = 0;
  let keys: readonly string[] | undefined;
  for (;;) {
    const read = await farm.jobReader.read({ text, sender, presets, keys }, received);
    if ("spec" in read) return read;
    for (const key of read.lacks) {
      const found = await readPreset(farm, key, reach);
      presets.set(key, found);
      if (!found) keys ??= await presetKeys(farm, reach);
      characters += found ? JSON.stringify(found.preset).length : 0;
      if (characters > mostPresetCharacters) throw tooManyPresets();
    }
  }
};

/** Of all presets of a job, with what they say of themselves. */
const mostPresetCharacters = 8_000_000;

const tooManyPresets = (): AppError =>
  invalid([
    {
      path: "payload.elements",
      message: `name presets of more than ${mostPresetCharacters} characters altogether, which is the limit`,
    },
  ]);

/** Who sends a job, and whose presets it may use. */
export type Sent = {
  readonly sender: JobSender;
  readonly reach: Reach;
  /** Of the job as it was sent, if that is known: small ones need not wait for large ones. */
  readonly bytes?: number | undefined;
  /** Tags of which the sender's jobs must have one. */
  readonly within?: Within | undefined;
};

export type ReadJob = {
  readonly spec: JobSpec;
  /** The job as received and its elements, in the form in which they may be stored. */
  readonly definition: string;
  readonly elements: readonly ElementSpec[];
};

type Filled = { readonly spec: JobSpec; readonly text: string; readonly isFilled: boolean };

const sealed = ({ vault }: Pick<Jobs, "vault">, { spec, text, isFilled }: Filled): ReadJob => {
  const definition = sealText(vault, text);
  // The text contains no secrets, so its parts contain none.
  if (!isFilled && definition === text && !text.includes("$sealed")) {
    return { spec, definition, elements: spec.elements };
  }
  const elements = spec.elements.map((each) => ({ ...each, payload: sealPayload(vault, each.payload) }));
  return { spec, definition, elements };
};

/** Stores a checked job; it begins when there is room for it. */
export const insertJob = (
  farm: Pick<Jobs, "clock" | "change" | "pausedJobs" | "jobStarter">,
  draft: Transaction,
  job: ReadJob,
  sender: JobSender,
): number => {
  const id = storeJob(farm, draft, job, sender);
  if (!isPaused(scheduleAtStart(farm, job.spec))) awaitTurn(farm, draft, { id, priority: job.spec.priority });
  return id;
};

/** Stores a checked job that nobody begins. */
export const storeJob = (
  farm: Pick<Jobs, "clock" | "change" | "pausedJobs" | "jobStarter">,
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
  const schedule = scheduleAtStart(farm, spec);
  if (schedule.tags.length > 0 || isPaused(schedule)) reschedule(farm, draft, jobId, schedule);
  return jobId;
};

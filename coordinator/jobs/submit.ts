import { resolveDefinitions } from "../../shared/definitions.ts";
import { type ElementSpec, type JobSpec, limits } from "../../shared/job.ts";
import { parseJob } from "../../shared/parse-job.ts";
import { applyPresets, type Preset } from "../../shared/preset.ts";
import { fromThirdparty } from "../../shared/thirdparty/index.ts";
import { invalid } from "../../shared/validation.ts";
import type { Draft } from "../memory/draft.ts";
import { type JobSender, type SubmissionName, unknownSender } from "../store/rows.ts";
import type { Farm } from "./farm.ts";
import { lacksOf } from "./lacks.ts";
import { lookingUp } from "./look-up.ts";
import { presetOf } from "./presets.ts";
import { keptAsLong, retentionOf } from "./retention.ts";
import { sealPayload, sealText } from "./sealed.ts";
import { once } from "./submission.ts";
import { scheduleAtStart } from "./update.ts";
import { withVariablePlaces } from "./variable-places.ts";

/**
 * Checks and stores a job; it begins when there is room for it. Resolves with its id once it is durable, and with warnings
 * for its author. A submission with a name is accepted once: repeating it returns the first job's id, without warnings.
 */
export const submitJob = async (
  farm: Farm,
  received: Record<string, unknown>,
  name?: SubmissionName,
  sender = unknownSender,
): Promise<{ readonly id: number; readonly warnings: readonly string[] }> => {
  const definition = JSON.stringify(received);
  const { known, remember } = once(farm, name, definition);
  const earlier = await known();
  if (earlier !== undefined) return { id: earlier, warnings: [] };
  const job = await readSubmission(farm, received, definition);
  const id = await farm.change([], (draft) => remember(draft, () => insertJob(farm, draft, job, sender)));
  return { id, warnings: [...job.spec.warnings, ...(await lacksOf(farm, job.spec))] };
};

/** Checks every field of a submission. Stores nothing. */
export const readSubmission = async (
  farm: Farm,
  received: Record<string, unknown>,
  definition = JSON.stringify(received),
): Promise<ReadJob> => {
  if (definition.length > limits.payloadCharacters) refuseLongPayload(received.payload);
  const job = await lookingUp(
    (key) => presetOf(farm, key),
    (lookUp) => farm.inTurn(() => readJob(farm, received, definition, lookUp)),
  );
  return { ...job, spec: keptAsLong(job.spec, received, await retentionOf(farm)) };
};

export type ReadJob = {
  readonly spec: JobSpec;
  /** The job as received and its elements, in the form in which they may be stored. */
  readonly definition: string;
  readonly elements: readonly ElementSpec[];
};

const readJob = (
  farm: Farm,
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
  farm: Farm,
  draft: Draft,
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
  const known = farm.beginnings.add({ id: jobId, priority });
  draft.after(known);
  draft.undo(known);
  return jobId;
};

const refuseLongPayload = (payload: unknown): void => {
  const text = typeof payload === "string" ? payload : (JSON.stringify(payload) ?? "");
  if (text.length <= limits.payloadCharacters) return;
  const message = `has ${text.length} characters, and ${limits.payloadCharacters} are the limit`;
  throw invalid([{ path: "payload", message }]);
};

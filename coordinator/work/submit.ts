import { resolveDefinitions } from "../../shared/definitions.ts";
import { AppError } from "../../shared/errors.ts";
import { type ElementSpec, type JobSpec, limits } from "../../shared/job.ts";
import { parseJob } from "../../shared/parse-job.ts";
import { applyPresets } from "../../shared/preset.ts";
import { fromThirdparty } from "../../shared/thirdparty/index.ts";
import type { SubmissionName } from "../db/submissions.ts";
import { startsAtOnce } from "./advance.ts";
import type { Changes, Farm } from "./farm.ts";
import { presetOf } from "./presets.ts";
import { sealPayload, sealText } from "./sealed.ts";
import { once } from "./submission.ts";
import { scheduleAtStart } from "./update.ts";
import { withVariablePlaces } from "./variable-places.ts";

/**
 * Accepts a job: checked, stored and begun in one commit. Resolves with its id once it is durable. A submission that has
 * a name is accepted once: later ones of that name give the first one's id.
 */
export const submitJob = async (
  farm: Farm,
  received: Record<string, unknown>,
  name?: SubmissionName,
): Promise<number> => {
  const definition = JSON.stringify(received);
  const { known, remember } = once(farm, name, definition);
  const earlier = known();
  if (earlier !== undefined) return earlier;
  const job = await readSubmission(farm, received, definition);
  const { length } = job.spec.elements;
  return accept(farm, length, (changes) => remember(() => insertJob(farm, changes, job)));
};

/** A submission, checked to the last field; nothing is stored. */
export const readSubmission = (
  farm: Farm,
  received: Record<string, unknown>,
  definition = JSON.stringify(received),
): Promise<ReadJob> => {
  if (definition.length > limits.payloadCharacters) refuseLongPayload(received.payload);
  return farm.accepting.read(() => readJob(farm, received, definition));
};

type ReadJob = {
  readonly spec: JobSpec;
  /** What the store may hold of the job as it was received, and of its elements. */
  readonly definition: string;
  readonly elements: readonly ElementSpec[];
};

const readJob = (farm: Farm, received: Record<string, unknown>, text: string): ReadJob => {
  const { job, warnings } = isThirdparty(received) ? fromThirdparty(received) : { job: received, warnings: [] };
  const fill = (job: Record<string, unknown>) =>
    applyPresets(usesDefinitions(text) ? resolveDefinitions(job) : job, (key) => presetOf(farm, key));
  const whole = fill(job);
  const spec = withVariablePlaces(job, withWarnings(parseJob(whole), warnings), fill);
  const definition = sealText(farm.vault, text);
  // What is all in a text that holds no secrets holds none itself.
  if (whole === received && definition === text && !text.includes("$sealed")) {
    return { spec, definition, elements: spec.elements };
  }
  const sealed = spec.elements.map((each) => ({ ...each, payload: sealPayload(farm.vault, each.payload) }));
  return { spec, definition, elements: sealed };
};

const isThirdparty = ({ schema }: Record<string, unknown>): boolean => schema === "thirdparty" || schema === "rhozet";

const withWarnings = (spec: JobSpec, more: readonly string[]): JobSpec =>
  more.length === 0 ? spec : { ...spec, warnings: [...more, ...spec.warnings].slice(0, 100) };

/** Most jobs use none, and are not copied. */
const usesDefinitions = (text: string): boolean => text.includes("{{") || text.includes("$inherits");

/** A job of a burst, or of many elements, is only stored in this commit. */
const accept = <T>(farm: Farm, elements: number, insert: (changes: Changes) => T): Promise<T> =>
  farm.accepting.during(() =>
    farm.change((changes) => {
      const result = insert(changes);
      if (elements <= startsAtOnce && !farm.accepting.isBurst()) return result;
      for (const jobId of changes.touchedJobs) changes.unfinished.set(jobId, elements);
      changes.touchedJobs.clear();
      return result;
    }),
  );

const insertJob = (farm: Farm, changes: Changes, { spec, definition, elements }: ReadJob): number => {
  const jobId = farm.stores.jobs.insert({
    name: spec.name,
    userTag: spec.userTag,
    priority: spec.priority,
    expiration: spec.expirationMinutes,
    definition,
    elements,
    connections: spec.connections,
    warnings: spec.warnings,
    now: farm.clock.now(),
  });
  scheduleAtStart(farm, changes, jobId, spec);
  changes.touchedJobs.add(jobId);
  return jobId;
};

const refuseLongPayload = (payload: unknown): void => {
  const text = typeof payload === "string" ? payload : (JSON.stringify(payload) ?? "");
  if (text.length <= limits.payloadCharacters) return;
  const message = `has ${text.length} characters, and ${limits.payloadCharacters} are the limit`;
  throw new AppError("VALIDATION_FAILED", `payload: ${message}`, { details: [{ path: "payload", message }] });
};

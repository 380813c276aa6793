import { resolveDefinitions } from "../../shared/definitions.ts";
import { AppError } from "../../shared/errors.ts";
import { type JobSpec, limits } from "../../shared/job.ts";
import { parseJob } from "../../shared/parse-job.ts";
import { applyPresets } from "../../shared/preset.ts";
import type { SubmissionName } from "../db/submissions.ts";
import { startsAtOnce } from "./advance.ts";
import type { Changes, Farm } from "./farm.ts";
import { presetOf } from "./presets.ts";
import { sealPayload, sealText } from "./sealed.ts";
import { once } from "./submission.ts";
import { scheduleAtStart } from "./update.ts";

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
  if (definition.length > limits.payloadCharacters) refuseLongPayload(received.payload);
  const resolved = usesDefinitions(definition) ? resolveDefinitions(received) : received;
  const spec = parseJob(applyPresets(resolved, (key) => presetOf(farm, key)));
  return accept(farm, spec.elements.length, (changes) => remember(() => insertJob(farm, changes, spec, definition)));
};

/** Most jobs use none, and are not copied. */
const usesDefinitions = (text: string): boolean => text.includes("{{") || text.includes("$inherits");

/** Submissions that wait for one commit beyond which jobs are begun later: those that wait in line are answered first. */
const mostAtOnce = 4;

/** A job of a burst, or of many elements, is only stored in this commit. */
const accept = async <T>(farm: Farm, elements: number, insert: (changes: Changes) => T): Promise<T> => {
  const isBegunLater = farm.accepting.count >= mostAtOnce || elements > startsAtOnce;
  farm.accepting.count += 1;
  try {
    return await farm.change((changes) => {
      const result = insert(changes);
      if (!isBegunLater) return result;
      for (const jobId of changes.touchedJobs) changes.unfinished.set(jobId, elements);
      changes.touchedJobs.clear();
      return result;
    });
  } finally {
    farm.accepting.count -= 1;
  }
};

const insertJob = (farm: Farm, changes: Changes, spec: JobSpec, definition: string): number => {
  const jobId = farm.stores.jobs.insert({
    name: spec.name,
    userTag: spec.userTag,
    priority: spec.priority,
    expiration: spec.expirationMinutes,
    definition: sealText(farm.vault, definition),
    connections: spec.connections,
    warnings: spec.warnings,
    now: farm.clock.now(),
  });
  const elements = spec.elements.map((each) => ({ ...each, payload: sealPayload(farm.vault, each.payload) }));
  farm.stores.elementRuns.insertAll(jobId, elements);
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

import { resolveDefinitions } from "../../shared/definitions.ts";
import { AppError } from "../../shared/errors.ts";
import { type JobSpec, limits } from "../../shared/job.ts";
import { parseJob } from "../../shared/parse-job.ts";
import { applyPresets } from "../../shared/preset.ts";
import type { SubmissionName } from "../db/submissions.ts";
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
  refuseLongPayload(received.payload);
  const spec = parseJob(applyPresets(resolveDefinitions(received), (key) => presetOf(farm, key)));
  return farm.change((changes) => remember(() => insertJob(farm, changes, spec, definition)));
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

import { resolveDefinitions } from "../../shared/definitions.ts";
import { AppError } from "../../shared/errors.ts";
import { limits, parseJob } from "../../shared/job.ts";
import type { Farm } from "./farm.ts";

/** Accepts a job: checked, stored and begun in one commit. Resolves with its id once it is durable. */
export const submitJob = (farm: Farm, received: Record<string, unknown>): Promise<number> => {
  refuseLongPayload(received.payload);
  const spec = parseJob(resolveDefinitions(received));
  return farm.change((changes) => {
    const jobId = farm.stores.jobs.insert({
      name: spec.name,
      userTag: spec.userTag,
      priority: spec.priority,
      expiration: spec.expirationMinutes,
      definition: JSON.stringify(received),
      connections: spec.connections,
      warnings: spec.warnings,
      now: farm.clock.now(),
    });
    for (const [position, element] of spec.elements.entries()) {
      farm.stores.elementRuns.insert(jobId, position, element);
    }
    changes.touchedJobs.add(jobId);
    return jobId;
  });
};

const refuseLongPayload = (payload: unknown): void => {
  const text = typeof payload === "string" ? payload : (JSON.stringify(payload) ?? "");
  if (text.length <= limits.payloadCharacters) return;
  const message = `has ${text.length} characters, and ${limits.payloadCharacters} are the limit`;
  throw new AppError("VALIDATION_FAILED", `payload: ${message}`, { details: [{ path: "payload", message }] });
};

import { resolveDefinitions } from "../../shared/definitions.ts";
import { parseJob } from "../../shared/job.ts";
import type { Farm } from "./farm.ts";

/** Accepts a job: checked, stored and begun in one commit. Resolves with its id once it is durable. */
export const submitJob = (farm: Farm, received: Record<string, unknown>): Promise<number> => {
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

import { z } from "zod";
import { docker } from "./docker-schema.ts";
import { javascript } from "./javascript-schema.ts";
import { jobModifier } from "./modifier-schema.ts";

/** Commands in a container, a change of a later element before it runs, or a job's own JavaScript. */
export const scriptPayload = z.discriminatedUnion("kind", [
  z.looseObject({ kind: z.literal("docker"), payload: docker }),
  z.looseObject({ kind: z.literal("job_modifier"), payload: jobModifier }),
  z.looseObject({ kind: z.literal("javascript"), payload: javascript }),
]);
export type ScriptPayload = z.output<typeof scriptPayload>;

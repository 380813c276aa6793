import { z } from "zod";
import { wordOrSecret } from "../../credentials/secret-words.ts";
import { stepId } from "./step-id.ts";

/** An absolute path inside the container, of plain names. */
const inside = z
  .string()
  .max(1000)
  .regex(/^(\/[^/\0:]+)+$/, "must be a path inside of the container");

const command = z.strictObject({
  image: z.string().regex(/^[a-z0-9][\w./:@-]{0,900}$/i, "must be the name of an image"),
  /** Default: the image's own program. */
  entrypoint: z.string().max(4000).optional(),
  args: z.array(z.string().max(64_000)).max(1000),
  env: z.record(z.string().regex(/^[A-Za-z_]\w{0,200}$/), wordOrSecret).optional(),
  /** Credentials of the image's registry. */
  registry: z.strictObject({ host: z.string().max(300), username: wordOrSecret, password: wordOrSecret }).optional(),
  ignoresExitCode: z.boolean(),
  keepsStdout: z.boolean(),
  keepsStderr: z.boolean(),
});

/**
 * Runs commands in containers, one after the other. They share only read-only inputs and one folder per output with the
 * machine, and have no network.
 */
export const containerStep = z.strictObject({
  do: z.literal("container"),
  id: stepId,
  commands: z.array(command).min(1).max(100),
  inputs: z.array(z.strictObject({ asset: z.string(), at: inside })).max(2000),
  outputs: z
    .array(
      z.strictObject({
        out: z.string(),
        /** A file, or with `names` the folder. */
        at: inside,
        /** All files below the folder that this wildcard selects, by their names or by their paths from there. */
        names: z.string().min(1).max(1000).optional(),
      }),
    )
    .max(200),
  cpus: z.number().positive().max(1024),
  memoryBytes: z.number().int().positive(),
});

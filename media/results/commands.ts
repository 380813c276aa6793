import { z } from "zod";

/** The exit codes of commands in containers, and their output if it was to be kept. */
export const commandOutcomes = z
  .array(
    z.strictObject({
      image: z.string().max(1000),
      exitCode: z.number().int(),
      stdout: z.string().max(64_000).optional(),
      stderr: z.string().max(64_000).optional(),
    }),
  )
  .max(100);
export type CommandOutcome = z.output<typeof commandOutcomes>[number];

import { z } from "zod";

/** How commands in containers ended, and what they said where that was to be kept. */
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

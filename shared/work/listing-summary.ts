import { z } from "zod";

/** What a listing found in all; its files lie beside the result. */
export const listingSummary = z.strictObject({
  files: z.number().int().nonnegative(),
  bytes: z.number().nonnegative(),
});

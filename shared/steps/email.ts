import { z } from "zod";
import { stepId } from "./step-id.ts";

/** Sends one mail through the mail server that the node's operator has named. */
export const emailStep = z.strictObject({
  do: z.literal("email"),
  id: stepId,
  recipients: z.array(z.string().max(320)).min(1).max(100),
  subject: z.string().max(1000),
  body: z.string().max(128_000),
  /** The same for every attempt, so that a receiver can tell a mail that comes twice. */
  key: z.string().max(200),
});

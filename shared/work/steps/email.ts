import { z } from "zod";
import { stepId } from "./step-id.ts";

/** Sends one mail through the mail server configured by the node's operator. */
export const emailStep = z.strictObject({
  do: z.literal("email"),
  id: stepId,
  recipients: z.array(z.string().max(320)).min(1).max(100),
  subject: z.string().max(1000),
  body: z.string().max(128_000),
  /** The same for every attempt, so that a receiver can recognise a duplicate mail. */
  key: z.string().max(200),
});

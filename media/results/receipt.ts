import { z } from "zod";

/** The proof that a notification was sent, with the response. */
export const receipt = z.strictObject({
  method: z.enum(["rest", "email", "sns", "sqs"]),
  /** The receiver: an address without query, or mail addresses. */
  receiver: z.string().max(4000),
  /** HTTP or SMTP status. */
  status: z.number().int(),
  /** The beginning of the response. */
  answer: z.string().max(4000),
  /** How the receiver recognises repeated notifications. */
  key: z.string().max(300),
});
export type Receipt = z.output<typeof receipt>;

import { z } from "zod";

/** That somebody was told, and what was answered. */
export const receipt = z.strictObject({
  method: z.enum(["rest", "email", "sns", "sqs"]),
  /** Who took it: an address without query, or mail addresses. */
  receiver: z.string().max(4000),
  /** HTTP or SMTP status. */
  status: z.number().int(),
  /** The beginning of the answer. */
  answer: z.string().max(4000),
  /** What the receiver can tell repeated notifications by. */
  key: z.string().max(300),
});
export type Receipt = z.output<typeof receipt>;

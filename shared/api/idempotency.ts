import { z } from "zod";
import { traceParentHeader } from "../outbound/traces.ts";
import type { Route } from "./route.ts";

/** A client's own name of a submission: sent again with it, the same job is answered instead of a second one made. */
export const idempotencyHeader = "idempotency-key";

/** The headers of a submission. */
export const submissionHeaders: Route["headers"] = z.object({
  [idempotencyHeader]: z
    .string()
    .regex(/^[\x21-\x7e]{1,255}$/, "must be 1 to 255 visible ASCII characters")
    .optional()
    .describe("Names this submission; the same one sent again within 24 hours answers with the first one's id"),
  // What is not valid is ignored, as its specification says.
  [traceParentHeader]: z
    .string()
    .optional()
    .describe("The trace that the submission belongs to (W3C Trace Context): the job's own trace continues it"),
});

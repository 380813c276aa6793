import { z } from "zod";
import type { Route } from "./route.ts";

/** A client's own name of a submission: sent again with it, the same job is answered instead of a second one made. */
export const idempotencyHeader = "idempotency-key";

export const idempotencyHeaders: Route["headers"] = z.object({
  [idempotencyHeader]: z
    .string()
    .regex(/^[\x21-\x7e]{1,255}$/, "must be 1 to 255 visible ASCII characters")
    .optional()
    .describe("Names this submission; the same one sent again within 24 hours answers with the first one's id"),
});

import { z } from "zod";

/** A page's filter under a name, stored for everybody on the farm. */
export const savedView = z.strictObject({
  name: z.string().trim().min(1).max(60),
  page: z.enum(["jobs", "nodes"]),
  /** The query of the page's address: filter, order, columns. */
  search: z.record(z.string().max(40), z.union([z.string().max(2000), z.number(), z.boolean()])),
});
export type SavedView = z.output<typeof savedView>;

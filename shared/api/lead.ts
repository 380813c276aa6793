import { z } from "zod";

/** Which coordinator leads the farm, and which ones would take over. */
export const leadView = z.strictObject({
  /** Whether several coordinators can share this farm: its store is PostgreSQL. */
  is_shared: z.boolean(),
  /** The address of the one that leads: the one that answers. */
  leader: z.string(),
  /** How often the lead has changed hands; null where it cannot. */
  term: z.number().nullable(),
  /** The addresses of those that stand by. */
  standbys: z.array(z.string()),
});
export type LeadView = z.output<typeof leadView>;

import { z } from "zod";
import { looseBoolean } from "../basics/loose-values.ts";
import { enrolledStates } from "../state/node.ts";

/** What a join token with limits is made from. */
export const newJoinToken = z.strictObject({
  /** Whom or what it is for, for people to read. */
  name: z
    .string()
    .trim()
    .min(1)
    .max(100)
    .regex(/^\P{Cc}*$/u, "must not contain control characters"),
  /** The number of nodes that may join by it; null: any. */
  uses: z.number().int().min(1).max(5000).nullable().default(1),
  /** How long it works; null: until it is ended. */
  hours: z
    .number()
    .positive()
    .max(24 * 366)
    .nullable()
    .default(24),
  /** Nodes that come by it get no work until somebody makes them active. */
  approval: looseBoolean().default(true),
});
export type NewJoinToken = z.output<typeof newJoinToken>;

/** A join token with limits, without its secret, and the nodes that came in by it. */
export const joinTokenInfo = z.strictObject({
  /** `farm`: the farm's own token, which has no limits; null: nodes from before this was kept. */
  id: z.string().nullable(),
  name: z.string(),
  uses: z.number().int().nullable(),
  used: z.number().int(),
  expires: z.string().nullable(),
  approval: z.boolean(),
  created: z.string().nullable(),
  /** Who made it. */
  by: z.string().nullable(),
  /** Why it lets nobody in any more; null: it does. */
  end: z.enum(["ended", "expired", "used up"]).nullable(),
  nodes: z.array(
    z.strictObject({ id: z.string(), name: z.string(), state: z.enum(enrolledStates), enrolled: z.string() }),
  ),
});
export type JoinTokenInfo = z.output<typeof joinTokenInfo>;

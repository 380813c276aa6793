import { z } from "zod";
import { secretOf } from "../basics/secret.ts";
import { onlyGroups, onlyTags } from "./narrowed.ts";

/** The roles of people, strongest first: each may do everything that those after it may. */
export const roles = ["owner", "operator", "viewer"] as const;
export type Role = (typeof roles)[number];

export const mayDo = (role: Role, needed: Role): boolean => roles.indexOf(role) <= roles.indexOf(needed);

/** Pure: what holds where two of them bound each other. */
export const weakerRole = (one: Role, other: Role): Role => (mayDo(one, other) ? other : one);

/** Some path segments cannot be names: clients remove `.` and `..` from an address. */
export const personName = z
  .string()
  .trim()
  .min(1)
  .max(100)
  .regex(/^\P{Cc}*$/u, "must not contain control characters")
  .refine((name) => name !== "." && name !== "..", "must not be . or ..");

/** The minimum length of a new password. */
export const minPasswordLength = 10;

/** Long passwords are refused before they cost time. */
export const newPassword = secretOf(z.string().min(minPasswordLength).max(1000));

/** The signed-in person. */
export const signedIn = z.strictObject({
  name: z.string(),
  role: z.enum(roles),
  /** The identity provider by which they came, or for people in a list: that vouches for them. Absent: a password. */
  provider: z.string().optional(),
  /** A provider let them in by a link, and they have a password here. */
  is_local: z.literal(true).optional(),
  /** To what their role is narrowed. Absent: to nothing. */
  only_tags: onlyTags.optional(),
  only_groups: onlyGroups.optional(),
});
export type SignedIn = z.output<typeof signedIn>;

/** A person as shown in the owner's list. */
export const person = signedIn.omit({ is_local: true }).extend({
  created: z.string(),
  /** Whether their password alone does not sign them in. */
  second_step: z.boolean(),
  /** Providers by which they may come in as well. */
  links: z.array(z.string()),
  only_tags: onlyTags,
  only_groups: onlyGroups,
});

/** One of a person's own sessions. */
export const sessionHead = z.strictObject({
  id: z.string(),
  began: z.string(),
  /** If it is not used until then. */
  ends: z.string(),
  /** The address from which it was begun, and the browser as it names itself; empty for sessions from before. */
  origin: z.string(),
  browser: z.string(),
  /** The one that asks. */
  is_this: z.boolean(),
});
export type SessionHead = z.output<typeof sessionHead>;

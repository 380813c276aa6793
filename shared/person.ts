import { z } from "zod";

/** People who sign in to the pages, strongest first: each role may do what those after it may. */
export const roles = ["owner", "operator", "viewer"] as const;
export type Role = (typeof roles)[number];

export const mayDo = (role: Role, needed: Role): boolean => roles.indexOf(role) <= roles.indexOf(needed);

/** Some word of a path cannot name anybody: clients take `.` and `..` out of an address. */
export const personName = z
  .string()
  .trim()
  .min(1)
  .max(100)
  .regex(/^\P{Cc}*$/u, "must not contain control characters")
  .refine((name) => name !== "." && name !== "..", "must not be . or ..");

/** Characters that a new password has at the least. */
export const leastPassword = 10;

/** Long ones are cut off before they cost time. */
export const newPassword = z.string().min(leastPassword).max(1000);

/** Who is signed in. */
export const signedIn = z.strictObject({ name: z.string(), role: z.enum(roles) });
export type SignedIn = z.output<typeof signedIn>;

/** A person as the owner's list shows them. */
export const person = signedIn.extend({ created: z.string() });

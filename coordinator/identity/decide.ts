import { z } from "zod";
import { narrowedByGroups, roleOfGroups } from "../../shared/people/identity.ts";
import type { Narrowed } from "../../shared/people/narrowed.ts";
import { personName, type Role } from "../../shared/people/person.ts";
import type { Provider } from "./settings.ts";

/** What a provider says of somebody, from its ID token and its userinfo. */
export type Claims = Readonly<Record<string, unknown>>;

/** Who may come in, and as what; or why not. */
export type Entry =
  | {
      readonly may: "enter";
      readonly subject: string;
      readonly names: readonly string[];
      readonly role: Role;
      /** Absent: the provider does not say to what the role is narrowed. */
      readonly narrowed?: Narrowed;
    }
  | { readonly may: "not"; readonly subject: string; readonly why: string };

const mostGroups = 10_000;
const groupsIn = z.union([z.array(z.string()).max(mostGroups), z.string().transform((one) => [one])]);

/** Pure: a person's role is that of their groups; their name, one that the provider gives. */
export const decideEntry = (subject: string, claims: Claims, provider: Provider): Entry => {
  const groups = groupsIn.safeParse(claims[provider.groups_claim]);
  if (!groups.success) return { may: "not", subject, why: withoutGroups(claims, provider) };
  const role = roleOfGroups(groups.data, provider.roles);
  const narrowed = narrowedByGroups(groups.data, provider.narrowed);
  if (role !== undefined)
    return { may: "enter", subject, names: namesOf(subject, claims, provider), role, ...(narrowed && { narrowed }) };
  const why = `None of your groups at ${provider.name} opens this farm: ask an owner of it`;
  return { may: "not", subject, why };
};

const withoutGroups = (claims: Claims, { name, groups_claim }: Provider): string => {
  const said = `${name} does not say which groups you are in (claim ${groups_claim})`;
  // Entra ID leaves a long list out, and says so by this.
  const isTooLong = "_claim_names" in claims || claims.hasgroups === true;
  return isTooLong
    ? `${said}: they are too many for it. Ask its administrator to send only groups that this farm uses`
    : said;
};

/** Where a name may stand, the first one that is there wins. */
const usualNames = ["preferred_username", "email", "name"];

/** With the provider's name behind it where somebody else has the name: a name alone makes nobody somebody else. */
const namesOf = (subject: string, claims: Claims, { name: provider, name_claim }: Provider): string[] => {
  const given = [name_claim, ...usualNames].map((claim) => nameIn(claims[claim])).find((each) => each !== undefined);
  const name = given ?? nameIn(subject) ?? "somebody";
  return [name, `${name.slice(0, 50)} (${provider})`];
};

const nameIn = (value: unknown): string | undefined => {
  if (typeof value !== "string") return undefined;
  const parsed = personName.safeParse(value.toWellFormed().replaceAll(/\p{C}/gu, " ").slice(0, 100));
  return parsed.success ? parsed.data : undefined;
};

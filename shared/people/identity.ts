import { z } from "zod";
import { secretOf } from "../basics/secret.ts";
import { type Narrowed, onlyGroups, onlyTags } from "./narrowed.ts";
import { type Role, roles, signedIn } from "./person.ts";

/** Part of the address that the provider sends people back to. */
export const providerName = z
  .string()
  .trim()
  .regex(/^[A-Za-z0-9][\w.-]{0,39}$/, "must be letters, digits, - _ and ., 40 at most");

/** The hosts that are this machine itself: what goes there crosses no network. */
const isOwnMachine = (hostname: string): boolean => /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/.test(hostname);

/** Whether an address may be asked, or shown to a browser: https, or http on the machine itself. */
export const isSafeAddress = (text: string): boolean => {
  if (text.length > 2000 || !URL.canParse(text)) return false;
  const { protocol, hostname, username, password } = new URL(text);
  return username + password === "" && (protocol === "https:" || (protocol === "http:" && isOwnMachine(hostname)));
};

const issuer = z
  .string()
  .trim()
  .refine((text) => isSafeAddress(text) && !/[?#]/.test(text), {
    message: "must be an address such as https://login.studio.example, without a query; http only on this machine",
  });

const groups = z.array(z.string().min(1).max(200)).max(100);
/** A claim of OpenID Connect, by its exact name, which may be an address. */
const claim = z.string().min(1).max(200);
const scope = z.string().regex(/^[\x21\x23-\x5b\x5d-\x7e]{1,100}$/, "must be a word without blanks and quotes");

/** To what the role of everybody in one of the provider's groups is narrowed. */
const narrowedGroup = z.strictObject({
  group: z.string().min(1).max(200),
  only_tags: onlyTags.default([]),
  only_groups: onlyGroups.default([]),
});

/** An identity provider that speaks OpenID Connect, and which of its groups are what here. */
export const identityProvider = z
  .strictObject({
    name: providerName,
    issuer,
    client_id: z.string().min(1).max(500),
    /** Null: a public client. Absent: as before, if issuer and client are as before. */
    client_secret: secretOf(z.string().min(1).max(2000)).nullable().optional(),
    scopes: z.array(scope).max(20).default(["openid", "profile", "email"]),
    groups_claim: claim.default("groups"),
    name_claim: claim.default("preferred_username"),
    roles: z.strictObject({ owner: groups, operator: groups, viewer: groups }),
    /** Empty: an owner narrows people here, one by one. Else whoever is in none of these groups is not narrowed. */
    narrowed: z.array(narrowedGroup).max(100).default([]),
    /** Sessions last this long and no longer: then the provider is asked again. */
    session_hours: z.number().int().min(1).max(720).default(12),
  })
  .refine(({ roles }) => Object.values(roles).some((each) => each.length > 0), {
    path: ["roles"],
    message: "must name one group at least: nobody could sign in",
  });
export type IdentityProvider = z.output<typeof identityProvider>;
export type GivenIdentityProvider = z.input<typeof identityProvider>;

/** The maximum number of providers of a farm. */
export const mostProviders = 20;

/** A provider as an owner sees it. */
export const providerView = z.strictObject({
  name: z.string(),
  issuer: z.string(),
  client_id: z.string(),
  /** Whether there is a client secret; it is never shown. */
  is_confidential: z.boolean(),
  scopes: z.array(z.string()),
  groups_claim: z.string(),
  name_claim: z.string(),
  roles: z.strictObject({ owner: z.array(z.string()), operator: z.array(z.string()), viewer: z.array(z.string()) }),
  narrowed: z.array(narrowedGroup),
  session_hours: z.number().int(),
});
export type ProviderView = z.output<typeof providerView>;

/** How people sign in, for owners. */
export const identityView = z.strictObject({
  /** Whether names with passwords open the pages. */
  passwords: z.boolean(),
  /** From which role on people with passwords need a second step. */
  second_step: z.enum(roles).nullable(),
  providers: z.array(providerView),
});
export type IdentityView = z.output<typeof identityView>;

/** What a stranger is told: which buttons there are. */
export const signInWays = z.strictObject({ passwords: z.boolean(), providers: z.array(z.string()) });
export type SignInWays = z.output<typeof signInWays>;

/** What an owner learns from asking a provider. */
export const providerTrial = z.strictObject({
  issuer: z.string(),
  /** Whether signing out here can sign people out there. */
  ends_sessions: z.boolean(),
  /** Whether it tells the farm when somebody signs out there (back-channel logout). */
  tells_sign_outs: z.boolean(),
});

/** A page of the farm itself, behind the #. */
export const ownPage = z
  .string()
  .max(500)
  .regex(/^\/(?![/\\])[\w\-./?=&%,:+~]*$/, "must be a page of this farm, such as /jobs");

/** What a provider sent back through the browser, as the page passes it on. */
export const providerAnswer = z.strictObject({
  /** OAuth's `state`. The audit tells fields called so of other routes, and this one is a secret. */
  oauth_state: secretOf(z.string().min(1).max(500)),
  code: secretOf(z.string().min(1).max(4000)).optional(),
  /** Which provider answers (RFC 9207). */
  iss: z.string().max(2000).optional(),
  error: z.string().max(200).optional(),
});
export type ProviderAnswer = z.output<typeof providerAnswer>;

/** With this begins OAuth's `state` where an account is to be linked, for the page that people come back to. */
export const linkState = "link.";

/** One of a person's ways in by a provider, beside what vouches for them itself. */
const accountLink = z.strictObject({
  /** The provider's name here. */
  provider: z.string(),
  /** As the provider called them last. */
  name: z.string(),
  created: z.string(),
  last_used: z.string().nullable(),
});
export type AccountLink = z.output<typeof accountLink>;

/** One's links, and the providers that can still be linked. */
export const accountLinks = z.strictObject({
  items: z.array(accountLink),
  others: z.array(z.string()),
  /** What has to be shown once more to change them: a password, or a code in its place; else a sign-in of the last minutes. */
  asks: z.enum(["password", "password or code", "fresh sign-in"]),
});
export type AccountLinks = z.output<typeof accountLinks>;

/** Who signed in, and the page they wanted. */
export const arrived = signedIn.extend({ page: z.string().nullable() });

/** To what the groups of somebody narrow their role, all together; undefined: the provider does not say. */
export const narrowedByGroups = (
  theirs: readonly string[],
  narrowed: IdentityProvider["narrowed"],
): Narrowed | undefined => {
  if (narrowed.length === 0) return undefined;
  const found = narrowed.filter(({ group }) => theirs.includes(group));
  return { tags: found.flatMap((each) => each.only_tags), groups: found.flatMap((each) => each.only_groups) };
};

/** The strongest role that one of the groups stands for; undefined: none. Groups are compared exactly. */
export const roleOfGroups = (theirs: readonly string[], wanted: IdentityProvider["roles"]): Role | undefined => {
  const has = new Set(theirs);
  return roles.find((role) => wanted[role].some((group) => has.has(group)));
};

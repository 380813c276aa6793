import { Secret } from "../../shared/basics/secret.ts";
import { attemptMs } from "../identity/attempt.ts";
import { halfMs } from "../people/half-sessions.ts";
import { longestSessionMs } from "../people/people.ts";
import { challengeMs } from "../second-steps/challenges.ts";

/** How the pages were asked for: the `Host` header, and whether over TLS. */
export type Place = { readonly host: string | undefined; readonly isSecure: boolean };

/**
 * Cookies know no ports: every service on a host could set one for all. Over TLS, browsers let only TLS set a name that begins
 * with `__Host-`, for exactly this host (RFC 6265bis, 4.1.3). The port in the name keeps services apart that have none of that
 * in mind, such as two farms on one machine.
 */
const nameAt = (what: CookieKind, { host, isSecure }: Place): string => {
  const port = /:(\d{1,5})$/.exec(host ?? "")?.[1];
  const isUsual = port === undefined || port === (isSecure ? "443" : "80");
  return `${isSecure ? "__Host-" : ""}mediafarm_${what}${isUsual ? "" : `_${port}`}`;
};

/**
 * The cookies of the pages, and how long browsers keep each: who is signed in, a sign-in that a provider has yet to answer, a
 * right password that lacks the second step, and what a passkey is asked to sign.
 */
const lifeMs = { session: longestSessionMs, attempt: attemptMs, half: halfMs, challenge: challengeMs } as const;
export type CookieKind = keyof typeof lifeMs;

export const sessionCookieName = (place: Place): string => nameAt("session", place);

/** No script can read it, no other site's page sends it. Null deletes it. */
export const cookieOf = (what: CookieKind, value: Secret | null, place: Place): string =>
  [
    `${nameAt(what, place)}=${value?.reveal() ?? ""}`,
    place.isSecure ? "Path=/" : "Path=/ui",
    `Max-Age=${value === null ? 0 : lifeMs[what] / 1000}`,
    "HttpOnly",
    "SameSite=Strict",
    ...(place.isSecure ? ["Secure"] : []),
  ].join("; ");

/** One of them among the cookies of a request. */
export const cookieIn = (what: CookieKind, cookies: string | undefined, place: Place): Secret | undefined => {
  const name = nameAt(what, place);
  const value = cookies
    ?.split(";")
    .map((pair) => pair.trim().split("="))
    .find(([each]) => each === name)?.[1];
  return value === undefined ? undefined : new Secret(value);
};

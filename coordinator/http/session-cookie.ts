import { Secret } from "../../shared/basics/secret.ts";
import { longestSessionMs } from "../people/people.ts";

/** How the pages were asked for: the `Host` header, and whether over TLS. */
export type Place = { readonly host: string | undefined; readonly isSecure: boolean };

/**
 * Cookies know no ports: every service on a host could set one for all. Over TLS, browsers let only TLS set a name that begins
 * with `__Host-`, for exactly this host (RFC 6265bis, 4.1.3). The port in the name keeps services apart that have none of that
 * in mind, such as two farms on one machine.
 */
export const sessionCookieName = ({ host, isSecure }: Place): string => {
  const port = /:(\d{1,5})$/.exec(host ?? "")?.[1];
  const isUsual = port === undefined || port === (isSecure ? "443" : "80");
  return `${isSecure ? "__Host-" : ""}mediafarm_session${isUsual ? "" : `_${port}`}`;
};

/** No script can read it, no other site's page sends it. Null deletes it. */
export const sessionCookie = (token: Secret | null, place: Place): string =>
  [
    `${sessionCookieName(place)}=${token?.reveal() ?? ""}`,
    place.isSecure ? "Path=/" : "Path=/ui",
    `Max-Age=${token === null ? 0 : longestSessionMs / 1000}`,
    "HttpOnly",
    "SameSite=Strict",
    ...(place.isSecure ? ["Secure"] : []),
  ].join("; ");

/** The token among the cookies of a request. */
export const sessionTokenIn = (cookies: string | undefined, place: Place): Secret | undefined => {
  const name = sessionCookieName(place);
  const value = cookies
    ?.split(";")
    .map((pair) => pair.trim().split("="))
    .find(([each]) => each === name)?.[1];
  return value === undefined ? undefined : new Secret(value);
};

import { isSecretHeader } from "./redact.ts";

/** Shorter parts of an address are words such as `v1`, which would be found in any text. */
const shortestPart = 4;

/** What is secret of an address: all but its origin, since the rest may be a key, as a whole and in its parts. */
export const secretsOfAddress = (address: string): string[] => {
  const { pathname, search, searchParams, username, password } = new URL(address);
  const parts = [...pathname.split("/"), ...search.slice(1).split(/[&=]/), ...searchParams.values()];
  const named = [pathname + search, pathname, search, username, password];
  return [...named, ...parts.filter(({ length }) => length >= shortestPart)].flatMap((each) => [each, decoded(each)]);
};

/** What is secret of a request that the farm itself sends. */
export const secretsOfRequest = (url: string, headers: Readonly<Record<string, string>>): string[] => {
  const values = Object.entries(headers).flatMap(([name, value]) => (isSecretHeader(name) ? [value] : []));
  return [...secretsOfAddress(url), ...values.flatMap((value) => [value, ...value.split(" ").slice(1)])];
};

/** A text, such as a receiver's answer, without these secrets. */
export const withoutSecrets = (text: string, secrets: readonly string[]): string =>
  [...new Set(secrets)]
    .filter((secret) => secret.length > 1)
    .sort((a, b) => b.length - a.length)
    .reduce((left, secret) => left.replaceAll(secret, "…"), text);

const decoded = (text: string): string => {
  try {
    return decodeURIComponent(text);
  } catch {
    return text; // it stands for itself
  }
};

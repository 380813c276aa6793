import type { Secret } from "../../shared/basics/secret.ts";

/** A text, such as a receiver's answer, without these secrets. */
export const withoutSecrets = (text: string, secrets: readonly string[]): string =>
  secrets
    .filter((secret) => secret.length > 1)
    .sort((a, b) => b.length - a.length)
    .reduce((left, secret) => left.replaceAll(secret, "…"), text);

/** What is secret of an address: all but its origin, since the rest may be a key. */
export const secretsOfAddress = (address: Secret): string[] => {
  const { pathname, search, username, password } = new URL(address.reveal());
  return [pathname + search, pathname, search, decoded(pathname), username, password];
};

/** What may be shown of an address. */
export const originOf = (address: Secret): string => new URL(address.reveal()).origin;

const decoded = (text: string): string => {
  try {
    return decodeURIComponent(text);
  } catch {
    return text; // it stands for itself
  }
};

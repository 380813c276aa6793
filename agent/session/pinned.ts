import { createHash, type X509Certificate } from "node:crypto";
import { isIP } from "node:net";

/** How a farm is known: its authority's pins, and the host in the address that the join token names. */
export type Known = { readonly pins: readonly string[]; readonly host: string };

/** Certificates after these are ignored. */
const longestChain = 8;

/**
 * Why a server is not the pinned farm, in words; undefined if it is. Each certificate must be signed by the next, and one
 * of them must belong to a pinned key.
 */
export const pinProblem = (
  chain: readonly X509Certificate[],
  { pins, host }: Known,
  now: number,
): string | undefined => {
  const [server] = chain;
  if (!server) return "it shows no certificate";
  if (!isVouchedFor(chain, pins)) {
    return "its certificate is not this farm's. Another computer answers at the farm's address, or the farm has a new key: compare with the join token that mediafarm join-token shows on the farm's machine, and join again with that one";
  }
  if (now < Date.parse(server.validFrom)) return `its certificate is valid from ${server.validFrom}: check the clocks`;
  if (now > Date.parse(server.validTo)) return `its certificate ended at ${server.validTo}: check the clocks`;
  const isNamed = (isIP(host) === 0 ? server.checkHost(host) : server.checkIP(host)) !== undefined;
  return isNamed
    ? undefined
    : `its certificate is for other names than ${host}: start the farm with --host-name ${host}`;
};

const isVouchedFor = (chain: readonly X509Certificate[], pins: readonly string[]): boolean => {
  for (const [nr, certificate] of chain.slice(0, longestChain).entries()) {
    if (pins.includes(pinOf(certificate))) return true;
    const next = chain[nr + 1];
    if (!next?.ca || !certificate.checkIssued(next) || !certificate.verify(next.publicKey)) return false;
  }
  return false;
};

const pinOf = ({ publicKey }: X509Certificate): string =>
  createHash("sha256")
    .update(publicKey.export({ type: "spki", format: "der" }))
    .digest("base64url");

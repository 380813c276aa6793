/** What is wrong with a TLS connection, by the code that Node gives. */
const problems: readonly (readonly [code: RegExp, words: string])[] = [
  [
    /^(DEPTH_ZERO_)?SELF_SIGNED_CERT|^UNABLE_TO_(GET_ISSUER|VERIFY_LEAF)/,
    "its certificate is signed by an authority that this computer does not know. If it is the farm's own, use a copy of the farm's tls-authority.pem: MEDIAFARM_CA names it for commands, NODE_EXTRA_CA_CERTS for agents",
  ],
  [
    /^ERR_TLS_CERT_ALTNAME_INVALID$/,
    "its certificate is for other names. Use one of those, or start the farm with --host-name",
  ],
  [/^CERT_HAS_EXPIRED$/, "its certificate has ended, or this computer's clock is wrong"],
  [/^CERT_NOT_YET_VALID$/, "its certificate is not valid yet, or this computer's clock is wrong"],
  [/^CERT_/, "its certificate is not accepted"],
  [
    /^ERR_SSL_(WRONG_VERSION_NUMBER|PACKET_LENGTH_TOO_LONG)$/,
    "it speaks plain HTTP, not TLS: use an address that begins with http:// or ws://",
  ],
  [/^ERR_SSL_/, "the TLS handshake failed"],
];

/** In words, if a connection failed because of TLS; else undefined. Looks at the causes of an error too. */
export const certificateProblem = (problem: unknown): string | undefined => {
  for (let each = problem, depth = 0; each instanceof Error && depth < 5; each = each.cause, depth++) {
    const code = "code" in each && typeof each.code === "string" ? each.code : "";
    const found = problems.find(([pattern]) => pattern.test(code));
    if (found) return found[1];
  }
  return undefined;
};

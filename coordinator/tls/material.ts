/** What a TLS server needs, and what its clients need to trust it. */
export type Material = {
  /** PEM; a secret. */
  readonly key: string;
  /** The server's certificate and those above it, PEM. */
  readonly certificate: string;
  /** The root that clients must trust, PEM; undefined if the administrator's file contains none. */
  readonly authority: string | undefined;
  /** The pins of the authority's keys, the current one first. Empty if agents check the certificate as a browser does. */
  readonly pins: readonly string[];
  /** Unix milliseconds. */
  readonly endsAt: number;
  /** Made and renewed by the farm, instead of the administrator. */
  readonly isOwn: boolean;
};

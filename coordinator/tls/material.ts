/** What a TLS server needs, and what others must know of it. */
export type Material = {
  /** PEM; a secret. */
  readonly key: string;
  /** The server's certificate and those above it, PEM. */
  readonly certificate: string;
  /** What clients must trust to accept it, PEM; undefined if the file holds no root: clients trust it, or not. */
  readonly authority: string | undefined;
  /** How agents know the authority: the current one first. Empty if they check it as a browser does. */
  readonly pins: readonly string[];
  /** Unix milliseconds. */
  readonly endsAt: number;
  /** Made and renewed by the farm, instead of the administrator. */
  readonly isOwn: boolean;
};

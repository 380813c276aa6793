import { Secret } from "../basics/secret.ts";

/** The mail server that a node uses. */
export type MailServer = {
  readonly host: string;
  readonly port: number;
  /** Encrypted from the first byte; otherwise with STARTTLS, if the server offers it. */
  readonly isSecure: boolean;
  /** Requires encryption; always so with a password. */
  readonly needsTls: boolean;
  readonly username?: string;
  readonly password?: Secret;
};

/**
 * Parses `smtp://user:password@host:587` or `smtps://…`; `?tls=required` requires encryption. Undefined for anything
 * else.
 */
export const parseMailServer = (text: string): MailServer | undefined => {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const tls = url?.searchParams.get("tls");
  if (!url || !/^smtps?:$/.test(url.protocol) || url.hostname === "" || (tls && tls !== "required")) return undefined;
  const isSecure = url.protocol === "smtps:";
  const credentials = url.password
    ? { username: decodeURIComponent(url.username), password: new Secret(decodeURIComponent(url.password)) }
    : {};
  return {
    host: url.hostname.replace(/^\[(.*)\]$/, "$1"),
    port: Number(url.port || (isSecure ? 465 : 587)),
    isSecure,
    needsTls: tls === "required" || url.password !== "",
    ...credentials,
  };
};

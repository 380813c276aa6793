import { AppError } from "../../shared/basics/errors.ts";
import type { TrailRow } from "../store/trail.ts";

/** Where lines go: over UDP, TCP or TLS, or to a stream socket of this machine. */
export type SyslogAddress =
  | { readonly kind: "udp" | "tcp" | "tls"; readonly host: string; readonly port: number }
  | { readonly kind: "unix"; readonly path: string };

/** RFC 5426, RFC 6587 and RFC 5425. */
const usualPorts = { udp: 514, tcp: 601, tls: 6514 } as const;

/** `udp://host`, `tcp://host:601`, `tls://host` or `unix:/run/syslog.sock`. Throws AppError. */
export const parseSyslogAddress = (text: string): SyslogAddress => {
  const [, path] = /^unix:(\/.{1,100})$/.exec(text) ?? [];
  if (path !== undefined) return { kind: "unix", path };
  const url = URL.parse(text);
  const kind = url?.protocol.slice(0, -1);
  if (url && url.hostname !== "" && (kind === "udp" || kind === "tcp" || kind === "tls") && /^\/?$/.test(url.pathname))
    return { kind, host: url.hostname.replace(/^\[|\]$/g, ""), port: Number(url.port) || usualPorts[kind] };
  throw new AppError(
    "VALIDATION_FAILED",
    `The syslog address must be udp://HOST:PORT, tcp://HOST:PORT, tls://HOST:PORT or unix:/PATH, not "${text.slice(0, 200)}"`,
  );
};

/** Facility "log audit"; refusals are warnings. */
const facility = 13;
const [warning, informational] = [4, 6];

/** One message of RFC 5424. The structured data has the number set aside for examples, as the farm has none of its own. */
export const syslogMessage = (
  row: TrailRow,
  { host, pid }: { readonly host: string; readonly pid: number },
): string => {
  const { id, at, who, origin, action, outcome, about, hash } = row;
  const priority = facility * 8 + (outcome === "done" ? informational : warning);
  const head = [`<${priority}>1`, new Date(at).toISOString(), header(host, 255), "mediafarm", pid, header(action, 32)];
  const data = Object.entries({ id, who, origin, action, outcome, hash }).map(
    ([name, value]) => `${name}="${escaped(String(value))}"`,
  );
  return `${head.join(" ")} [mediafarm@32473 ${data.join(" ")}] ${about}`;
};

/** A header's field: printable ASCII without spaces. */
const header = (text: string, most: number): string => text.replaceAll(/[^!-~]/g, "_").slice(0, most) || "-";

const escaped = (text: string): string => text.replaceAll(/["\\\]]/g, "\\$&");

/** A message in a stream: its length in bytes stands before it (RFC 6587, 3.4.1). */
export const framed = (message: string): string => `${Buffer.byteLength(message)} ${message}`;

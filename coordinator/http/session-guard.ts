import type { FastifyReply, FastifyRequest } from "fastify";
import { AppError } from "../../shared/basics/errors.ts";
import { Secret } from "../../shared/basics/secret.ts";
import { mayDo, type Role } from "../../shared/people/person.ts";
import { scopes } from "../../shared/people/scopes.ts";
import type { Right } from "../../shared/rights/rights.ts";
import type { HalfSession } from "../people/half-sessions.ts";
import type { MachineKey } from "../people/machine-key.ts";
import type { People, Session } from "../people/people.ts";
import type { JobSender } from "../store/rows.ts";
import { always, type Caller } from "./auth.ts";
import { originOf } from "./own-host.ts";
import { type CookieKind, cookieIn, cookieOf } from "./session-cookie.ts";

/** A request of the pages: the caller, if any, and how to set the cookie. */
export type Visit = Caller & {
  /** Undefined on routes that need no person. */
  readonly session: Session | undefined;
  readonly token: Secret | undefined;
  readonly setCookie: (token: Secret | null) => void;
  /** Whose password was right, on routes that set up the first second step. */
  readonly entering: HalfSession | undefined;
  /** What else this browser keeps for a while: `CookieKind` says what for. */
  readonly kept: (what: ShortCookie) => Secret | undefined;
  readonly keep: (what: ShortCookie, value: Secret | null) => void;
  /** Scheme, name and port by which the browser knows this farm. */
  readonly origin: string;
  /** As the browser names itself. */
  readonly browser: string;
};

type ShortCookie = Exclude<CookieKind, "session">;

export type SessionGuard = (request: FastifyRequest, reply: FastifyReply, needed: Right["person"]) => Promise<Visit>;

/**
 * Accepts a request below /ui/v1, or throws: changes must come from our own pages, and the caller must be signed in
 * with a sufficient role. Only the session cookie counts here, and the key on the coordinator's machine, which no
 * browser sends by itself.
 */
export const createSessionGuard =
  (people: People, machine: Pick<MachineKey, "isRight">): SessionGuard =>
  async (request, reply, needed) => {
    const role = roleOf(needed);
    reply.header("cache-control", "no-store");
    const bearer = bearerOf(request.headers.authorization);
    if (bearer !== undefined && isFromThisMachine(request) && machine.isRight(bearer)) return machineVisit;
    if (request.method !== "GET" && request.method !== "HEAD") requireOwnPages(request);
    const place = { host: request.host, isSecure: request.protocol === "https" };
    const token = cookieIn("session", request.headers.cookie, place);
    const session = role === null || token === undefined ? undefined : await people.use(token);
    const kept = (what: CookieKind) => cookieIn(what, request.headers.cookie, place);
    const entering = session ? undefined : enteringOf(people, needed, kept("half"));
    if (role !== null && !entering) requireRole(session, role);
    const keep = (what: CookieKind, value: Secret | null) =>
      void reply.header("set-cookie", cookieOf(what, value, place));
    const { who, sender } = senderOfVisit(session ?? entering?.person);
    return {
      narrowed: session?.narrowed,
      ...{ who, sender, reach: "all", scopes, complies: always, session, entering, token, kept, keep },
      setCookie: (value) => keep("session", value),
      origin: originAt(request),
      browser: request.headers["user-agent"] ?? "",
    };
  };

const roleOf = (needed: Right["person"]): Role | null => {
  if (needed === "entering") return "viewer";
  return needed === "stranger" || needed === "nobody" ? null : needed;
};

/** Whose password was right, and who may do nothing but set up what the farm wants of them. */
const enteringOf = (
  { halves }: People,
  needed: Right["person"],
  token: Secret | undefined,
): HalfSession | undefined => {
  const half = needed === "entering" ? halves.read(token) : undefined;
  return half?.step === "set up" ? half : undefined;
};

const senderOfVisit = (person: { readonly id: number; readonly name: string } | undefined) => {
  const who = person ? `person ${person.id}` : "";
  return { who, sender: senderOf(person?.name ?? null, who || null) };
};

/** Behind what ends TLS unsaid, only the browser knows that it came by https; what it says was checked to be this host. */
const originAt = ({ headers, protocol, host = "" }: FastifyRequest): string =>
  originOf(headers.origin ?? "") ?? originOf(`${protocol}://${host}`) ?? "";

const requireRole = (session: Session | undefined, role: Role): void => {
  if (!session) throw new AppError("NOT_AUTHENTICATED", "Nobody is signed in, or no longer: sign in");
  if (mayDo(session.role, role)) return;
  throw new AppError("NOT_ALLOWED", `This needs the role ${role}; ${session.name} is ${session.role}`);
};

const senderOf = (owner: string | null, owner_id: string | null): JobSender => ({
  ...{ owner, owner_id, owner_group: null },
  ...{ origin: "pages", parent_id: null, traceparent: null },
});

/**
 * Over loopback, and not through a proxy, which forwards for somebody else: one that is not configured as such still says
 * so. What a trusted proxy says about its client changes nothing: the line itself has to begin here.
 */
export const isFromThisMachine = ({ socket, headers }: Pick<FastifyRequest, "socket" | "headers">): boolean =>
  /^(?:::ffff:)?127\.|^::1$/.test(socket.remoteAddress ?? "") && forwarded.every((name) => headers[name] === undefined);

const forwarded = ["x-forwarded-for", "x-forwarded-host", "x-forwarded-proto", "x-real-ip", "forwarded", "via"];

const machineVisit: Visit = {
  who: "this machine",
  sender: senderOf("this machine", "this machine"),
  reach: "all",
  narrowed: undefined,
  scopes,
  complies: always,
  session: {
    id: 0,
    name: "this machine",
    role: "owner",
    narrowed: undefined,
    hash: "",
    issuer: null,
    home: null,
    since: 0,
    isMachine: true,
  },
  token: undefined,
  setCookie: () => {},
  entering: undefined,
  kept: () => undefined,
  keep: () => {},
  origin: "",
  browser: "",
};

const bearerOf = (header: string | undefined): Secret | undefined => {
  const key = /^bearer ([\w-]+)$/i.exec(header ?? "")?.[1];
  return key === undefined ? undefined : new Secret(key);
};

/**
 * A page that came over plain HTTP, which anybody on its way may have written, changes nothing over TLS. A page over TLS
 * may: what ends TLS before this farm need not be configured as its proxy.
 */
const isOwnOrigin = (origin: string, protocol: string, host: string): boolean => {
  const from = originOf(origin);
  return from !== undefined && [protocol, "https"].some((scheme) => originOf(`${scheme}://${host}`) === from);
};

/** Throws if a browser reports that the page of somebody else asks. Programs report nothing. */
export const requireOwnPage = (request: FastifyRequest): void => {
  const { origin, "sec-fetch-site": site } = request.headers;
  if (origin !== undefined || site !== undefined) requireOwnPages(request);
};

/** Browsers report where a request comes from, and a page cannot fake it. */
const requireOwnPages = ({ headers, protocol, host = "" }: FastifyRequest): void => {
  const { origin } = headers;
  const site = headers["sec-fetch-site"];
  const isSame = origin === undefined ? site === "same-origin" : isOwnOrigin(origin, protocol, host);
  if (isSame && (site === undefined || site === "same-origin")) return;
  throw new AppError(
    "NOT_ALLOWED",
    `Changes are taken from this farm's own pages only, not from ${origin ?? "elsewhere"}`,
  );
};

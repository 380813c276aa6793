import type { FastifyReply, FastifyRequest } from "fastify";
import type { Route } from "../../shared/api/route.ts";
import { sessionCookieName } from "../../shared/api/ui-api.ts";
import { AppError } from "../../shared/basics/errors.ts";
import { mayDo } from "../../shared/people/person.ts";
import type { MachineKey } from "../people/machine-key.ts";
import { longestSessionMs, type People, type Session } from "../people/people.ts";
import type { JobSender } from "../store/rows.ts";
import { always, type Caller } from "./auth.ts";

/** A request of the pages: the caller, if any, and how to set the cookie. */
export type Visit = Caller & {
  /** Undefined on routes that need no person. */
  readonly session: Session | undefined;
  readonly token: string | undefined;
  readonly setCookie: (token: string | null) => void;
};

export type SessionGuard = (request: FastifyRequest, reply: FastifyReply, role: Route["role"]) => Promise<Visit>;

/**
 * Accepts a request below /ui/v1, or throws: changes must come from our own pages, and the caller must be signed in
 * with a sufficient role. Only the session cookie counts here, and the key on the coordinator's machine, which no
 * browser sends by itself.
 */
export const createSessionGuard =
  (people: People, machine: Pick<MachineKey, "isRight">): SessionGuard =>
  async (request, reply, role) => {
    reply.header("cache-control", "no-store");
    const bearer = bearerOf(request.headers.authorization);
    if (bearer !== undefined && machine.isRight(bearer)) return machineVisit;
    if (request.method !== "GET" && request.method !== "HEAD") requireOwnPages(request);
    const token = cookieOf(request.headers.cookie);
    const session = role === null || token === undefined ? undefined : await people.use(token);
    if (role !== null && !session)
      throw new AppError("NOT_AUTHENTICATED", "Nobody is signed in, or no longer: sign in");
    if (role !== null && session && !mayDo(session.role, role)) {
      throw new AppError("NOT_ALLOWED", `This needs the role ${role}; ${session.name} is ${session.role}`);
    }
    const isSecure = request.protocol === "https";
    const setCookie = (value: string | null) => reply.header("set-cookie", sessionCookie(value, isSecure));
    const who = session ? `person ${session.id}` : "";
    return { who, sender: senderOf(session?.name ?? null), complies: always, session, token, setCookie };
  };

const senderOf = (owner: string | null): JobSender => ({ owner, origin: "pages", parent_id: null });

const machineVisit: Visit = {
  who: "this machine",
  sender: senderOf("this machine"),
  complies: always,
  session: { id: 0, name: "this machine", role: "owner", hash: "", isMachine: true },
  token: undefined,
  setCookie: () => {},
};

const bearerOf = (header: string | undefined): string | undefined => /^bearer ([\w-]+)$/i.exec(header ?? "")?.[1];

/** No script can read it, no other site's page sends it. Null deletes it. */
export const sessionCookie = (token: string | null, isSecure: boolean): string =>
  [
    `${sessionCookieName}=${token ?? ""}`,
    "Path=/ui",
    `Max-Age=${token === null ? 0 : longestSessionMs / 1000}`,
    "HttpOnly",
    "SameSite=Strict",
    ...(isSecure ? ["Secure"] : []),
  ].join("; ");

const cookieOf = (header: string | undefined): string | undefined =>
  header
    ?.split(";")
    .map((pair) => pair.trim().split("="))
    .find(([name]) => name === sessionCookieName)?.[1];

/** Browsers report where a request comes from, and a page cannot fake it. */
const requireOwnPages = ({ headers, host = "" }: FastifyRequest): void => {
  const { origin } = headers;
  const site = headers["sec-fetch-site"];
  const isSame = origin === undefined ? site === "same-origin" : hostOf(origin) === host.toLowerCase();
  if (isSame && (site === undefined || site === "same-origin")) return;
  throw new AppError(
    "NOT_ALLOWED",
    `Changes are taken from this farm's own pages only, not from ${origin ?? "elsewhere"}`,
  );
};

const hostOf = (origin: string): string | undefined => (URL.canParse(origin) ? new URL(origin).host : undefined);

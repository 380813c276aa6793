import type { FastifyInstance, FastifyRequest } from "fastify";
import { complianceHeaders, tokenHeaders } from "../../shared/api/api.ts";
import type { Route } from "../../shared/api/route.ts";
import type { Clock } from "../../shared/basics/clock.ts";
import { AppError } from "../../shared/basics/errors.ts";
import { Secret } from "../../shared/basics/secret.ts";
import type { Narrowed } from "../../shared/people/narrowed.ts";
import { type Power, type Scope, scopeWords } from "../../shared/people/scopes.ts";
import { type Reach, reachOf } from "../../shared/rights/reach.ts";
import type { Right } from "../../shared/rights/rights.ts";
import type { Accounts } from "../people/accounts.ts";
import type { Tokens } from "../people/api-tokens.ts";
import { addressLine } from "../people/people.ts";
import { type JobSender, unknownSender } from "../store/rows.ts";
import { createKeptLogins } from "./kept-logins.ts";
import type { SignInThrottle } from "./sign-in-throttle.ts";

/** The caller, for data stored per caller; "" for open routes. */
export type Caller = {
  readonly who: string;
  /** Who sends a job by this call. */
  readonly sender: JobSender;
  /** Whose jobs and presets the caller sees and changes. */
  readonly reach: Reach;
  /** To which nodes and jobs a person's role is narrowed; undefined: to none, as for programs. */
  readonly narrowed: Narrowed | undefined;
  /** What a program may do; everything, as far as their role goes, for people. */
  readonly scopes: readonly Scope[];
  /** The day, YYYYMMDD, up to which the caller complies with the API; the latest day by default. */
  readonly complies: string;
  /** Called after a successful response. */
  readonly succeeded?: () => void;
  /** Whether an accepted stream may continue. */
  readonly lasts?: () => Promise<boolean>;
};

declare module "fastify" {
  interface FastifyRequest {
    /** The accepted caller. */
    caller?: Caller;
    /** The caller as they are by now; throws if they may not do this any more. */
    look?: () => Promise<Caller>;
    /** Lets the caller in, or throws. */
    letIn: (allow: () => Caller | Promise<Caller>) => Promise<void>;
  }
}

/** A look at a caller holds for so long. */
const looksHoldMs = 250;

/**
 * Lets callers in before their bodies are read, and looks at them again once it is their turn: meanwhile an owner may have
 * revoked, removed or narrowed them.
 */
export const knowCallers = (app: FastifyInstance, clock: Pick<Clock, "monotonic">): void => {
  app.decorateRequest("caller", undefined);
  app.decorateRequest("look", undefined);
  app.decorateRequest("letIn", async function (allow) {
    let caller = await allow();
    let at = clock.monotonic();
    this.caller = caller;
    this.look = async () => {
      if (clock.monotonic() - at >= looksHoldMs) [caller, at] = [await allow(), clock.monotonic()];
      this.caller = caller;
      return caller;
    };
  });
  app.addHook("preHandler", async (request) => {
    await request.look?.();
  });
};

export type Guard = (request: FastifyRequest, route: GuardedRoute) => Promise<Caller>;

/** How a route is asked for, and what it needs. */
export type GuardedRoute = Pick<Route, "access"> &
  Pick<Right, "program"> & {
    /** Whether it also takes an API user's key and secret in headers, instead of a token. */
    readonly takesKeys?: true;
  };

/** Of API users whose programs cannot log in. */
const [keyHeader, keySecretHeader] = ["x-service-auth-key", "x-service-auth-secret"];

type Knows = { readonly accounts: Accounts; readonly tokens: Tokens; readonly throttle: SignInThrottle };

/** For callers that know the newest format of every response. */
export const always = "99991231";
/** Whoever is nobody reaches nothing: no owner is called this. */
const nothing: Reach = { field: "owner_id", value: "" };
const nobody: Caller = {
  ...{ who: "", sender: unknownSender, complies: always, reach: nothing, scopes: [] },
  narrowed: undefined,
};

/** Accepts a request, or throws: layer one (OAPI pair), layer two (token), and the compliance date. */
export const createGuard = ({ accounts, tokens, throttle }: Knows): Guard => {
  const logins = createKeptLogins(tokens);
  const userOf = async (request: FastifyRequest, takesKeys?: true): ReturnType<Tokens["use"]> => {
    const token = headerOf(request, tokenHeaders);
    if (token !== undefined) return tokens.use(new Secret(token));
    const [key, secret] = [headerOf(request, [keyHeader]), headerOf(request, [keySecretHeader])];
    if (!takesKeys || key === undefined || secret === undefined)
      throw new AppError(
        "NOT_AUTHENTICATED",
        `Header X-Service-Sapiauth with a token is missing${takesKeys ? ", and so are X-Service-Auth-Key and X-Service-Auth-Secret" : ""}`,
      );
    try {
      return await logins.use(key, new Secret(secret));
    } catch (problem) {
      if (problem instanceof AppError && problem.code === "NOT_AUTHENTICATED")
        await throttle.punish([addressLine(request.ip), `user ${key}`]);
      throw problem;
    }
  };
  const refusePair = async (request: FastifyRequest, key: string): Promise<never> => {
    await throttle.punish([addressLine(request.ip), `oapi ${key}`]);
    throw new AppError("NOT_AUTHENTICATED", "The OAPI key or secret is missing or wrong (HTTP Basic)");
  };

  return async (request, { access, program, takesKeys }) => {
    if (access === "open") return nobody;
    if (access === "person") throw new AppError("NOT_ALLOWED", "This is for people who signed in to the pages");
    const [key, secret] = basicCredentials(request.headers.authorization);
    if (!(await accounts.isOapiPair(key, secret))) return refusePair(request, key);
    const complies = access === "oapi" || access === "api" ? complianceOf(request) : always;
    if (access === "oapi") return { ...nobody, complies };
    const { userId, userName, power, extend } = await userOf(request, takesKeys);
    requireScope(program, power);
    const who = `api user ${userId}`;
    const owned = { owner_id: who, owner_group: power.group };
    const sender: JobSender = { ...owned, owner: userName || who, origin: "api", parent_id: null, traceparent: null };
    const { scopes } = power;
    const reach = reachOf(who, power);
    return {
      who,
      sender,
      reach,
      narrowed: undefined,
      scopes,
      succeeded: extend,
      lasts: () => accounts.isUser(userId),
      complies,
    };
  };
};

/** Throws if a program lacks the scope. */
export const requireScope = (needed: Right["program"], { scopes }: Pick<Power, "scopes">): void => {
  if (needed === "any" || scopes.some((each) => each === needed)) return;
  const message =
    needed in scopeWords
      ? `This API user may not ${scopeWords[needed as Scope]}: it lacks the scope ${needed}. An owner makes one that has it (mediafarm api-users create NAME --scopes ${needed},…)`
      : "This is not for API users";
  throw new AppError("NOT_ALLOWED", message);
};

/** Both empty for anything that is not a Basic header. */
const basicCredentials = (header: string | undefined): [string, Secret] => {
  const encoded = /^basic\s+([a-z0-9+/=_-]+)\s*$/i.exec(header ?? "")?.[1];
  const text = encoded === undefined ? "" : Buffer.from(encoded, "base64").toString("utf8");
  const colon = text.indexOf(":");
  return colon < 0 ? ["", new Secret("")] : [text.slice(0, colon), new Secret(text.slice(colon + 1))];
};

const headerOf = (request: FastifyRequest, names: readonly string[]): string | undefined => {
  const value = names.map((name) => request.headers[name]).find((each) => each !== undefined);
  return Array.isArray(value) ? value[0] : value;
};

/** The client's date, in the past or the future. */
const complianceOf = (request: FastifyRequest): string => {
  const value = headerOf(request, complianceHeaders)?.trim();
  if (value !== undefined && isCalendarDate(value)) return value;
  const message =
    value === undefined
      ? "Header X-Service-Compliance is missing: the date, YYYYMMDD, up to which the client knows the API"
      : `Header X-Service-Compliance must be a date like 20261101, not "${value.slice(0, 40)}"`;
  throw new AppError("VALIDATION_FAILED", message, { details: [{ path: "headers.x-service-compliance", message }] });
};

/** The last valid date: clients send the same one with every request. */
let lastDate = "";

const isCalendarDate = (text: string): boolean => {
  if (text === lastDate) return true;
  const parts = /^(\d{4})(\d{2})(\d{2})$/.exec(text);
  if (!parts) return false;
  const iso = `${parts[1]}-${parts[2]}-${parts[3]}`;
  const date = new Date(`${iso}T00:00:00Z`);
  const isDate = !Number.isNaN(date.getTime()) && date.toISOString().startsWith(iso);
  if (isDate) lastDate = text;
  return isDate;
};

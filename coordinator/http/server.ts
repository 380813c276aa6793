import type { Server } from "node:https";
import {
  type FastifyHttpsOptions,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  type FastifyServerOptions,
  fastify,
  LogController,
  type RouteOptions,
} from "fastify";
import { type Api, api, type OutputOf, type ParsedInputOf, type RouteName } from "../../shared/api/api.ts";
import type { ParamsOf, Route } from "../../shared/api/route.ts";
import { AppError } from "../../shared/basics/errors.ts";
import { parse } from "../../shared/basics/validation.ts";
import { apiRights, echoingRoutes, type Right } from "../../shared/rights/rights.ts";
import { isTold } from "../../shared/rights/told.ts";
import type { Doors } from "../doors/doors.ts";
import type { Turn, Turns } from "../doors/turns.ts";
import type { Kernel } from "../kernel/kernel.ts";
import type { Tls } from "../tls/tls.ts";
import type { ActionRecord } from "../views/audit.ts";
import { answerOthers } from "./allowed-methods.ts";
import { answerError, answerNoHttp, headLimit } from "./answers/error-answers.ts";
import { hideSecrets } from "./answers/hidden-secrets.ts";
import { printAnswer } from "./answers/printed-answers.ts";
import { answerAsOf } from "./answers/versions.ts";
import { queryOf, readArguments } from "./arguments.ts";
import { type Caller, type Guard, knowCallers } from "./auth.ts";
import { acceptBodies, bodyLimit } from "./body.ts";
import { holdStrangersBack, takeTurns, watchDoors } from "./fair-turns.ts";
import { ownNames, requireOwnHost } from "./own-host.ts";
import { ofPipelines, servePipelines } from "./pipelines.ts";
import { createRequestIds } from "./request-ids.ts";
import { serveTls, tlsOptions } from "./serve-tls.ts";
import { tellCalls } from "./told-calls.ts";

export type Handlers = {
  readonly [N in RouteName]: (
    args: ParamsOf<Api[N]["path"]> & ParsedInputOf<N>,
    request: HandlerInput,
  ) => Promise<OutputOf<N>> | OutputOf<N>;
};

/** A request as its handler sees it, in addition to its arguments. */
export type HandlerInput = {
  readonly ip: string;
  /** The arguments as sent, before they were validated and filled with defaults. */
  readonly received: Record<string, unknown>;
  /** Of the body, as its header says; undefined if it does not. */
  readonly bytes: number | undefined;
  /** The route's own headers. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  /** The caller: an API user, a person, or nobody (""). */
  readonly who: string;
  readonly sender: Caller["sender"];
  /** Whose jobs and presets the caller sees and changes. */
  readonly reach: Caller["reach"];
  /** To which nodes and jobs the caller's role is narrowed. */
  readonly narrowed: Caller["narrowed"];
  /** The caller as they are by now, for what waits or takes long; throws if they may not do this any more. */
  readonly look: () => Promise<Pick<Caller, "reach" | "narrowed">>;
};

declare module "fastify" {
  interface FastifyContextConfig {
    readonly saysSuccessAsText?: true;
    readonly echoes?: boolean;
  }
  interface FastifyRequest {
    /** Its turn among all requests. */
    turn?: Turn;
  }
}

/** Slower requests are cut off … */
const requestTimeoutMs = 120_000;
/** … and so are slower request heads. */
const headersTimeoutMs = 20_000;
/** Maximum body size of an unauthenticated request. */
const openBodyLimit = 16 * 1024;

/** What is done with every call of a program. */
export type Around = {
  readonly answered: (call: ActionRecord) => void;
  /** Throws if the route's object, which its path names, is not the caller's to see. */
  readonly mayReach: (right: Pick<Right, "object">, reach: Caller["reach"], args: object) => Promise<void>;
};

/** How connections and requests come in. */
type Entrance = { readonly tls?: Tls | undefined; readonly doors?: Doors | undefined; readonly turns: Turns };

/** The HTTP server, before its routes are bound: what is done with every request, every error in one format. */
export const createServer = (
  {
    clock,
    log,
    timeSlice,
    trail,
    config: { host, port, hostNames, proxies, doors: limits },
  }: Pick<Kernel, "clock" | "config" | "log" | "timeSlice" | "trail">,
  { tls, doors, turns }: Entrance,
): FastifyInstance => {
  const app = open(
    {
      loggerInstance: log,
      logController: new LogController({ disableRequestLogging: true }),
      bodyLimit,
      genReqId: createRequestIds(clock),
      requestTimeout: requestTimeoutMs,
      // Without trusted proxies, forwarded addresses and names are ignored.
      trustProxy: proxies.length > 0 ? [...proxies] : false,
      routerOptions: { ignoreTrailingSlash: true, maxParamLength: 200 },
      // Some clients join base and path with two slashes.
      rewriteUrl: ({ url = "/" }) =>
        url.includes("//") ? url.replace(/^[^?]*/, (path) => path.replace(/\/{2,}/g, "/")) : url,
      forceCloseConnections: true,
      // Requests refused before a route is found: a path that cannot be decoded, or a part that is too long.
      frameworkErrors: (problem, request, reply) => answerError(request, reply, problem),
      // Many connections may come to their time's end in one turn of the loop.
      clientErrorHandler: (problem, socket) => void timeSlice(() => answerNoHttp(problem, socket)),
    },
    tls,
  );
  if (tls) serveTls(app, tls, port, doors);
  servePipelines(app.server, (socket) => doors?.holdBack(socket));
  knowCallers(app, clock);
  if (doors) watchDoors(app, doors);
  holdStrangersBack(app, limits, clock);
  takeTurns(app, turns);
  hideSecrets(app, timeSlice);
  tellCalls(app, trail);
  acceptBodies(app, timeSlice);
  app.setReplySerializer(printAnswer);
  app.setErrorHandler((problem, request, reply) => answerError(request, reply, problem));
  answerOthers(app);
  app.decorateRequest("turn", undefined);
  const names = ownNames(host, hostNames);
  app.addHook("onRequest", async (request, reply) => {
    reply.header("x-content-type-options", "nosniff");
    reply.header("x-request-id", request.id);
    requireOwnHost(request, names);
  });
  return app;
};

/**
 * Binds every route of the API's table to its handler behind the guard: a piece of work for each, because all of them at once would
 * block a new leader for longer than its lease, where it has little of a processor.
 */
export const apiBindings = (
  app: FastifyInstance,
  guard: Guard,
  handlers: Handlers,
  { answered, mayReach }: Around,
): (() => void)[] =>
  // Object.keys forgets that these are the table's names.
  (Object.keys(api) as RouteName[]).map((name) => () => {
    const route: Route = api[name];
    // The mapped type ties each handler to its route; a loop over the table cannot express that.
    const handler = told(name, handlers[name] as Binding["handle"], answered);
    const right = apiRights[name];
    const echoes = echoingRoutes.has(name);
    const allow = (request: FastifyRequest) => guard(request, { ...route, ...right });
    const handle: Binding["handle"] = async (args, asked) => {
      await mayReach(right, asked.reach, args);
      return answerAsOf(asked.allowed.complies, name, (await handler(args, asked)) ?? {});
    };
    bind(app, api[name], {
      base: route.access === "open" ? "" : "/v1",
      ...{ allow, handle, echoes, told: isTold(name, route) ? name : undefined },
      isOfStrangers: isOfStrangers(route.access),
    });
  });

const ofRequests = { maxHeaderSize: headLimit, headersTimeout: headersTimeoutMs, ...ofPipelines };

/** An app on HTTP, or on HTTPS. Its routes do not notice which. */
const open = (options: FastifyServerOptions, tls: Tls | undefined): FastifyInstance =>
  tls
    ? // Both servers have all that routes, hooks and the hub use.
      (fastify<Server>({
        // Options that name the type of the server are only its timeouts' and errors'.
        ...(options as FastifyHttpsOptions<Server>),
        https: { ...ofRequests, ...tlsOptions(tls.current()) },
      }) as unknown as FastifyInstance)
    : fastify({ ...options, http: ofRequests });

/** Open routes, or routes that need only the account's pair. */
const isOfStrangers = (access: Route["access"]): boolean => access === "open" || access === "oapi";

export type Binding<Allowed extends Caller = Caller> = {
  readonly base: string;
  /** Its bodies are small, because the caller is known only afterwards. */
  readonly isOfStrangers: boolean;
  /** Its answers hold what was sent, as it was sent. */
  readonly echoes: boolean;
  /** The name under which its calls are told; undefined: they are not. */
  readonly told: string | undefined;
  /** Accepts the request, or throws; its result is passed to the handler. */
  readonly allow: (request: FastifyRequest, reply: FastifyReply) => Allowed | Promise<Allowed>;
  readonly handle: (args: object, request: HandlerInput & { readonly allowed: Allowed }) => unknown;
};

/** Handles requests, and tells who made each and what it was answered. */
export const told =
  <Allowed extends Caller>(route: string, handle: Binding<Allowed>["handle"], answered: (call: ActionRecord) => void) =>
  async (...[args, asked]: Parameters<Binding<Allowed>["handle"]>): Promise<Record<string, unknown> | undefined> => {
    const answer = (await handle(args, asked)) as Record<string, unknown> | undefined; // what routes of the tables return
    answered({ route, args, who: asked.sender.owner ?? asked.who, answer });
    return answer;
  };

/** Binds one route of a table: the guard first, then the arguments, then the handler. */
export const bind = <Allowed extends Caller>(
  app: FastifyInstance,
  { method, path, alias, input, headers, readsItself, saysSuccessAsText, isBodyOnly }: Route,
  binding: Binding<Allowed>,
): void => {
  const options: Omit<RouteOptions, "url"> = {
    method,
    ...(binding.isOfStrangers && { bodyLimit: openBodyLimit }),
    config: { saysSuccessAsText, echoes: binding.echoes, told: binding.told },
    // The caller is authenticated before a body is read.
    onRequest: async (request, reply) => {
      await request.letIn(() => binding.allow(request, reply));
    },
    handler: async (request, reply) => {
      const allowed = request.caller as Allowed; // the hook above has run
      const look = async () => (await request.look?.()) ?? allowed;
      const query = queryOf(request.url);
      if (isBodyOnly && query !== "") throw argumentsInQuery();
      const received = readArguments(query, request.body, input);
      const read = readsItself ? received : parse(input, received, "");
      const args = { ...(read as object), ...(request.params as object) };
      const own = parse(headers, request.headers, "headers");
      const length = request.headers["content-length"];
      const bytes = length === undefined ? undefined : Number(length);
      const asked = { ip: request.ip, received, bytes, headers: own, allowed, look, ...callerOf(allowed) };
      const answer = (await binding.handle(args, asked)) ?? {};
      allowed.succeeded?.();
      request.answer = answer;
      return reply.send(answer);
    },
  };
  for (const each of alias ? [path, alias] : [path]) {
    app.route({ ...options, url: binding.base + each.replaceAll(/\{(\w+)\}/g, ":$1") });
  }
};

const argumentsInQuery = () =>
  new AppError("VALIDATION_FAILED", "Arguments of this route go in the body: addresses are kept in logs and histories");

const callerOf = ({
  who,
  sender,
  reach,
  narrowed,
}: Caller): Pick<HandlerInput, "who" | "sender" | "reach" | "narrowed"> => ({
  ...{ who, sender, reach, narrowed },
});

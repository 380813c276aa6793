import type { FastifyInstance, FastifyRequest } from "fastify";
import { z } from "zod";
import { api } from "../../shared/api/api.ts";
import type { Client } from "../../shared/api/client.ts";
import type { Route } from "../../shared/api/route.ts";
import { AppError } from "../../shared/basics/errors.ts";
import { looseBoolean } from "../../shared/basics/loose-values.ts";
import { parse } from "../../shared/basics/validation.ts";
import { createMcpServer, protocolVersions, type Reply } from "../../shared/mcp/server.ts";
import { type Tool, toolsFor } from "../../shared/mcp/tools.ts";
import type { Scope } from "../../shared/people/scopes.ts";
import { doorRights } from "../../shared/rights/door-rights.ts";
import { apiRights } from "../../shared/rights/rights.ts";
import { isTold } from "../../shared/rights/told.ts";
import type { Kernel } from "../kernel/kernel.ts";
import { queryOf, readArguments } from "./arguments.ts";
import { type Caller, type Guard, requireScope } from "./auth.ts";
import { type Around, type Handlers, told } from "./server.ts";
import { requireOwnPage } from "./session-guard.ts";
import { noteCall } from "./told-calls.ts";

/** A message is small: the largest holds one job. */
const messageLimit = 1024 * 1024;

type Needs = Around & {
  readonly guard: Guard;
  readonly handlers: Handlers;
  readonly version: string;
};

/**
 * `POST /mcp`: the Model Context Protocol over HTTP, with the tools of `mediafarm mcp`. Each message is answered by itself, as
 * JSON: nothing is kept between two of them, so there is no session, no stream and nothing to end. Tools that act are
 * offered below `/mcp?act=true`, as far as the caller's scopes go.
 */
export const bindMcp = (app: FastifyInstance, farm: Pick<Kernel, "trail" | "log">, needs: Needs): void => {
  app.route({
    method: "POST",
    url: "/mcp",
    bodyLimit: messageLimit,
    onRequest: async (request) => {
      requireOwnPage(request);
      const route = { access: "farm", takesKeys: true, ...doorRights["POST /mcp"] } as const;
      await request.letIn(() => needs.guard(request, route));
    },
    handler: async (request, reply) => {
      const caller = request.caller as Caller; // the hook above has run
      requireVersion(request);
      const { act } = parse(query, readArguments(queryOf(request.url), undefined, query), "");
      const answer = createMcpServer({
        tools: toolsOf(caller, act),
        version: needs.version,
        run: (tool, args) => tool.run(clientOf(farm, needs, { request, caller, tool }), args as never), // parsed by the tool's own schema
        onBug: (cause) => farm.log.error(cause),
      });
      const answered = await answer(request.body);
      caller.succeeded?.();
      return answered === undefined ? reply.code(202).send() : reply.code(statusOf(answered)).send(answered);
    },
  });
};

const query = z.strictObject({ act: looseBoolean().default(false) });

/** Tools whose route the caller may call: others are neither listed nor there. */
const toolsOf = ({ scopes }: Caller, act: boolean): readonly Tool[] =>
  toolsFor(act).filter(({ route }) => scopes.includes(apiRights[route].program as Scope)); // no tool asks an open route

/** A client says which version it was told; one that says nothing is taken as it is. */
const requireVersion = ({ headers }: FastifyRequest): void => {
  const said = headers["mcp-protocol-version"];
  if (said === undefined || protocolVersions.some((each) => each === said)) return;
  const message = `MCP-Protocol-Version must be one of ${protocolVersions.join(", ")}`;
  throw new AppError("VALIDATION_FAILED", message, { details: [{ path: "headers.mcp-protocol-version", message }] });
};

/** What is no request of JSON-RPC is refused by its status as well. */
const statusOf = (reply: Reply): number => ("error" in reply && reply.id === null ? 400 : 200);

type Call = { readonly request: FastifyRequest; readonly caller: Caller; readonly tool: Tool };

/** The farm as the tool's own route answers its caller: with the same rights, arguments, records and lines of the audit. */
const clientOf = ({ trail }: Pick<Kernel, "trail">, { handlers, mayReach, answered }: Needs, call: Call): Client => {
  const { request, caller, tool } = call;
  const name = tool.route;
  const route: Route = api[name];
  const right = apiRights[name];
  const handle = told(name, handlers[name] as Parameters<typeof told>[1], answered); // each handler takes its route's arguments
  const ask = async (given: Record<string, unknown>): Promise<unknown> => {
    requireScope(right.program, caller);
    const { path, rest: received } = partsOf(route.path, given);
    const read = route.readsItself ? received : parse(route.input, received, "");
    const args = { ...(read as object), ...path };
    const note = (refusal?: string, answer?: unknown): void => {
      if (isTold(name, route)) noteCall(trail, { request, action: name, path, body: received, answer, refusal });
    };
    try {
      await mayReach(right, caller.reach, args);
      const { who, sender, reach, narrowed } = caller;
      const look = async () => (await request.look?.()) ?? caller;
      const of = { ip: request.ip, received, bytes: undefined, headers: {}, look };
      const answer = await handle(args, { ...of, who, sender, reach, narrowed, allowed: caller });
      note(undefined, answer ?? {});
      return answer ?? {};
    } catch (problem) {
      note(problem instanceof AppError ? problem.code : "INTERNAL");
      throw problem;
    }
  };
  // A tool asks its own route only.
  return { [name]: ask } as unknown as Client;
};

/** Arguments that the path names, and the others. */
const partsOf = (path: string, given: Record<string, unknown>) => {
  const inPath = new Set([...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name));
  const chosen = (isMeant: boolean) =>
    Object.fromEntries(
      Object.entries(given).filter(([name, value]) => value !== undefined && inPath.has(name) === isMeant),
    );
  return { path: chosen(true), rest: chosen(false) };
};

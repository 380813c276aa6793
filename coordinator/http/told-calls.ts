import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { factsOf } from "../trail/about.ts";
import type { Trail } from "../trail/trail.ts";

declare module "fastify" {
  interface FastifyContextConfig {
    /** The name under which each call of the route is told. */
    readonly told?: string | undefined;
  }
  interface FastifyRequest {
    /** The code of the error that it was answered with. */
    refusal?: string;
    /** What its handler answered. */
    answer?: unknown;
  }
}

/** Tells every call of the routes that are told, once it is over: also one that a guard refused before any handler. */
export const tellCalls = (app: FastifyInstance, trail: Pick<Trail, "note">): void => {
  app.decorateRequest("refusal", undefined);
  app.decorateRequest("answer", undefined);
  app.addHook("onResponse", async (request, reply) => {
    const action = request.routeOptions.config.told;
    if (action === undefined) return;
    const { params, body, answer } = request;
    noteCall(trail, { request, action, path: params ?? {}, body, answer, refusal: refusalOf(request, reply) });
  });
};

type ToldCall = {
  readonly request: FastifyRequest;
  readonly action: string;
  /** The names in its path. */
  readonly path: object;
  readonly body: unknown;
  readonly answer: unknown;
  readonly refusal: string | undefined;
};

/** Leaves the line of one call. */
export const noteCall = (
  trail: Pick<Trail, "note">,
  { request, action, path, body, answer, refusal }: ToldCall,
): void => {
  const who = whoOf(request);
  const isKnown = who !== "" || refusal === undefined;
  trail.note({ who, origin: request.ip, action, refusal, about: factsOf(path, body, answer, { isKnown }) });
};

/** Programs and people by name and number: names change hands. Who signed in just now is named by the answer. */
const whoOf = ({ caller, answer }: FastifyRequest): string => {
  if (caller && caller.who !== "") {
    const { owner } = caller.sender;
    return owner && owner !== caller.who ? `${owner} (${caller.who})` : caller.who;
  }
  const named = answer as { readonly name?: unknown; readonly role?: unknown } | undefined; // what routes of sessions answer
  return typeof named?.name === "string" && typeof named.role === "string" ? named.name : "";
};

const refusalOf = ({ refusal, answer }: FastifyRequest, { statusCode }: FastifyReply): string | undefined => {
  if (refusal !== undefined) return refusal;
  if (statusCode >= 400) return `HTTP_${statusCode}`;
  // The client left before anything was done.
  return answer === undefined ? "ABORTED" : undefined;
};

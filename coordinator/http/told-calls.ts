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
    const who = whoOf(request);
    const refusal = refusalOf(request, reply);
    const isKnown = who !== "" || refusal === undefined;
    const about = factsOf(request.params ?? {}, request.body, request.answer, { isKnown });
    trail.note({ who, origin: request.ip, action, refusal, about });
  });
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

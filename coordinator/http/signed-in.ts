import type { FastifyInstance } from "fastify";
import { providerName } from "../../shared/people/identity.ts";

/** What providers send back, as far as it is passed on. */
const passedOn = ["code", "state", "iss", "error"];

/**
 * Where providers send people back to. Nothing is decided here, because a browser sends no strict cookie along: the page of
 * this farm that is opened asks anew, from here. What was sent stays behind the #, out of histories of servers and of referrers.
 */
export const bindSignedIn = (app: FastifyInstance): void => {
  app.get<{ Params: { readonly provider: string } }>("/signed-in/:provider", async (request, reply) => {
    const query = new URLSearchParams(request.url.split("?").slice(1).join("?"));
    const name = providerName.safeParse(request.params.provider);
    const found = passedOn.flatMap((each) => {
      const value = query.get(each);
      return value === null ? [] : [[each, value]];
    });
    const words = new URLSearchParams({ provider: name.success ? name.data : "", ...Object.fromEntries(found) });
    reply.headers({ "cache-control": "no-store", "referrer-policy": "no-referrer" });
    return reply.redirect(`/#/signed-in?${words}`, 303);
  });
};

import type { FastifyInstance } from "fastify";
import { AppError } from "../../shared/basics/errors.ts";
import { providerName } from "../../shared/people/identity.ts";

/** The body's bytes: a token of at most 8,000 characters. */
const mostBytes = 16 * 1024;

/**
 * Where providers say that somebody signed out there (OpenID Connect Back-Channel Logout 1.0): no browser comes along, so the
 * signed token is all that counts.
 */
export const bindSignedOut = (
  app: FastifyInstance,
  end: (provider: string, token: string, ip: string) => Promise<void>,
): void => {
  app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser("*", { parseAs: "string" }, async (_request: unknown, body: string) => body);
    scope.post<{ Params: { readonly provider: string } }>(
      "/signed-out/:provider",
      { bodyLimit: mostBytes },
      async (request, reply) => {
        reply.header("cache-control", "no-store");
        const name = providerName.safeParse(request.params.provider);
        const token = tokenIn(request.body);
        if (!name.success || token === undefined)
          throw new AppError("VALIDATION_FAILED", "Send a logout_token as application/x-www-form-urlencoded");
        await end(name.data, token, request.ip);
        return reply.code(200).send();
      },
    );
  });
};

/** Once: of two, nobody knows which one counts. */
const tokenIn = (body: unknown): string | undefined => {
  const given = typeof body === "string" ? new URLSearchParams(body).getAll("logout_token") : [];
  return given.length === 1 ? given[0] : undefined;
};

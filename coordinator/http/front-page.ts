import type { FastifyInstance } from "fastify";

/** What `/` says where no pages are built. */
const page = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Mediafarm</title>
<style>:root { color-scheme: light dark; font: 15px/22px system-ui, sans-serif } body { margin: 15vh auto; max-width: 34em; padding: 0 16px }</style>
<h1>Mediafarm is running</h1>
<p>The API is served at <code>/v1</code>. This version has no dashboard pages yet: use <code>mediafarm submit</code> and
<code>GET /v1/jobs/info</code> to submit and watch jobs.</p>
</html>
`;

export const bindFrontPage = (app: FastifyInstance): void => {
  app.get("/", (_request, reply) => reply.type("text/html; charset=utf-8").send(page));
};

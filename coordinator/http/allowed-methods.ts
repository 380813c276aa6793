import type { FastifyInstance } from "fastify";
import { AppError } from "../../shared/basics/errors.ts";
import { answerError } from "./answers/error-answers.ts";

type Pattern = { readonly matches: RegExp; readonly methods: Set<string> };

/** Answers what no route does: with the methods that the path takes, or that there is nothing. Comes before all routes. */
export const answerOthers = (app: FastifyInstance): void => {
  const methodsOf = followRoutes(app);
  app.setNotFoundHandler((request, reply) => {
    const [path = ""] = request.url.split("?");
    const what = `${request.method} ${request.url.slice(0, 200)}`;
    const allowed = methodsOf(path).join(", ");
    if (allowed === "") return answerError(request, reply, new AppError("NOT_FOUND", `There is nothing at ${what}`));
    reply.header("allow", allowed);
    const message = `${what} is not possible: the path takes ${allowed}`;
    return answerError(request, reply, new AppError("METHOD_NOT_ALLOWED", message));
  });
};

/** Which methods a path takes, for answers to all others. It knows the routes that are bound after it was made. */
const followRoutes = (app: FastifyInstance): ((path: string) => readonly string[]) => {
  const patterns = new Map<string, Pattern>();
  app.addHook("onRoute", ({ method, url }) => {
    if (/^\/?\*?$/.test(url)) return; // the pages: they are at every path that nothing else is at
    const pattern = patterns.get(url) ?? { matches: patternOf(url), methods: new Set() };
    for (const each of [method].flat()) pattern.methods.add(each);
    patterns.set(url, pattern);
  });
  return (path) => {
    const found = [...patterns.values()].filter(({ matches }) => matches.test(path));
    return [...new Set(found.flatMap(({ methods }) => [...methods]))].sort();
  };
};

/** `/jobs/:id/*` as find-my-way reads it, with or without a slash at the end. */
const patternOf = (url: string): RegExp => {
  const parts = url.split(/(:\w+|\*)/).map((part) => {
    if (part === "*") return ".*";
    return part.startsWith(":") ? "[^/]+" : part.replaceAll(/[^\w/]/g, "\\$&");
  });
  return new RegExp(`^${parts.join("")}/?$`);
};

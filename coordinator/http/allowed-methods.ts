import type { FastifyInstance } from "fastify";

type Pattern = { readonly matches: RegExp; readonly methods: Set<string> };

/** Which methods a path takes, for answers to all others. It knows the routes that are bound after it was made. */
export const followRoutes = (app: FastifyInstance): ((path: string) => readonly string[]) => {
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

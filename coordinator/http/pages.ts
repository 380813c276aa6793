import { readdirSync, readFileSync, statSync } from "node:fs";
import { extname, join } from "node:path";
import { promisify } from "node:util";
import { gzip } from "node:zlib";
import type { FastifyInstance } from "fastify";
import { lazy } from "../../shared/basics/get-or-insert.ts";

/** Where the build leaves the pages, in a clone. */
export const builtPages = join(import.meta.dirname, "../../renderer/dist");

const types: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".json": "application/json; charset=utf-8",
  ".webmanifest": "application/manifest+json",
  ".svg": "image/svg+xml",
  ".png": "image/png",
  ".ico": "image/x-icon",
  ".woff2": "font/woff2",
  ".txt": "text/plain; charset=utf-8",
};

const headers = {
  "content-security-policy": [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data:",
    "connect-src 'self'",
    // Players of playlists hand their segments to the browser as blobs.
    "media-src 'self' blob:",
    "font-src 'self'",
    "frame-ancestors 'none'",
    "base-uri 'none'",
    "form-action 'self'",
  ].join("; "),
  "referrer-policy": "no-referrer",
  "cross-origin-opener-policy": "same-origin",
} as const;

type Page = { readonly url: string; readonly type: string; readonly body: Buffer };

/** Served in place of the pages until somebody builds them. */
const notBuilt: Page = {
  url: "/",
  type: "text/html; charset=utf-8",
  body: Buffer.from(`<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Mediafarm</title>
<h1>Mediafarm is running</h1>
<p>The API is served at <code>/v1</code>. The pages of the dashboard are not built yet: run <code>npm run build</code> in
the folder of Mediafarm, then restart it.</p>
</html>
`),
};

/**
 * Serves the built pages. Each file is read once, at the start, and has a route of its own: no address can
 * name another file, and a build during operation never mixes an old page with new parts.
 */
export const bindPages = (app: FastifyInstance, folder: string): void => {
  const pages = readPages(folder);
  for (const { url, type, body } of pages.some((page) => page.url === "/") ? pages : [notBuilt]) {
    // Names below assets/ contain a hash of the content; browsers ask for everything else anew.
    const caching = url.startsWith("/assets/") ? "public, max-age=31536000, immutable" : "no-cache";
    const packed = lazy(() => packedOf(type, body));
    app.get(url, async (request, reply) => {
      reply.headers({ ...headers, "cache-control": caching, vary: "accept-encoding" }).type(type);
      const small = takesGzip(request.headers["accept-encoding"]) ? await packed() : undefined;
      return small ? reply.header("content-encoding", "gzip").send(small) : reply.send(body);
    });
  }
};

/** Smaller files are not worth compressing. */
const leastPacked = 1000;

/** Compression leaves a third of a text; other files are already compressed. */
const packedOf = async (type: string, body: Buffer): Promise<Buffer | undefined> => {
  const isText = /^text\/|json|svg/.test(type);
  return isText && body.length > leastPacked ? promisify(gzip)(body, { level: 9 }) : undefined;
};

const takesGzip = (header: string | string[] | undefined): boolean =>
  /(?:^|,)\s*(?:gzip|\*)\s*(?:;\s*q=(?!0(?:\.0*)?\s*(?:,|$))|,|$)/i.test(String(header ?? ""));

/** Leaves out hidden files, names that a build does not make, and types that no page needs. */
const readPages = (folder: string): Page[] => {
  if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory()) return [];
  return readdirSync(folder, { recursive: true, withFileTypes: true }).flatMap((entry) => {
    const file = join(entry.parentPath, entry.name);
    const path = file.slice(folder.length).replaceAll("\\", "/");
    const type = types[extname(entry.name)];
    if (!entry.isFile() || type === undefined || !/^(\/\w[\w.-]*)+$/.test(path)) return [];
    return [{ url: path === "/index.html" ? "/" : path, type, body: readFileSync(file) }];
  });
};

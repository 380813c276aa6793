import { createHash } from "node:crypto";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { extname, join } from "node:path";
import { promisify } from "node:util";
import { gzip } from "node:zlib";
import type { FastifyInstance, FastifyRequest } from "fastify";
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

/** The address of a folder's own page ends in a slash. */
type Page = { readonly url: string; readonly type: string; readonly body: Buffer };

/** Served in place of what nobody has built yet. */
const notBuilt = (url: string, heading: string, words: string): Page => ({
  url,
  type: "text/html; charset=utf-8",
  body: Buffer.from(`<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Mediafarm</title>
<h1>${heading}</h1>
<p>${words}: run <code>npm run build</code> in
the folder of Mediafarm, then restart it.</p>
</html>
`),
});
const noPages = notBuilt(
  "/",
  "Mediafarm is running",
  "The API is served at <code>/v1</code>. The pages of the dashboard are not built yet",
);
const noDocs = notBuilt(
  "/docs/",
  "The docs are not built yet",
  "In a clone they are the files in <code>docs/</code>. To read them here",
);

/**
 * Serves the built pages, and the docs below `/docs`. Each file is read once, at the start, and has a route of its own: no
 * address can name another file, and a build during operation never mixes an old page with new parts.
 */
export const bindPages = (app: FastifyInstance, folder: string): void => {
  const built = readPages(folder);
  const pages = built.some(({ url }) => url === "/") ? built : [noPages];
  for (const page of pages.some(({ url }) => url === noDocs.url) ? pages : [...pages, noDocs]) bindPage(app, page);
};

const bindPage = (app: FastifyInstance, { url, type, body }: Page): void => {
  // Names below assets/ contain a hash of the content; browsers ask for everything else anew.
  const caching = url.startsWith("/assets/") ? "public, max-age=31536000, immutable" : "no-cache";
  const packed = lazy(() => packedOf(type, body));
  // Weak, because the bytes sent depend on the encoding that a browser takes.
  const etag = `W/"${createHash("sha256").update(body).digest("base64url").slice(0, 27)}"`;
  const isFolder = url !== "/" && url.endsWith("/");
  app.get(isFolder ? url.slice(0, -1) : url, async (request, reply) => {
    reply.headers({ ...headers, "cache-control": caching, vary: "accept-encoding", etag });
    // Links of a folder's page begin in the folder. The way there is relative: a proxy may serve the farm at another place.
    if (isFolder && !pathOf(request).endsWith("/")) return reply.redirect(`${url.split("/").at(-2)}/`, 301);
    if (knows(request.headers["if-none-match"], etag)) return reply.code(304).send();
    reply.type(type);
    const small = takesGzip(request.headers["accept-encoding"]) ? await packed() : undefined;
    return small ? reply.header("content-encoding", "gzip").send(small) : reply.send(body);
  });
};

const pathOf = ({ url }: FastifyRequest): string => url.split("?")[0] ?? "";

/** Whether a browser already has this version. */
const knows = (header: string | undefined, etag: string): boolean =>
  (header ?? "").split(",").some((each) => each.trim() === etag || each.trim() === etag.slice(2));

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
    return [{ url: path.replace(/\/index\.html$/, "/"), type, body: readFileSync(file) }];
  });
};

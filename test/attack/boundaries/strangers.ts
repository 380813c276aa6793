import { uiBase } from "../../../shared/api/ui/ui-api.ts";
import { type Try, unless } from "./world.ts";

const refused = [400, 401, 403, 404, 405, 414, 421, 431];

/** Ways around the paths that are guarded. */
const crookedPaths = [
  "/v1/../ui/v1/people",
  "//v1/nodes",
  "/v1//nodes",
  "/V1/nodes",
  "/v1/nodes;x",
  "/v1/nodes/",
  "/v1/nodes%00",
  "/v1/%6eodes",
  "/v1/nodes%2f",
  "/%75i/v1/people",
  "/ui/v1/media/../people",
  "/ui/v1/previews/..%2f..%2fpeople/x",
  "/ui/v1/people%20",
  "/ui/v1/./people",
  "/ui//v1/people",
  "/ui/v1/people?x=/healthz",
  "/healthz/../v1/nodes",
  "/healthz%2f..%2fv1/nodes",
  "/ui/..;/v1/nodes",
  "/v1/nodes#",
  "/v1/nodes%23",
  "/v1/jobs/1%2f..%2f..%2fnodes",
  "/metrics/../v1/nodes",
] as const;
const crooked: Try[] = crookedPaths.map((path) => [
  "stranger: crooked paths",
  path,
  async ({ raw, origin }) => {
    const answer = await raw(`GET ${path} HTTP/1.1\r\nHost: ${new URL(origin).host}\r\nConnection: close\r\n\r\n`);
    return /^HTTP\/1\.1 200/.test(answer) && /"items"|"name"/.test(answer) && answer.slice(0, 200);
  },
]);

const files = [
  "/etc/passwd",
  "../../../package.json",
  "..%2f..%2fpackage.json",
  "%2e%2e/%2e%2e/package.json",
  "..\\..\\package.json",
  "....//....//package.json",
  "%252e%252e%252fpackage.json",
  "assets/../../package.json",
  "assets/%2e%2e%2f%2e%2e%2fpackage.json",
  "%c0%ae%c0%ae/package.json",
  "index.html%00.js",
  ".git/config",
  "coordinator/main.ts",
];
const statics: Try[] = files.map((path) => [
  "stranger: files beside the pages",
  path,
  async ({ raw, origin }) => {
    const answer = await raw(`GET /${path} HTTP/1.1\r\nHost: ${new URL(origin).host}\r\nConnection: close\r\n\r\n`);
    return /root:|"scripts"|\[core\]|import \{/.test(answer.split("\r\n\r\n").slice(1).join()) && answer.slice(0, 200);
  },
]);

const forged: readonly (readonly [string, string])[] = [
  ["two lengths", "POST /v1/login HTTP/1.1\r\nHost: H\r\nContent-Length: 4\r\nContent-Length: 5\r\n\r\n{}aa"],
  [
    "length and chunks",
    "POST /v1/login HTTP/1.1\r\nHost: H\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\nGET /healthz HTTP/1.1\r\n",
  ],
  ["chunked twice", "POST /v1/login HTTP/1.1\r\nHost: H\r\nTransfer-Encoding: chunked, chunked\r\n\r\n0\r\n\r\n"],
  [
    "chunked with a tab",
    "POST /v1/login HTTP/1.1\r\nHost: H\r\nTransfer-Encoding:\tchunked\r\nContent-Length: 3\r\n\r\n0\r\n\r\n",
  ],
  ["a space before the colon", "GET /v1/nodes HTTP/1.1\r\nHost : H\r\n\r\n"],
  ["a folded header", "GET /v1/nodes HTTP/1.1\r\nHost: H\r\nX-A: b\r\n c: d\r\n\r\n"],
  ["a bare line feed", "GET /v1/nodes HTTP/1.1\nHost: H\n\n"],
  ["no host", "GET /ui/v1/people HTTP/1.1\r\n\r\n"],
  ["HTTP/2 preface", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"],
  ["a whole address", "GET http://evil.example/ui/v1/people HTTP/1.1\r\nHost: H\r\n\r\n"],
  ["CONNECT", "CONNECT 169.254.169.254:80 HTTP/1.1\r\nHost: H\r\n\r\n"],
  ["TRACE", "TRACE / HTTP/1.1\r\nHost: H\r\nX-Secret: s3cret\r\n\r\n"],
  ["a method of one's own", "STEAL /v1/nodes HTTP/1.1\r\nHost: H\r\n\r\n"],
  [
    "a chunk of huge size",
    "POST /v1/login HTTP/1.1\r\nHost: H\r\nTransfer-Encoding: chunked\r\n\r\nffffffffffffffff\r\n",
  ],
  ["expect", "POST /v1/login HTTP/1.1\r\nHost: H\r\nExpect: 100-continue\r\nContent-Length: 99999999999\r\n\r\n"],
  ["upgrade to nothing", "GET /v1/nodes HTTP/1.1\r\nHost: H\r\nConnection: Upgrade\r\nUpgrade: h2c\r\n\r\n"],
  ["two hosts", "GET /ui/v1/people HTTP/1.1\r\nHost: H\r\nHost: evil.example\r\n\r\n"],
  [
    "method override",
    "GET /v1/nodes HTTP/1.1\r\nHost: H\r\nX-HTTP-Method-Override: DELETE\r\nX-Original-URL: /ui/v1/people\r\n\r\n",
  ],
];
const smuggled: Try[] = forged.map(([what, bytes]) => [
  "stranger: requests that are not quite HTTP",
  what,
  async ({ raw, origin }) => {
    const answer = await raw(bytes.replaceAll(": H\r", `: ${new URL(origin).host}\r`));
    const bad = /^HTTP\/1\.1 (?:2|5)\d\d/m.exec(answer)?.[0] ?? (answer.includes("s3cret") ? "an echo" : undefined);
    return bad && !/^HTTP\/1\.1 (?:501|505|503)/.test(answer) && `${bad}: ${answer.slice(0, 200)}`;
  },
]);

/** Cookies without the name of the session's. */
const localHeaders: readonly Readonly<Record<string, string>>[] = [
  { "x-forwarded-for": "127.0.0.1" },
  { "x-real-ip": "127.0.0.1" },
  { forwarded: "for=127.0.0.1" },
  { "x-forwarded-host": "localhost" },
  { authorization: "Bearer " },
  { authorization: "Bearer null" },
  { authorization: "Bearer undefined" },
  { authorization: "Basic Og==" },
  { authorization: "Basic bnVsbDpudWxs" },
  { cookie: "=" },
  { cookie: "=null" },
  { cookie: "=__proto__" },
  { cookie: "=%00" },
];
const forgedIdentity: Try[] = localHeaders.flatMap((headers) =>
  ["/v1/nodes", `${uiBase}/people`].map(
    (path): Try => [
      "stranger: identities of one's own making",
      `${JSON.stringify(headers)} ${path}`,
      async ({ stranger, sessionCookie }) => {
        const own = { ...headers, ...("cookie" in headers && { cookie: sessionCookie + headers.cookie }) };
        return unless(await stranger("GET", path, undefined, own), ...refused);
      },
    ],
  ),
);

const rebound: Try[] = [
  "evil.example",
  "127.0.0.1.evil.example",
  "localhost.evil.example",
  "evil.example:80",
  "LOCALHOST.evil",
  "xn--localhost-.example",
].map((host) => [
  "page: a foreign name that points here",
  host,
  async ({ raw }) => {
    const answer = await raw(`GET ${uiBase}/session HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`);
    return !/^HTTP\/1\.1 40[03]/.test(answer) && answer.slice(0, 100);
  },
]);

const origins = [
  "https://evil.example",
  "null",
  "http://127.0.0.1",
  "http://localhost:1",
  "file://",
  "http://127.0.0.1.evil.example",
  "",
  "http://[::1]:PORT.evil",
  "http://127.0.0.1:PORT@evil.example",
  "javascript:alert(1)",
];
const forgedPages: Try[] = origins.map((from) => [
  "page: changes from elsewhere",
  from || "(empty)",
  async ({ owner, port }) => {
    const answer = await owner("PUT", "/retention", {}, { origin: from.replace("PORT", String(port)) });
    return unless(answer, 403, 400);
  },
]);

const pages: Try[] = ["/", "/jobs", "/login", "/index.html", "/assets/none.js", "/ui/v1/none"].map((path) => [
  "page: what a browser is told",
  path,
  async ({ stranger }) => {
    const { headers, status } = await stranger("GET", path);
    if (status >= 300 && status < 400) return undefined;
    const policy = headers.get("content-security-policy") ?? "";
    const type = headers.get("content-type") ?? "";
    if (headers.get("x-content-type-options") !== "nosniff") return "no nosniff";
    return (
      type.includes("html") &&
      (!policy ||
        /unsafe-inline[^;]*;? *script|script-src[^;]*unsafe/.test(policy) ||
        !/frame-ancestors/.test(policy)) &&
      `policy: ${policy}`
    );
  },
]);

/** What strangers send: crooked paths, forged requests and identities, foreign names. */
export const strangersTries: readonly Try[] = [
  ...crooked,
  ...statics,
  ...smuggled,
  ...forgedIdentity,
  ...rebound,
  ...forgedPages,
  ...pages,
];

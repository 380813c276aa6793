import { uiBase } from "../../../shared/api/ui/ui-api.ts";
import { type Ask, type Try, unless, type World } from "./world.ts";

/** What came last and speaks with the outside: providers that sign people out, links, traces, webhooks. */

const form = { "content-type": "application/x-www-form-urlencoded" };
const base64 = (value: object): string => Buffer.from(JSON.stringify(value)).toString("base64url");
const claims = {
  ...{ iss: "https://evil.example", aud: "mediafarm", iat: 1, exp: 9e9, jti: "j", sub: "u" },
  events: { "http://schemas.openid.net/event/backchannel-logout": {} },
};
const token = `${base64({ alg: "none" })}.${base64(claims)}.`;

const told: readonly (readonly [what: string, path: string, body: string, headers?: Record<string, string>])[] = [
  ["of no provider", "/signed-out/studio", `logout_token=${token}`],
  ["of a provider that is inherited", "/signed-out/__proto__", `logout_token=${token}`],
  ["of a provider outside of the folder", "/signed-out/..%2f..%2fv1", `logout_token=${token}`],
  ["two tokens", "/signed-out/studio", `logout_token=${token}&logout_token=${token}`],
  ["no token", "/signed-out/studio", ""],
  ["a token in the query", `/signed-out/studio?logout_token=${token}`, ""],
  ["a token of a megabyte", "/signed-out/studio", `logout_token=${"a".repeat(1_000_000)}`],
  ["as JSON", "/signed-out/studio", JSON.stringify({ logout_token: token }), { "content-type": "application/json" }],
  [
    "as parts",
    "/signed-out/studio",
    `--x\r\n\r\n${token}\r\n--x--`,
    { "content-type": "multipart/form-data; boundary=x" },
  ],
  ["a thousand fields", "/signed-out/studio", "a=1&".repeat(3000)],
  ["deep percent signs", "/signed-out/studio", `logout_token=${"%25".repeat(3000)}`],
];
const signedOut: Try[] = told.map(([what, path, body, headers]) => [
  "providers that sign people out: words of a stranger",
  what,
  async ({ stranger, owner }) => {
    const answer = await stranger("POST", path, body, { ...form, ...headers });
    return unless(answer, 400, 404, 413, 415) ?? unless(await owner("GET", "/session"), 200);
  },
]);

type Someone = (world: World) => Ask;
const people: readonly (readonly [who: string, of: Someone])[] = [
  ["a viewer", ({ viewer }) => viewer],
  ["an operator", ({ operator }) => operator],
  ["a program", ({ alice }) => alice],
  [
    "a stranger",
    ({ stranger }) =>
      (method, path, ...rest) =>
        stranger(method, uiBase + path, ...rest),
  ],
];
const ownersOnly: readonly (readonly [method: string, path: string, body?: unknown])[] = [
  ["PUT", "/traces", { url: "http://evil.example/" }],
  [
    "POST",
    "/identity/providers",
    { name: "evil", issuer: "https://evil.example", client_id: "x", roles: { owner: ["x"] } },
  ],
  ["DELETE", "/people/Olga/links/studio"],
  ["POST", "/webhooks", { name: "evil", url: "http://127.0.0.1:1/" }],
];
const beyond: Try[] = people.flatMap(([who, of]) =>
  ownersOnly
    .filter(([, path]) => !(path === "/webhooks" && who === "a program"))
    .map(
      ([method, path, body]): Try => [
        "the outside: whoever may not",
        `${who}: ${method} ${path}`,
        async (world) => unless(await of(world)(method, path, body), 400, 401, 403, 404),
      ],
    ),
);

const collectors: readonly (readonly [what: string, change: object])[] = [
  ["a file", { url: "file:///etc/passwd" }],
  ["a script", { url: "javascript:alert(1)" }],
  ["a header of two lines", { url: "http://c.example/", headers: [{ name: "x", value: "a\r\nhost: b" }] }],
  ["a header's name of two lines", { url: "http://c.example/", headers: [{ name: "x\r\ny", value: "a" }] }],
  ["a header without a name", { url: "http://c.example/", headers: [{ name: "", value: "a" }] }],
  ["a ratio beyond all", { url: "http://c.example/", ratio: 2 }],
  ["a sampler that is inherited", { url: "http://c.example/", sampler: "constructor" }],
  ["an attribute that is no setting", { url: "http://c.example/", service: "x" }],
];
const traces: readonly Try[] = [
  ...collectors.map(
    ([what, change]): Try => [
      "traces: settings that are none",
      what,
      async ({ owner }) => unless(await owner("PUT", "/traces", change), 400),
    ],
  ),
  [
    "traces: the collector's key",
    "goes to nobody else, and is told to nobody",
    async ({ owner }) => {
      const key = "the key of the collector";
      await owner("PUT", "/traces", { url: "http://127.0.0.1:9/a", headers: [{ name: "x-key", value: key }] });
      const same = await owner("PUT", "/traces", { url: "http://127.0.0.1:9/b" });
      const other = await owner("PUT", "/traces", { url: "http://127.0.0.1:10/a" });
      const back = await owner("PUT", "/traces", { url: "http://127.0.0.1:9/a" });
      await owner("PUT", "/traces", { url: null });
      if ([same, other, back].some(({ text }) => text.includes(key))) return "it was told";
      return (other.body.headers.length > 0 || back.body.headers.length > 0) && `it goes along: ${other.text}`;
    },
  ],
];

const webhooks: readonly (readonly [what: string, hook: object])[] = [
  ["a file", { url: "file:///etc/passwd" }],
  ["a name of two lines", { name: "a\nb", url: "https://w.example/" }],
  ["a name that leads elsewhere", { name: "../../x", url: "https://w.example/" }],
  ["a secret that is none", { url: "https://w.example/", secret: "short" }],
  ["events that there are not", { url: "https://w.example/", events: ["constructor"] }],
  ["an address of a megabyte", { url: `https://w.example/${"a".repeat(1_000_000)}` }],
];
const hooks: Try[] = webhooks.map(([what, hook]) => [
  "webhooks: that are none",
  what,
  async ({ owner }) => unless(await owner("POST", "/webhooks", { name: "w", ...hook }), 400, 413),
]);

export const outsideTries: readonly Try[] = [...signedOut, ...beyond, ...traces, ...hooks];

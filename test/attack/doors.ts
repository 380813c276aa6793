import { once } from "node:events";
import { connect } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import { api } from "../../shared/api/api.ts";
import type { Route } from "../../shared/api/route.ts";
import { ui } from "../../shared/api/ui/ui-api.ts";
import { mayDo, type Role, roles } from "../../shared/people/person.ts";
import { apiRights, type Right, uiRights } from "../../shared/rights/rights.ts";
import { aFolder } from "../helpers/agent/agent-fixture.ts";
import { openTestCoordinator } from "../helpers/farm/coordinator.ts";
import { fromOwnPages, goodPassword, openTestDoors } from "../helpers/farm/doors.ts";
import type { Attack, Random, Tally } from "./attack.ts";

type Doors = Awaited<ReturnType<typeof openTestDoors>>;
type Trying = { readonly doors: Doors; readonly random: Random; readonly tries: number };

/** A coordinator is asked by strangers, other sites' pages, people of lesser roles, and sockets that mean no good. */
export const doorsAttack: Attack = {
  name: "the coordinator's doors",
  run: async ({ random, tries }) => {
    await using stack = new AsyncDisposableStack();
    const folder = await aFolder();
    stack.defer(folder.remove);
    const doors = await openTestDoors(folder.path);
    stack.defer(doors.close);
    const beat = setInterval(() => void doors.clock.advance(500), 5); // its clock is moved by hand
    stack.defer(() => clearInterval(beat));
    const trying = { doors, random, tries };
    return [
      await hosts(trying),
      await sites(trying),
      await lesserRoles(trying),
      await secrets(trying),
      await heads(trying),
    ];
  },
};

const strangeHosts = [
  "evil.test",
  "farm.test.evil.test",
  "127.0.0.1.evil.test",
  "evil.test:8700",
  "[::1].evil.test",
  "evil",
];
const pageUrls = ["/", "/ui/v1/session", "/metrics", "/ui/v1/account", "/ui/v1/events"];

const hosts = async ({ doors, random, tries }: Trying): Promise<Tally> => {
  const fell: string[] = [];
  for (let nr = 0; nr < tries; nr++) {
    const [host, url] = [random.one(strangeHosts), random.one(pageUrls)];
    const { status } = await doors.inject({ method: "GET", url, headers: { host } });
    if (status !== 403) fell.push(`${url} under ${host}: ${status}`);
  }
  return { what: "pages under another name (DNS rebinding)", tried: tries, fell };
};

const origins = [
  "http://evil.test",
  "null",
  "http://farm.test.evil.test",
  "http://localhost:1",
  "file://",
  "http://farm.test:1",
];

const sites = async ({ doors, random, tries }: Trying): Promise<Tally> => {
  const cookie = await doors.enter("owner", "Olga");
  const changes = Object.values<Route>(ui).filter(({ method }) => method !== "GET");
  const fell: string[] = [];
  for (let nr = 0; nr < tries; nr++) {
    const { method, path } = random.one(changes);
    const headers = {
      ...{ host: fromOwnPages.host, origin: random.one(origins), cookie: `mediafarm_session=${cookie}` },
      ...(random.chance(0.5) && { "sec-fetch-site": random.one(["cross-site", "same-site", "none"]) }),
    };
    const url = `/ui/v1${path.replaceAll(/\{\w+\}/g, "1")}`;
    const { status } = await doors.inject({ method, url, headers, payload: {} });
    if (status !== 403) fell.push(`${method} ${path} from ${headers.origin}: ${status}`);
  }
  return { what: "changes from other sites' pages (CSRF)", tried: tries, fell };
};

/** Whether a route is open to a role, or to nobody by its role. */
const maySomebody = (needed: Right["person"], role: Role | undefined): boolean =>
  needed === "nobody" ||
  needed === "stranger" ||
  (role !== undefined && mayDo(role, needed === "entering" ? "viewer" : needed));

const lesserRoles = async ({ doors }: Trying): Promise<Tally> => {
  const fell: string[] = [];
  let tried = 0;
  const cookies = new Map<string, string>();
  for (const role of roles) cookies.set(role, await doors.enter(role, `a ${role}`));
  const rights: Readonly<Record<string, Right>> = { ...apiRights, ...uiRights };
  for (const [name, route] of Object.entries<Route>({ ...api, ...ui })) {
    for (const role of [...roles, undefined]) {
      if (maySomebody(rights[name]?.person ?? "owner", role)) continue;
      tried += 1;
      const path = route.path.replaceAll(/\{\w+\}/g, "1");
      const { status } = await doors.ask(
        route.method,
        path,
        role && cookies.get(role),
        route.method === "GET" ? undefined : {},
      );
      if (status !== 401 && status !== 403) fell.push(`${role ?? "nobody"} ${name}: ${status}`);
    }
  }
  return { what: "routes of a higher role", tried, fell };
};

/** Everything that can be read, by the highest role there is, is searched for what nobody may read. */
const secrets = async ({ doors }: Trying): Promise<Tally> => {
  const cookie = await doors.enter("owner", "Otto");
  const program = await doors.enterAsProgram();
  const { oapiSecret, authSecret } = doors.credentials ?? { oapiSecret: "?", authSecret: "?" };
  const access = { username: "joe", password: "the-password-of-a-store" };
  const location = { storage_provider: "ftp", path: "ftp://host/folder", access };
  const payload = {
    elements: [
      {
        uid: "a",
        kind: "source",
        payload: {
          kind: "asset_url",
          payload: { storage_provider: "ftp", url: "ftp://u:the-password-of-a-url@host/a.mov", access },
        },
      },
      { uid: "b", kind: "copy", payload: { target: location } },
    ],
    connections: [{ from: [{ element: "a" }], to: { success: [{ element: "b" }] } }],
  };
  await doors.inject({ method: "POST", url: "/v1/jobs", headers: program, payload: { name: "x", payload } });
  const hidden = [oapiSecret, authSecret, goodPassword, "the-password-of-a-store", "the-password-of-a-url"];
  const fell: string[] = [];
  let tried = 0;
  for (const [name, { method, path }] of Object.entries<Route>({ ...api, ...ui })) {
    if (method !== "GET" || path === "/events") continue;
    tried += 1;
    const { text } = await doors.ask("GET", path.replaceAll(/\{\w+\}/g, "1"), cookie);
    for (const each of hidden) if (text.includes(each)) fell.push(`${name} tells ${each.slice(0, 4)}…`);
  }
  return { what: "secrets in what pages read", tried, fell };
};

const oddHeads = (random: Random): string => {
  const line = random.one([
    "GET /v1/jobs HTTP/1.1",
    "POST /v1/login HTTP/1.1",
    "GET /ui/v1/session HTTP/1.1",
    "TRACE / HTTP/1.1",
  ]);
  const header = random.one([
    `x: ${"a".repeat(random.integer(1, 90_000))}`,
    "content-length: -1",
    "content-length: 99999999999999999999",
    "content-length: 5\r\ncontent-length: 6",
    "content-length: 5\r\ntransfer-encoding: chunked",
    "transfer-encoding: chunked, chunked",
    "transfer-encoding: \vchunked",
    "content-encoding: gzip",
    "expect: 100-continue",
    "upgrade: websocket\r\nconnection: upgrade",
    "x-forwarded-for: ' or 1=1",
    `authorization: Basic ${"A".repeat(random.integer(0, 5000))}`,
    `cookie: mediafarm_session=${"%00".repeat(random.integer(0, 900))}`,
    "host:",
    "\0: \0",
    " : folded",
  ]);
  const body = random.one(["", "5\r\nhello\r\n0\r\n\r\n", "FFFFFFFFFFFFFFFF\r\n", "{".repeat(2000), "\xff\xfe"]);
  return `${line}\r\nhost: 127.0.0.1\r\n${header}\r\n${random.chance(0.8) ? "\r\n" : ""}${body}`;
};

/** Bytes on sockets, many of which never end: nothing is answered with 500, and others are still served. */
const heads = async ({ random, tries }: Trying): Promise<Tally> => {
  await using stack = new AsyncDisposableStack();
  const folder = await aFolder();
  stack.defer(folder.remove);
  const world = await openTestCoordinator(folder.path);
  stack.defer(() => world.coordinator.close());
  const port = Number(new URL(world.origin).port);
  const fell: string[] = [];
  const sockets = await Promise.all(
    Array.from({ length: tries * 5 }, async () => {
      const head = oddHeads(random);
      const socket = connect(port, "127.0.0.1").on("error", () => undefined);
      socket.setEncoding("latin1").on("data", (text: string) => {
        if (/^HTTP\/1\.1 5/m.test(text)) fell.push(`${JSON.stringify(head.slice(0, 80))}: ${text.slice(0, 40)}`);
      });
      await Promise.race([once(socket, "connect"), once(socket, "close")]);
      socket.write(head, "latin1");
      return socket;
    }),
  );
  await pause(500);
  const begun = performance.now();
  const { status } = await world.api("GET", "/jobs/count");
  if (status !== 200 || performance.now() - begun > 5000) fell.push("others were not served");
  for (const socket of sockets) socket.destroy();
  return { what: "odd heads and sockets that stay open", tried: sockets.length, fell };
};

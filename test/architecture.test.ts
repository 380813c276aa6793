import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { circlesOf, loadedBy, readImports, sourceFiles } from "./house/imports.ts";
import { circlesAllowed, heightOf, layerOf, mayImport, roomOf, rooms } from "./house/rooms.ts";

const root = join(import.meta.dirname, "..");
const files = sourceFiles(root);
const imports = readImports(root, files);
const textOf = (path: string): string => readFileSync(join(root, path), "utf8");
/** Imports between our own files. */
const edges = files.flatMap((path) =>
  (imports.get(path) ?? []).filter(({ target }) => imports.has(target)).map(({ target }) => [path, target] as const),
);

/** The files that say it, as code and not in a comment. */
const filesThatSay = (pattern: RegExp): string[] =>
  files.filter((path) => pattern.test(textOf(path).replaceAll(/\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/[^\n]*/g, "")));

test("there is something to look at", () => {
  expect(files.length).toBeGreaterThan(1000);
  expect(edges).toContainEqual(["coordinator/coordinator.ts", "shared/basics/errors.ts"]);
});

test("layers import one way: shared, media, then coordinator or agent or renderer, then electron or cli", () => {
  const wrong = edges.filter(([path, target]) => {
    const [from, to] = [layerOf(path), layerOf(target)];
    return from !== to && !mayImport[from].includes(to);
  });
  expect(wrong.map(([path, target]) => `${path} imports ${target}`)).toEqual([]);
});

test("rooms of a layer import one way, in the order of test/house/rooms.ts", () => {
  const wrong = edges.filter(
    ([path, target]) => layerOf(path) === layerOf(target) && heightOf(target) > heightOf(path),
  );
  expect(wrong.map(([path, target]) => `${path} imports ${target}`)).toEqual([]);
});

test("every room has its place in that order", () => {
  const inRooms = files.filter((path) => path.split("/").length > 2);
  expect([...new Set(inRooms.filter((path) => heightOf(path) === 0).map(roomOf))]).toEqual([]);
});

test("no files import each other in a circle, except types inside one room, for a reason", () => {
  expect(circlesOf(imports, ["value"])).toEqual([]);
  const allowed = circlesAllowed.map(({ files }) => [...files].sort().join(", "));
  expect(circlesOf(imports, ["value", "type"]).map((circle) => circle.join(", "))).toEqual(allowed);
  for (const { files } of circlesAllowed) expect(new Set(files.map(roomOf)).size).toBe(1);
});

test("programs load only what they use: neither an agent nor the command line loads an element kind", () => {
  const commands = [...imports.keys()].filter((path) => path.startsWith("cli/commands/"));
  const loaded = [
    ...loadedBy(imports, "agent/main.ts", ["value", "lazy"]),
    ...["cli/run.ts", ...commands].flatMap((path) => [...loadedBy(imports, path)]),
  ];
  expect(commands.length).toBeGreaterThan(20);
  expect(loaded.filter((path) => path.startsWith("media/elements/"))).toEqual([]);
});

test("help loads no command, and an agent no performer of media, packages or scripts", () => {
  const [ofCli, ofAgent] = ["cli/run.ts", "agent/main.ts"].map((path) => [...loadedBy(imports, path)]);
  expect(ofCli?.filter((path) => path.startsWith("cli/commands/"))).toEqual(["cli/commands/index.ts"]);
  expect(ofAgent?.filter((path) => /^agent\/steps\/(media|packaging|scripts)\//.test(path))).toEqual([]);
});

test("no folder has more than 25 files directly inside", () => {
  const inside = new Map<string, number>();
  for (const path of globSync("{*,*/**/*}", {
    cwd: root,
    exclude: ["node_modules", ".build", ".git", "**/dist"],
    withFileTypes: true,
  }))
    if (path.isFile()) inside.set(path.parentPath, (inside.get(path.parentPath) ?? 0) + 1);
  expect([...inside].filter(([, count]) => count > 25)).toEqual([]);
});

test("no SQL is known outside the store's folder", () => {
  const sql = /\b(?:SELECT|INSERT INTO|DELETE FROM|UPDATE \w+ SET)\b/;
  const places = filesThatSay(sql).filter((path) => layerOf(path) === "coordinator");
  // What both engines understand, to read a farm that moves from one to the other, is in `move`.
  const allowed = /^coordinator\/store\/(?:sqlite|postgres|move)\//;
  expect(places.filter((path) => !allowed.test(path))).toEqual([]);
});

test("shared and media run anywhere: they import nothing of Node's and one package", () => {
  const packages = files
    .filter((path) => layerOf(path) === "shared" || layerOf(path) === "media")
    .flatMap((path) => (imports.get(path) ?? []).map(({ target }) => target).filter((target) => !imports.has(target)));
  expect([...new Set(packages)]).toEqual(["zod"]);
});

/** Files that may take a secret's text. */
const revealing = [
  "agent/attempt/secret-reader.ts",
  "agent/outbound/mail.ts",
  "agent/paths/storage-view.ts",
  "agent/session/identity.ts",
  "agent/storage/ftp/connect.ts",
  "agent/storage/host-address.ts",
  "agent/storage/http/request.ts",
  "agent/storage/keys.ts",
  "agent/storage/s3/client.ts",
  "agent/storage/sftp/connect.ts",
  "agent/storage/swift/session.ts",
  "agent/tools/services.ts",
  "cli/commands/farm/webhook-secret.ts",
  "cli/commands/people/people.ts",
  "coordinator/alerts/channels.ts",
  "coordinator/alerts/delivery.ts",
  "coordinator/connections/admit.ts",
  "coordinator/connections/agent-socket.ts",
  "coordinator/connections/join-tokens.ts",
  "coordinator/coordinator.ts",
  "coordinator/http/files/signed-links.ts",
  "coordinator/http/session-cookie.ts",
  "coordinator/outbound/signature.ts",
  "coordinator/outbound/shown-address.ts",
  "coordinator/identity/attempt.ts",
  "coordinator/identity/entrance.ts",
  "coordinator/identity/provider.ts",
  "coordinator/identity/settings.ts",
  "coordinator/people/accounts.ts",
  "coordinator/people/machine-key.ts",
  "coordinator/people/passwords.ts",
  "coordinator/routes/account.ts",
  "coordinator/routes/credentials.ts",
  "coordinator/routes/login.ts",
  "coordinator/routes/people.ts",
  "coordinator/second-steps/challenges.ts",
  "coordinator/second-steps/one-time-passwords.ts",
  "coordinator/second-steps/own-steps.ts",
  "coordinator/second-steps/passkeys.ts",
  "coordinator/second-steps/steps.ts",
  "coordinator/secrets/secret-words.ts",
  "coordinator/secrets/vault.ts",
  "coordinator/store/cipher.ts",
  "coordinator/store/postgres/connection/address.ts",
  "coordinator/tracing/settings.ts",
  "coordinator/tracing/tracing.ts",
  "coordinator/webhooks/config.ts",
  "coordinator/webhooks/delivering.ts",
  "shared/basics/secret.ts",
  "shared/credentials/credentials.ts",
];

describe("what comes from outside is let in at few doors", () => {
  test.each<[string, RegExp, readonly string[]]>([
    [
      "processes",
      /node:child_process/,
      [
        "agent/process/run.ts",
        "cli/demo.ts",
        "cli/local-farm/local-agent.ts",
        "cli/package/",
        "electron/before-pack.ts",
        "electron/start/electron-binary.ts",
        "electron/start.ts",
      ],
    ],
    ["the time", /\bDate\.now\(|\bperformance\.now\(|\bnew Date\(\)/, ["shared/basics/system-clock.ts"]],
    [
      "timers",
      /(?<!socket\.)\bset(?:Timeout|Interval)\(/, // a socket's own limit is no timer
      [
        "cli/local-farm/local-agent.ts",
        "cli/package/clients/typescript/",
        "electron/window/first-run.ts",
        "shared/basics/system-clock.ts",
      ],
    ],
    [
      "turns of the loop",
      /\bsetImmediate\(/,
      [
        "coordinator/http/pipelines.ts",
        "coordinator/kernel/committer.ts",
        "coordinator/kernel/time-slice.ts",
        "coordinator/store/postgres/connection/together.ts",
        "coordinator/store/sqlite/reader.ts",
      ],
    ],
    [
      "random bytes",
      /\brandom(?:Bytes|UUID|Int)\b/,
      [
        "agent/steps/packaging/encrypt-segments.ts",
        "agent/steps/packaging/packager.ts",
        "coordinator/second-steps/challenges.ts",
        "coordinator/second-steps/one-time-passwords.ts",
        "coordinator/second-steps/own-steps.ts",
        "coordinator/second-steps/passkeys.ts",
        "coordinator/second-steps/steps.ts",
        "coordinator/secrets/secret-words.ts",
        "coordinator/secrets/vault.ts",
        "coordinator/store/cipher.ts",
      ],
    ],
    [
      "chance",
      /\bMath\.random\b/,
      ["agent/main.ts", "cli/terminal/world.ts", "electron/agent-process.ts", "electron/coordinator-process.ts"],
    ],
    [
      "the environment",
      /\bprocess\.env\b/,
      [
        "agent/config.ts",
        "cli/demo.ts",
        "cli/local-farm/local-agent.ts",
        "cli/package/",
        "cli/terminal/world.ts",
        "electron/coordinator-process.ts",
        "electron/main.ts",
        "electron/start.ts",
      ],
    ],
    // Where secrets leave as texts: to a server, into a hash, sealed, or to whom they belong.
    ["the texts of secrets", /\.reveal\(\)|\btoRevealedJson\(/, revealing],
    ["SQL's driver", /from "better-sqlite3"/, ["coordinator/store/sqlite/"]],
    ["the driver of PostgreSQL", /from "pg"/, ["coordinator/store/postgres/"]],
  ])("%s", (_, pattern, allowed) => {
    expect(filesThatSay(pattern).filter((path) => !allowed.some((place) => path.startsWith(place)))).toEqual([]);
  });
});

test("no file is longer than 300 lines", () => {
  expect(files.filter((path) => textOf(path).split("\n").length > 301)).toEqual([]);
});

test("files are named by nouns in kebab-case, and never by leftovers", () => {
  const names = files.map((path) => path.split("/").at(-1) ?? "");
  expect(names.filter((name) => !/^[a-z0-9]+(-[a-z0-9]+)*(\.d)?\.tsx?$/.test(name))).toEqual([]);
  expect(names.filter((name) => /^(utils?|helpers?|common|misc|manager)\./.test(name))).toEqual([]);
});

const pages = ["ARCHITECTURE.md", "CONTRIBUTING.md", ...globSync("docs/design/*.md", { cwd: root })];

test("ARCHITECTURE.md, CONTRIBUTING.md and docs/design name only files that there are", () => {
  const known = globSync("{*,*/**/*}.{ts,tsx,mjs}", { cwd: root, exclude: ["node_modules/**", ".build/**"] });
  const isThere = (name: string): boolean => known.some((path) => `/${path}`.endsWith(`/${name}`));
  const named = pages.flatMap((page) =>
    [...textOf(page).matchAll(/`([a-z][\w./-]*\.tsx?)`/g)].map(([, name = ""]) => name),
  );
  expect(named.length).toBeGreaterThan(60);
  expect(named.filter((name) => !isThere(name))).toEqual([]);
});

test("ARCHITECTURE.md has a line for every room", () => {
  const page = textOf("ARCHITECTURE.md");
  const named = new Set([...page.matchAll(/`([^`]+)`/g)].flatMap(([, names = ""]) => names.split(" ")));
  const missing = Object.entries(rooms).flatMap(([layer, { order }]) =>
    order.filter((room) => !named.has(`${room}/`)).map((room) => `${layer}/${room}`),
  );
  expect(missing).toEqual([]);
});

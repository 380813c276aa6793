import { globSync, readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { describe, expect, test } from "vitest";

const root = join(import.meta.dirname, "..");
const layers = ["shared", "coordinator", "agent", "renderer", "electron", "cli"] as const;
type Layer = (typeof layers)[number];

/** Whom a layer may import beside itself: the arrows all point one way. */
const mayImport: Record<Layer, readonly Layer[]> = {
  shared: [],
  coordinator: ["shared"],
  agent: ["shared"],
  renderer: ["shared"],
  electron: ["shared", "coordinator", "agent", "renderer", "cli"],
  cli: ["shared", "coordinator", "agent", "renderer"],
};

const files = globSync(`{${layers.join(",")}}/**/*.{ts,tsx}`, { cwd: root }).map((path) => path.replaceAll("\\", "/"));
const textOf = (path: string): string => readFileSync(join(root, path), "utf8");
const layerOf = (path: string): Layer => path.split("/")[0] as Layer; // the glob found it below one

const importsOf = (path: string): string[] =>
  [...textOf(path).matchAll(/(?:^|\s)(?:import|export)\s[^;]*?from\s+"([^"]+)"|import\(\s*"([^"]+)"/g)].map(
    ([, from, dynamic]) => from ?? dynamic ?? "",
  );

/** The files that say it, as code and not in a comment. */
const filesThatSay = (pattern: RegExp): string[] =>
  files.filter((path) => pattern.test(textOf(path).replaceAll(/\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/[^\n]*/g, "")));

test("there is something to look at", () => {
  expect(files.length).toBeGreaterThan(100);
  expect(importsOf("coordinator/coordinator.ts")).toContain("../shared/errors.ts");
});

test("imports point one way: shared, then coordinator or agent or renderer, then electron or cli", () => {
  const wrong = files.flatMap((path) =>
    importsOf(path)
      .filter((from) => from.startsWith("."))
      .map((from) => normalize(join(dirname(path), from)).replaceAll("\\", "/"))
      .filter((target) => target !== "package.json") // the program's version, which has its home there
      .filter((target) => layerOf(target) !== layerOf(path) && !mayImport[layerOf(path)].includes(layerOf(target)))
      .map((target) => `${path} imports ${target}`),
  );
  expect(wrong).toEqual([]);
});

/** Rooms of the coordinator, and whom each may import beside itself and shared. */
const rooms: Readonly<Record<string, readonly string[]>> = {
  schedule: [],
  store: [],
  memory: ["store", "schedule"],
  work: ["memory", "store", "schedule"],
  nodes: ["work", "memory", "store"],
};
const alone = new Set(["config.ts", "checkpoint.ts", "farm-clock.ts", "log.ts", "secrets.ts"]);

test("the coordinator's rooms import one way: schedule and store only shared, work and nodes make no circle", () => {
  const roomOf = (path: string) => path.split("/")[1] ?? "";
  const wrong = files
    .filter((path) => layerOf(path) === "coordinator" && roomOf(path) in rooms)
    .flatMap((path) =>
      importsOf(path)
        .filter((from) => from.startsWith("."))
        .map((from) => normalize(join(dirname(path), from)).replaceAll("\\", "/"))
        .filter((target) => target.startsWith("coordinator/") && roomOf(target) !== roomOf(path))
        .filter((target) => !rooms[roomOf(path)]?.includes(roomOf(target)) && !mayStandAlone(path, roomOf(target)))
        .map((target) => `${path} imports ${target}`),
    );
  expect(wrong).toEqual([]);
});

/** Single files beside the rooms that the inner ones do without. */
const mayStandAlone = (path: string, target: string): boolean =>
  alone.has(target) && !path.startsWith("coordinator/schedule/") && !path.startsWith("coordinator/store/");

test("no SQL is known outside the store's folder", () => {
  const sql = /\b(?:SELECT|INSERT INTO|DELETE FROM|UPDATE \w+ SET)\b/;
  const places = filesThatSay(sql).filter((path) => layerOf(path) === "coordinator");
  expect(places.filter((path) => !path.startsWith("coordinator/store/sqlite/"))).toEqual([]);
});

test("shared runs anywhere: it imports nothing of Node's and one package", () => {
  const packages = files
    .filter((path) => layerOf(path) === "shared")
    .flatMap(importsOf)
    .filter((from) => !from.startsWith("."));
  expect([...new Set(packages)]).toEqual(["zod"]);
});

describe("what comes from outside is let in at few doors", () => {
  test.each<[string, RegExp, readonly string[]]>([
    [
      "processes",
      /node:child_process/,
      [
        "agent/process.ts",
        "cli/demo.ts",
        "cli/local-agent.ts",
        "electron/before-pack.ts",
        "electron/electron-binary.ts",
        "electron/start.ts",
      ],
    ],
    ["the time", /\bDate\.now\(|\bperformance\.now\(|\bnew Date\(\)/, ["shared/system-clock.ts"]],
    [
      "timers",
      /(?<!socket\.)\bset(?:Timeout|Interval)\(/, // a socket's own limit is no timer
      ["cli/local-agent.ts", "electron/first-run.ts", "shared/system-clock.ts"],
    ],
    ["turns of the loop", /\bsetImmediate\(/, ["coordinator/memory/committer.ts", "coordinator/work/in-turn.ts"]],
    [
      "random bytes",
      /\brandom(?:Bytes|UUID|Int)\b/,
      ["agent/steps/encrypt-segments.ts", "agent/steps/packager.ts", "coordinator/secrets.ts"],
    ],
    [
      "chance",
      /\bMath\.random\b/,
      ["agent/main.ts", "cli/world.ts", "electron/agent-process.ts", "electron/coordinator-process.ts"],
    ],
    [
      "the environment",
      /\bprocess\.env\b/,
      [
        "agent/config.ts",
        "cli/demo.ts",
        "cli/local-agent.ts",
        "cli/world.ts",
        "electron/coordinator-process.ts",
        "electron/main.ts",
        "electron/start.ts",
      ],
    ],
    ["SQL's driver", /from "better-sqlite3"/, ["coordinator/store/sqlite/"]],
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

test("ARCHITECTURE.md and CONTRIBUTING.md name only files that there are", () => {
  const known = globSync("{*,*/**/*}.{ts,tsx,mjs}", { cwd: root, exclude: ["node_modules/**", ".build/**"] });
  const isThere = (name: string): boolean => known.some((path) => `/${path}`.endsWith(`/${name}`));
  const named = ["ARCHITECTURE.md", "CONTRIBUTING.md"].flatMap((page) =>
    [...textOf(page).matchAll(/`([a-z][\w./-]*\.tsx?)`/g)].map(([, name = ""]) => name),
  );
  expect(named.length).toBeGreaterThan(30);
  expect(named.filter((name) => !isThere(name))).toEqual([]);
});

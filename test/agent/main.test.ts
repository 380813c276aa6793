import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { afterEach, expect, test } from "vitest";
import { runAgent } from "../../agent/main.ts";
import { aFarm, anAssignment, type Farm, fakeFfmpeg, fakeFfprobe } from "../helpers/agent/agent-fixture.ts";

let farm: Farm;
const children: ChildProcess[] = [];
afterEach(async () => {
  for (const child of children.splice(0)) child.kill("SIGKILL");
  await farm.end();
});

const program = fileURLToPath(new URL("../../agent/main.ts", import.meta.url));

/** The agent as people start it. */
const startProgram = (more: Record<string, string> = {}): ChildProcess => {
  const flags = ["--join", farm.coordinator.token, "--data", farm.dataDir, "--root", farm.root, "--json"];
  const env = { PATH: process.env.PATH, FFMPEG_PATH: fakeFfmpeg, FFPROBE_PATH: fakeFfprobe, ...more };
  const child = spawn(process.execPath, [program, ...flags], { env, stdio: ["pipe", "pipe", "pipe"] });
  children.push(child);
  return child;
};

const untilThere = async (path: string): Promise<string> => {
  while (!existsSync(path)) await new Promise((resolve) => setTimeout(resolve, 5));
  return readFile(path, "utf8");
};

const isAlive = async (pid: number): Promise<boolean> => {
  if (process.platform !== "linux") return process.kill(pid, 0);
  const stat = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => "");
  return stat !== "" && !/\) [ZX] /.test(stat); // nobody may be there to collect an orphan's end
};

const run = async (argv: string[]) => {
  const said: string[] = [];
  const io = { stdout: () => undefined, stderr: (text: string) => void said.push(text), stop: AbortSignal.abort() };
  return { code: await runAgent(argv, io), stderr: said.join("") };
};

test("it says on stdout that it is connected, and SIGTERM ends it and its programs cleanly", async () => {
  farm = await aFarm();
  const agent = startProgram();
  const [line] = await once(agent.stdout ?? agent, "data");
  expect(JSON.parse(String(line))).toEqual({ event: "connected", node_id: 7 });
  farm.coordinator.assign(anAssignment({ root: farm.root, argv: ["hang", farm.path("pid")] }));
  const pid = Number(await untilThere(farm.path("pid")));
  agent.kill("SIGTERM");
  expect(await once(agent, "exit")).toEqual([0, null]);
  await farm.coordinator.receive("goodbye");
  expect(await isAlive(pid)).toBe(false);
  expect(await farm.list()).toEqual([]);
});

test("programs die with an agent that is killed, and the next start sweeps what they left", async () => {
  farm = await aFarm({ heartbeatMs: 1000 });
  const agent = startProgram();
  await farm.coordinator.receive("heartbeat");
  farm.coordinator.assign(anAssignment({ root: farm.root, argv: ["hang", farm.path("pid")] }));
  const pid = Number(await untilThere(farm.path("pid")));
  while ((await farm.list()).length === 0) await new Promise(setImmediate);
  agent.kill("SIGKILL");
  await once(agent, "exit");
  while (await isAlive(pid)) await new Promise((resolve) => setTimeout(resolve, 10));
  expect(await farm.list()).toEqual([".result.mp4.1.1.part"]);
  await farm.start();
  expect((await farm.coordinator.receive("hello", 1)).attempts).toEqual([]);
  expect(await farm.list()).toEqual([]);
});

test("a supervised agent ends when its parent closes stdin", async () => {
  farm = await aFarm();
  const agent = startProgram({ MEDIAFARM_SUPERVISED: "1" });
  await farm.coordinator.receive("hello");
  agent.stdin?.end();
  expect(await once(agent, "exit")).toEqual([0, null]);
});

test("wrong usage is exit code 2 with the usage", async () => {
  farm = await aFarm();
  expect(await run(["--nonsense"])).toMatchObject({ code: 2, stderr: expect.stringContaining("Usage: agent --join") });
  expect(await run(["--slots", "many"])).toMatchObject({ code: 2, stderr: expect.stringContaining('not "many"') });
  expect(await run(["--smtp-url", "smtp://u:secret@host"])).toEqual({
    code: 2,
    stderr: expect.stringMatching(/^--smtp-url must hold no password: put such an address into MEDIAFARM_SMTP_URL\n/),
  });
  expect(await run(["--mount", "nowhere"])).toMatchObject({ code: 2, stderr: expect.stringContaining("PREFIX=DIR") });
});

test("what cannot work is one line and exit code 1", async () => {
  farm = await aFarm();
  const { code, stderr } = await run(["--data", farm.dataDir, "--join", "mfj1_nonsense"]);
  expect({ code, lines: stderr.trim().split("\n") }).toEqual({
    code: 1,
    lines: ["The join token cannot be used: it is damaged or cut short. Copy the whole token that the farm shows."],
  });
  expect(await run(["--data", farm.dataDir])).toEqual({
    code: 1,
    stderr: "This node has not joined a farm yet: start it with --join TOKEN\n",
  });
});

test("a second agent on one data folder is refused while the first runs", async () => {
  farm = await aFarm();
  const first = await farm.start();
  await expect(farm.start()).rejects.toThrow(`The data folder ${farm.dataDir} is in use by the agent with process`);
  await first.stop();
  await farm.start();
});

import { existsSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { silentLog } from "../../../agent/log.ts";
import { createProcessRegistry } from "../../../agent/process/process-registry.ts";
import { createRun } from "../../../agent/process/run.ts";
import { systemClock } from "../../../shared/basics/system-clock.ts";
import { aFolder } from "../../helpers/agent/agent-fixture.ts";

let folder: Awaited<ReturnType<typeof aFolder>>;
const env = { PATH: process.env.PATH ?? "", SEEN: "yes" };
const run = createRun({ clock: systemClock, env });

beforeEach(async () => {
  folder = await aFolder();
});
afterEach(() => folder.remove());

const untilThere = async (path: string): Promise<void> => {
  while (!existsSync(path)) await new Promise((resolve) => setTimeout(resolve, 5));
};

test("a program gets its arguments unchanged, no shell, and only the environment it was given", async () => {
  const { stdout, exitCode } = await run({ command: "sh", args: ["-c", 'echo "$1|$SEEN|$HOME"', "sh", "$(id) ; *"] });
  expect({ stdout, exitCode }).toEqual({ stdout: "$(id) ; *|yes|\n", exitCode: 0 });
});

test("an exit code, a signal and the last words are told", async () => {
  const failed = await run({ command: "sh", args: ["-c", "echo no >&2; exit 3"] });
  expect(failed).toMatchObject({ exitCode: 3, signal: null, stderrTail: "no\n" });
  const killed = await run({ command: "sh", args: ["-c", "kill -9 $$"] });
  expect(killed).toMatchObject({ exitCode: null, signal: "SIGKILL" });
});

test("an abort ends the whole group, also a program that ignores SIGTERM", async () => {
  const stop = new AbortController();
  const flag = join(folder.path, "flag");
  const script = `trap '' TERM; sleep 60 & touch ${flag}; while :; do sleep 0.05; done`;
  const running = run({ command: "sh", args: ["-c", script], signal: stop.signal, graceMs: 100 });
  await untilThere(flag);
  stop.abort();
  expect(await running).toMatchObject({ signal: "SIGKILL" });
});

test("who does not heed the first request is asked again long before it is killed", async () => {
  const stop = new AbortController();
  const flag = join(folder.path, "flag");
  const script = `n=0; trap 'n=$((n+1)); [ $n -lt 4 ] || exit 4' TERM; touch ${flag}; while :; do sleep 0.02; done`;
  const running = run({ command: "bash", args: ["-c", script], signal: stop.signal, graceMs: 19_000 });
  await untilThere(flag);
  stop.abort();
  expect(await running).toMatchObject({ exitCode: 4, signal: null });
});

test("a program that exceeds its limit is ended", async () => {
  expect(await run({ command: "sleep", args: ["60"], limitMs: 50 })).toMatchObject({
    timedOut: true,
    signal: "SIGTERM",
  });
});

test("a program runs at low priority, so that the owner of the machine comes first", async () => {
  const { stdout } = await run({
    command: "sh",
    args: ["-c", "sleep 0.1; ps -o ni= -p $$ || cut -d' ' -f19 /proc/$$/stat"],
  });
  expect(Number(stdout)).toBeGreaterThanOrEqual(10);
});

test("what cannot be started is a failure of the machine", async () => {
  const plain = createRun({ clock: systemClock, env: { PATH: "" } });
  await expect(plain({ command: "/no/such/program", args: [] })).rejects.toThrow("Cannot start /no/such/program");
});

test.skipIf(process.platform !== "linux")("a command that is longer than Linux takes is the job's fault", async () => {
  const problem = await run({ command: "sh", args: ["-c", ":", "ä".repeat(70_000)] }).catch((error) => error.failure);
  expect(problem).toEqual({
    cause: "definition",
    message: expect.stringMatching(/^The command is too long for this system: \d words, the longest of 140000 bytes$/),
  });
});

test("a child noted by an agent that died is ended by the next, but not a stranger with its number", async () => {
  const children = createProcessRegistry({ folder: folder.path, log: silentLog, run });
  const pidFile = join(folder.path, "pid");
  const running = run({ command: "sh", args: ["-c", `echo $$ > ${pidFile}; exec sleep 60`] });
  await untilThere(pidFile);
  await new Promise((resolve) => setTimeout(resolve, 50));
  const pid = Number(await readFile(pidFile, "utf8"));
  await children.note(pid);
  await writeFile(join(folder.path, `${process.pid}.json`), JSON.stringify({ pid: process.pid, started: "1" }));
  await children.endLeftOver();
  expect(await running).toMatchObject({ signal: "SIGKILL" });
});

test.skipIf(process.platform !== "linux")(
  "a program that is too short to be looked at while it runs is charged with its processor time (Linux tells it)",
  async () => {
    const busy = "i=0; while [ $i -lt 60000 ]; do i=$((i+1)); done";
    const spent = await Promise.all([0, 1, 2].map(() => run({ command: "sh", args: ["-c", busy] })));
    const cpuMs = spent.reduce((sum, each) => sum + (each.cpuMs ?? 0), 0);
    expect(cpuMs).toBeGreaterThanOrEqual(60);
  },
);

import { createHash } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { signalGroup } from "../../../agent/process/kill-ladder.ts";
import { createRun } from "../../../agent/process/run.ts";
import { createSuspension } from "../../../agent/process/suspension.ts";
import { sleep } from "../../../shared/basics/clock.ts";
import { systemClock } from "../../../shared/basics/system-clock.ts";
import { first } from "../../helpers/long.ts";
import { frames } from "../../helpers/media/clips.ts";
import { ffmpegPath, ffmpegPaths } from "../../helpers/media/media-tools.ts";
import { until } from "../../helpers/processes/farm-processes.ts";

const reason =
  ffmpegPath === undefined ? " (SKIPPED: no ffmpeg)" : process.platform === "linux" ? "" : " (SKIPPED: reads /proc)";

const begin = () => {
  const folder = mkdtempSync(join(tmpdir(), "mediafarm-suspend-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const pids = new Set<number>();
  const signal = (pid: number, name: NodeJS.Signals) => {
    pids.add(pid);
    return signalGroup(pid, name);
  };
  const suspension = createSuspension({ clock: systemClock, signal, platform: process.platform });
  const run = createRun({ clock: systemClock, env: { PATH: process.env.PATH ?? "" }, suspension });
  return { folder, suspension, run, pids };
};

const encode = (path: string): string[] => [
  ...["-v", "error", "-y", "-progress", "pipe:1", "-stats_period", "0.1"],
  ...["-f", "lavfi", "-i", "testsrc2=size=320x180:rate=25:duration=4,noise=alls=20:allf=t:all_seed=1"],
  ...["-f", "lavfi", "-i", "sine=440:duration=4", "-c:v", "libx264", "-preset", "slow", "-threads", "2"],
  ...["-c:a", "aac", "-fflags", "+bitexact", "-flags", "+bitexact", path],
];
const hash = (path: string): string => createHash("sha256").update(readFileSync(path)).digest("hex");
/** T: stopped by a signal. */
const stateOf = (pid: number): string | undefined => readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]?.[0];

describe.skipIf(reason !== "")(`a real ffmpeg that is suspended${reason}`, () => {
  test.each(first(ffmpegPaths))("%s makes the same file, byte by byte and frame by frame", async (command) => {
    const { folder, suspension, run, pids } = begin();
    const [plain, held] = [join(folder, "plain.mp4"), join(folder, "held.mp4")];
    await run({ command, args: encode(plain) });

    let said = 0;
    const running = run({ command, args: encode(held), limitMs: 120_000, onStdout: () => (said += 1) });
    const stops: { state: string | undefined; grew: number; said: number }[] = [];
    for (let stop = 0; stop < 2; stop += 1) {
      const seen = said;
      await until("progress", () => said > seen);
      suspension.suspend();
      const [pid = 0] = pids;
      await until("the stop", () => stateOf(pid) === "T");
      await sleep(systemClock, 50); // what it said before is still in the pipe
      const [size, words] = [statSync(held).size, said];
      await sleep(systemClock, 300);
      stops.push({ state: stateOf(pid), grew: statSync(held).size - size, said: said - words });
      suspension.resume();
    }
    const { exitCode, wallMs } = await running;

    expect([exitCode, stops]).toEqual([0, Array.from({ length: 2 }, () => ({ state: "T", grew: 0, said: 0 }))]);
    expect(hash(held)).toBe(hash(plain));
    const [one, other] = [await frames(plain), await frames(held)];
    expect([other.length, other]).toEqual([100, one]);
    expect(wallMs).toBeGreaterThan(0);
  });

  test("one that is dropped while it stands still is gone at once", async () => {
    const { folder, suspension, run, pids } = begin();
    const abort = new AbortController();
    let said = 0;
    const running = run({
      command: ffmpegPath ?? "",
      args: encode(join(folder, "dropped.mp4")),
      signal: abort.signal,
      graceMs: 600_000,
      onStdout: () => (said += 1),
    });
    await until("progress", () => said > 0);
    suspension.suspend();
    abort.abort();
    expect((await running).signal).toBe("SIGKILL");
    expect(pids.size).toBe(1);
  });
});

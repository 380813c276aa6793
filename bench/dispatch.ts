import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, copyFileSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type BenchFarm, folderIn, startFarm, untilCompleted } from "./farms/farm.ts";
import { sourceJob } from "./farms/jobs.ts";
import { ffprobePath } from "./farms/media.ts";
import { scratchFolder } from "./farms/scratch.ts";
import { makeSources } from "./farms/transcodes.ts";
import { type Bench, interleave } from "./harness.ts";
import { median, quantile } from "./statistics.ts";

/**
 * How long a task that is ready waits for its process on an idle node: from the moment that the job's record names to the
 * first line of the program. The reference is one bare `spawn` of the same program, to its first line as well.
 */
export const dispatch: Bench = {
  name: "dispatch",
  run: async ({ isQuick, pairs, say }) => {
    const [rounds, times] = isQuick ? [pairs ?? 2, 10] : [pairs ?? 7, 100];
    using scratch = scratchFolder();
    const tool = stampingProbe(scratch.path);
    await using farm = await startFarm({ slots: 1, env: { FFPROBE_PATH: tool.path } });
    const [source = ""] = await makeSources(folderIn(farm, "sources"), 1);
    const repeat = async (once: (turn: number) => Promise<number>): Promise<number[]> => {
      const found: number[] = [];
      for (let turn = 0; turn < times; turn++) found.push(await once(turn));
      return found;
    };
    await repeat((turn) => dispatchOne(farm, tool, source, `warm-up-${turn}`));
    const results = await interleave(rounds, {
      farm: (round) => repeat((turn) => dispatchOne(farm, tool, source, `${round}-${turn}`)),
      bare: () => repeat(() => spawnOne(tool, source)),
    });
    for (const { farm: farmMs, bare } of results) {
      const each = [median(farmMs), quantile(farmMs, 0.99), median(bare)].map((ms) => ms.toFixed(1));
      say(`p50 ${each[0]} ms, p99 ${each[1]} ms, one spawn ${each[2]} ms`);
    }
    const reference = "one bare spawn";
    const ratios = (share: number) => results.map((each) => quantile(each.farm, share) / median(each.bare));
    return [
      { name: "ready to spawned, p50", reference, ratios: ratios(0.5) },
      { name: "ready to spawned, p99", reference, ratios: ratios(0.99) },
    ];
  },
};

type StampingProbe = { readonly path: string; readonly takeStamp: () => number };

/** An ffprobe that first writes down the time, in its shell and without one more process; of several, the first time counts. */
const stampingProbe = (folder: string): StampingProbe => {
  const [path, stamp] = [join(folder, "ffprobe"), join(folder, "stamp")];
  writeFileSync(
    path,
    `#!/bin/bash\n[ -e '${stamp}' ] || echo "$EPOCHREALTIME" > '${stamp}'\nexec '${ffprobePath}' "$@"\n`,
  );
  chmodSync(path, 0o755);
  return {
    path,
    takeStamp: () => {
      const ms = Number(readFileSync(stamp, "utf8")) * 1000;
      rmSync(stamp);
      return ms;
    },
  };
};

/** A job of a source alone is one light task with one process. Its record's time is cut to milliseconds: half is taken off. */
const dispatchOne = async (farm: BenchFarm, tool: StampingProbe, source: string, name: string): Promise<number> => {
  const path = join(folderIn(farm, "media"), `${name}.mp4`);
  copyFileSync(source, path);
  const { id } = await farm.client.createJob(sourceJob(path));
  await untilCompleted(farm, [id]);
  const { creation_time } = await farm.client.getJobInfo({ job_id: id, fields: ["creation_time"] });
  return tool.takeStamp() - Date.parse(creation_time ?? "") - 0.5;
};

const spawnOne = async (tool: StampingProbe, source: string): Promise<number> => {
  const begun = performance.timeOrigin + performance.now();
  const child = spawn(tool.path, ["-v", "error", source], { stdio: ["ignore", "pipe", "pipe"] });
  child.stdout.resume();
  child.stderr.resume();
  await once(child, "close");
  return tool.takeStamp() - begun;
};

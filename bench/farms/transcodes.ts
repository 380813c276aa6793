import { copyFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { type BenchFarm, countTasks, folderIn, spanOf, untilCompleted, untilIdle } from "./farm.ts";
import { transcodeJob } from "./jobs.ts";
import { makeSource } from "./media.ts";

export const video = { width: 320, height: 180, preset: "veryfast", bitrate_kb: 400 };

export type Places = { readonly media: string; readonly out: string };

/** Fresh folders for one leg of one round. */
export const placesIn = (farm: BenchFarm, leg: string): Places => ({
  media: folderIn(farm, leg, "media"),
  out: folderIn(farm, leg, "out"),
});

/** One second each, all different; one ffmpeg makes them all. */
export const makeSources = async (folder: string, count: number): Promise<string[]> => {
  const segments = ["-f", "segment", "-segment_time", "1", "-segment_format", "mp4", "-reset_timestamps", "1"];
  await makeSource(join(folder, "s%04d.mp4"), { size: "320x180", seconds: count }, ...segments);
  const names = readdirSync(folder).sort().slice(0, count);
  return names.map((name) => join(folder, name));
};

/** The same sources under new names: the farm must not know their facts already. */
export const copySources = (sources: readonly string[], folder: string): string[] =>
  sources.map((path, index) => {
    const copy = join(folder, `s${index}.mp4`);
    copyFileSync(path, copy);
    return copy;
  });

export type FarmRun = {
  /** As the API counts them: a transcode is two, the look at its source and itself. */
  readonly tasks: number;
  /** Milliseconds from the first assignment to the last publication. */
  readonly wall: number;
  /** Milliseconds of processor time, of the programs of the farm alone and of all that the agent started. */
  readonly cpu: { readonly coordinator: number; readonly agent: number; readonly children: number };
};

/** Submits one job a source while the node is paused, lets it go, and measures until all is published. */
export const transcodeAll = async (farm: BenchFarm, sources: readonly string[], leg: string): Promise<FarmRun> => {
  const { media, out } = placesIn(farm, leg);
  await farm.pause();
  const ids: string[] = [];
  for (const path of copySources(sources, media)) {
    ids.push((await farm.client.createJob(transcodeJob(path, out, video))).id);
  }
  const before = farm.cpuMs();
  await farm.activate();
  await untilThere(out, ids.length);
  await untilIdle(farm);
  const after = farm.cpuMs();
  // All questions about single jobs come after the last look at the clock.
  await untilCompleted(farm, ids);
  const cpu = {
    coordinator: after.coordinator - before.coordinator,
    agent: after.agent - before.agent,
    children: after.children - before.children,
  };
  return { tasks: await countTasks(farm, ids), wall: await spanOf(farm, ids), cpu };
};

const lookMs = 50;
const patienceMs = 30_000;

/**
 * Waits until so many files are published, or none has come for long. The farm is not asked meanwhile: its answers would
 * cost what is measured.
 */
const untilThere = async (folder: string, count: number): Promise<void> => {
  for (let [found, idleMs] = [0, 0]; found < count && idleMs < patienceMs; idleMs += lookMs) {
    await pause(lookMs);
    const now = readdirSync(folder).filter((name) => !name.startsWith(".")).length;
    if (now > found) [found, idleMs] = [now, 0];
  }
};

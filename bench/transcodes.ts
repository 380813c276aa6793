import { copyFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { aChain, aFileSource, anMp4Target, aTranscodeTo } from "../test/helpers/job-builders.ts";
import { make } from "../test/helpers/media-tools.ts";
import { type BenchFarm, folderIn, spanOf, untilCompleted } from "./farm.ts";

const target = anMp4Target({ video: { codec: "h264", width: 320, height: 180, preset: "veryfast", bitrate_kb: 400 } });

export type Places = { readonly media: string; readonly out: string };

/** Fresh folders for one leg of one round. */
export const placesIn = (farm: BenchFarm, leg: string): Places => ({
  media: folderIn(farm, leg, "media"),
  out: folderIn(farm, leg, "out"),
});

/** One second each, all different; one ffmpeg makes them all. */
export const makeSources = async (folder: string, count: number): Promise<string[]> => {
  await make(
    join(folder, "s%04d.mp4"),
    ...["-f", "lavfi", "-i", `testsrc2=size=320x180:rate=25:duration=${count}`],
    ...["-f", "lavfi", "-i", `sine=duration=${count}`],
    ...["-c:v", "libx264", "-preset", "ultrafast", "-g", "25", "-c:a", "aac"],
    ...["-f", "segment", "-segment_time", "1", "-segment_format", "mp4", "-reset_timestamps", "1"],
  );
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
    const job = aChain([aFileSource(path), aTranscodeTo(out, [target])], { name: "bench" });
    ids.push((await farm.client.createJob(job)).id);
  }
  const before = farm.cpuMs();
  await farm.activate();
  // Files are counted first: asking the farm all the time would cost what is measured here.
  while (readdirSync(out).filter((name) => !name.startsWith(".")).length < ids.length) await pause(20);
  await untilCompleted(farm, ids);
  const after = farm.cpuMs();
  const cpu = {
    coordinator: after.coordinator - before.coordinator,
    agent: after.agent - before.agent,
    children: after.children - before.children,
  };
  return { wall: await spanOf(farm, ids), cpu };
};

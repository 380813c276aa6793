import { copyFileSync } from "node:fs";
import { join } from "node:path";
import { type BenchFarm, folderIn, startFarm, untilCompleted } from "./farms/farm.ts";
import { manyTargetsJob, transcodeJob } from "./farms/jobs.ts";
import { makeSource } from "./farms/media.ts";
import { video } from "./farms/transcodes.ts";
import { type Bench, interleave, type Measure } from "./harness.ts";
import { runByXargs } from "./references/bare.ts";
import { transcodeByHand, transcodesByHand } from "./references/by-hand.ts";

/** The ffprobe that was preferred before: the system's, which loads 200 libraries each time it starts. */
const systemsFfprobe = process.env.BENCH_FFPROBE ?? "/usr/bin/ffprobe";

/**
 * What somebody waits for who sends one clip of a second, or one file with a hundred targets: from the submission until the
 * job is completed. The farm as it is, and with the ffprobe of the system, in the same rounds.
 */
export const shortTasks: Bench = {
  name: "short-tasks",
  run: async ({ isQuick, pairs: wanted, say }) => {
    const [targets, pairs] = isQuick ? [20, wanted ?? 1] : [100, wanted ?? 5];
    await using now = await startFarm({ slots: 2 });
    await using before = await startFarm({ slots: 2, env: { FFPROBE_PATH: systemsFfprobe } });
    const clip = await makeSource(join(folderIn(now, "sources"), "clip.mp4"), { size: "320x180", seconds: 1 });
    const hand = folderIn(now, "hand");

    const timed = async (leg: string, run: () => Promise<number>): Promise<number> => {
      const wall = await run();
      say(`${leg}: ${Math.round(wall)} ms`);
      return wall;
    };
    const clipIn = (farm: BenchFarm) => async (round: number) =>
      timed(`clip ${round}`, () =>
        waited(farm, copied(clip, farm, round), (path, out) => transcodeJob(path, out, video)),
      );
    const manyIn = (farm: BenchFarm) => async (round: number) =>
      timed(`${targets} targets ${round}`, () =>
        waited(farm, copied(clip, farm, round), (path, out) => manyTargetsJob(path, out, video, targets)),
      );
    const outputs = (round: number) => Array.from({ length: targets }, (_, at) => join(hand, `${round}_${at}.mp4`));

    for (const farm of [now, before]) await clipIn(farm)(-1);
    const rounds = await interleave(pairs, {
      clip: clipIn(now),
      clipBefore: clipIn(before),
      many: manyIn(now),
      manyBefore: manyIn(before),
      clipByHand: async (round) =>
        (await runByXargs([transcodeByHand(clip, join(hand, `${round}.mp4`), video)], 1)).wall,
      manyByHand: async (round) => (await runByXargs([transcodesByHand(clip, outputs(round), video)], 1)).wall,
    });
    const measure = (name: string, reference: string, of: (round: (typeof rounds)[number]) => number): Measure => {
      return { name, reference, ratios: rounds.map(of) };
    };
    return [
      measure("one clip", "the command by hand", (each) => each.clip / each.clipByHand),
      measure("one clip, the system's ffprobe", "the command by hand", (each) => each.clipBefore / each.clipByHand),
      measure("one clip", "with the system's ffprobe", (each) => each.clip / each.clipBefore),
      measure(`${targets} targets`, "the command by hand", (each) => each.many / each.manyByHand),
      measure(`${targets} targets`, "with the system's ffprobe", (each) => each.many / each.manyBefore),
    ];
  },
};

/** A source of another name each time: the farm must not know its facts already. */
const copied = (clip: string, farm: BenchFarm, round: number): { readonly path: string; readonly out: string } => {
  const place = folderIn(farm, `job-${round}-${copies++}`);
  const path = join(place, "clip.mp4");
  copyFileSync(clip, path);
  return { path, out: folderIn(farm, `out-${copies}`) };
};
let copies = 0;

type Job = ReturnType<typeof transcodeJob>;

const waited = async (
  farm: BenchFarm,
  { path, out }: ReturnType<typeof copied>,
  jobOf: (path: string, out: string) => Job,
): Promise<number> => {
  const begun = performance.now();
  const { id } = await farm.client.createJob(jobOf(path, out));
  await untilCompleted(farm, [id], 10);
  return performance.now() - begun;
};

import { copyFileSync } from "node:fs";
import { join } from "node:path";
import { type BenchFarm, folderIn, startFarm, untilCompleted } from "./farms/farm.ts";
import { analysisJob } from "./farms/jobs.ts";
import { ffmpegPath, makeSource } from "./farms/media.ts";
import { type Bench, interleave } from "./harness.ts";
import { runByXargs } from "./references/bare.ts";

const on = { enabled: true };

/** Detectors that decode, each as the part of a payload that asks for it alone. */
const detectors = {
  black: { video: { black: on } },
  black_borders: { video: { black_borders: on } },
  interlacing: { video: { interlacing: on } },
  levels: { video: { levels: on } },
  blockiness: { video: { blockiness: on } },
  complexity: { video: { complexity: on } },
  scene_change_score: { video: { scene_change_score: on } },
  ebur128: { audio: [{ ebur128: on }] },
  silence: { audio: [{ silence: on }] },
};

const all = {
  video: Object.assign({}, ...Object.values(detectors).map((each) => ("video" in each ? each.video : {}))),
  audio: [Object.assign({}, ...Object.values(detectors).map((each) => ("audio" in each ? each.audio[0] : {})))],
};

/** All detectors of one element in one decode, against the decode and what each of them adds to it alone. */
export const analyses: Bench = {
  name: "analyses",
  run: async ({ isQuick, pairs: wanted, say }) => {
    const [seconds, pairs] = isQuick ? [4, wanted ?? 1] : [30, wanted ?? 3];
    await using farm = await startFarm({ slots: 1 });
    const source = await makeSource(join(folderIn(farm, "sources"), "film.mp4"), { size: "640x360", seconds });
    const media = folderIn(farm, "media");
    let copies = 0;
    const measured = (deep: object) => async (): Promise<number> => {
      const path = join(media, `film${copies++}.mp4`);
      copyFileSync(source, path);
      return await analysed(farm, path, deep);
    };
    const decoding = async (...tracks: readonly string[]): Promise<number> => {
      const maps = tracks.flatMap((track) => ["-map", track]);
      const words = ["-v", "error", "-nostdin", "-i", source, ...maps, "-f", "null", "-"];
      return (await runByXargs([[ffmpegPath, ...words]], 1)).cpu;
    };
    const rounds = await interleave(pairs, {
      all: measured(all),
      ...Object.fromEntries(Object.entries(detectors).map(([name, deep]) => [name, measured(deep)])),
      decode: () => decoding("0:v", "0:a"),
      picture: () => decoding("0:v"),
      sound: () => decoding("0:a"),
      nothing: measured({}),
    });
    const ratios = rounds.map((round: Readonly<Record<string, number>>) => {
      const { all: together = 0, decode = 0, picture = 0, sound = 0, nothing = 0 } = round;
      const added = Object.entries(detectors).map(([name, deep]) => {
        const own = "video" in deep ? picture : sound;
        return Math.max(0, (round[name] ?? 0) - nothing - own);
      });
      const apart = decode + added.reduce((sum, each) => sum + each, 0);
      say(
        `together ${Math.round(together - nothing)} ms, decode ${Math.round(decode)} ms, added alone ${added.map(Math.round).join(" + ")} ms`,
      );
      return (together - nothing) / apart;
    });
    return [{ name: "CPU of all detectors", reference: "decode and what each adds alone", ratios, target: 1.05 }];
  },
};

/** Processor time of what the agent starts for one analysis: the probe and the measuring. */
const analysed = async (farm: BenchFarm, path: string, deep: object): Promise<number> => {
  const before = farm.cpuMs().children;
  const { id } = await farm.client.createJob(analysisJob(path, deep));
  await untilCompleted(farm, [id], 1000);
  return farm.cpuMs().children - before;
};

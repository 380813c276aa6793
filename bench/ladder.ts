import { copyFileSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import type { InputOf } from "../shared/api/api.ts";
import { folderIn, spanOf, startFarm, untilCompleted } from "./farms/farm.ts";
import { ladderJob } from "./farms/jobs.ts";
import { ffmpegPath, makeSource } from "./farms/media.ts";
import { type Bench, interleave } from "./harness.ts";
import { runByXargs } from "./references/bare.ts";

/** The rungs; each of the lower ones is half of one above it. */
const rungs = [
  { height: 720, bitrate_kb: 2400 },
  { height: 540, bitrate_kb: 1400 },
  { height: 360, bitrate_kb: 800 },
  { height: 270, bitrate_kb: 500 },
] as const;
const preset = "veryfast";

/** Four renditions in one task, against the command that somebody who knows ffmpeg well would write for them. */
export const ladder: Bench = {
  name: "ladder",
  run: async ({ isQuick, pairs: wanted, say }) => {
    const [seconds, pairs] = isQuick ? [4, wanted ?? 1] : [40, wanted ?? 3];
    await using farm = await startFarm({ slots: 1 });
    const source = await makeSource(join(folderIn(farm, "sources"), "film.mp4"), { size: "1280x720", seconds });
    const [media, out] = [folderIn(farm, "media"), folderIn(farm, "out")];

    const rounds = await interleave(pairs, {
      farm: async (round) => {
        const path = join(media, `film${round}.mp4`);
        copyFileSync(source, path);
        const before = farm.cpuMs();
        const job: InputOf<"createJob"> = ladderJob(
          path,
          out,
          rungs.map((rung) => ({ ...rung, preset })),
        );
        const { id } = await farm.client.createJob(job);
        await untilCompleted(farm, [id], 1000);
        const after = farm.cpuMs();
        const own = after.coordinator + after.agent - before.coordinator - before.agent;
        const wall = await spanOf(farm, [id]);
        say(`the farm took ${Math.round(wall)} ms, of its own ${own} ms of CPU`);
        return { wall, cpu: own + after.children - before.children };
      },
      bare: async (round) => {
        const folder = join(out, `bare${round}`);
        mkdirSync(folder);
        const result = await runByXargs([[ffmpegPath, ...byHand(source, folder)]], 1);
        say(`the command by hand took ${Math.round(result.wall)} ms`);
        return result;
      },
    });
    const reference = "the best command by hand";
    return [
      { name: "CPU of all", reference, ratios: rounds.map(({ farm: f, bare }) => f.cpu / bare.cpu), target: 1.03 },
      { name: "wall", reference, ratios: rounds.map(({ farm: f, bare }) => f.wall / bare.wall) },
    ];
  },
};

/** One decode, every rung scaled from the one above that is twice as large, the sound encoded once. */
const byHand = (source: string, folder: string): string[] => [
  ...["-v", "error", "-nostdin", "-y", "-i", source, "-filter_complex"],
  "[0:v]split=3[a][b][c];[b]scale=960:540:flags=bicubic[d];[d]split=2[e][f];[c]scale=640:360:flags=bicubic[g];" +
    "[f]scale=480:270:flags=bicubic[h]",
  ...["a", "e", "g", "h"].flatMap((label, at) => [
    ...["-map", `[${label}]`, `-c:v:${at}`, "libx264", `-preset:v:${at}`, preset],
    ...[`-b:v:${at}`, `${rungs[at]?.bitrate_kb}k`, `-pix_fmt:v:${at}`, "yuv420p"],
  ]),
  ...["-map", "0:a", "-c:a", "aac", "-ac", "2", "-b:a", "128k", "-flags", "+global_header", "-f", "tee"],
  rungs
    .map(({ height }, at) => `[f=mp4:movflags=+faststart:select='v\\:${at},a']${join(folder, `${height}.mp4`)}`)
    .join("|"),
];

import { copyFileSync } from "node:fs";
import { join } from "node:path";
import { folderIn, spanOf, startFarm, untilCompleted } from "./farms/farm.ts";
import { transcodeJob } from "./farms/jobs.ts";
import { makeSource } from "./farms/media.ts";
import { type Bench, interleave } from "./harness.ts";
import { runByXargs } from "./references/bare.ts";
import { transcodeByHand } from "./references/by-hand.ts";
import { createRecorder } from "./references/recorder.ts";

const video = { width: 640, height: 360, preset: "slower", bitrate_kb: 800 };

/** What is left of the farm's cost where a transcode takes a minute or more: the same ffmpeg command with nobody beside it. */
export const longTranscode: Bench = {
  name: "long-transcode",
  run: async ({ isQuick, pairs: wanted, say }) => {
    const [seconds, pairs] = isQuick ? [4, wanted ?? 1] : [75, wanted ?? 3];
    using recorder = createRecorder();
    await using farm = await startFarm({ slots: 1, env: recorder.env });
    const source = await makeSource(join(folderIn(farm, "sources"), "long.mp4"), { size: "640x360", seconds });
    const [media, out] = [folderIn(farm, "media"), folderIn(farm, "out")];
    let command: readonly string[] = [];

    const rounds = await interleave(pairs, {
      farm: async (round) => {
        const path = join(media, `long${round}.mp4`);
        copyFileSync(source, path);
        recorder.take();
        const before = farm.cpuMs();
        const { id } = await farm.client.createJob(transcodeJob(path, out, video));
        await untilCompleted(farm, [id], 1000);
        const after = farm.cpuMs();
        command = recorder.take().find((argv) => argv.some((word) => word.endsWith("/ffmpeg"))) ?? [];
        const wall = await spanOf(farm, [id]);
        const own = after.coordinator + after.agent - before.coordinator - before.agent;
        say(`the farm took ${Math.round(wall)} ms, of its own ${own} ms of CPU`);
        return { wall, cpu: own + after.children - before.children };
      },
      bare: async (round) => {
        const words = command.slice(command.findIndex((word) => word.endsWith("/ffmpeg")));
        const result = await runByXargs([[...words.slice(0, -1), join(out, `bare${round}.mp4`)]], 1);
        say(`the bare command took ${Math.round(result.wall)} ms`);
        return result;
      },
      hand: async (round) => {
        const result = await runByXargs([transcodeByHand(source, join(out, `hand${round}.mp4`), video)], 1);
        say(`the command by hand took ${Math.round(result.wall)} ms`);
        return result;
      },
    });
    const reference = "the bare ffmpeg command";
    const hand = "the best command by hand";
    return [
      { name: "CPU of all", reference: hand, ratios: rounds.map((each) => each.farm.cpu / each.hand.cpu) },
      { name: "wall", reference: hand, ratios: rounds.map((each) => each.farm.wall / each.hand.wall) },
      { name: "wall", reference, ratios: rounds.map(({ farm: f, bare }) => f.wall / bare.wall), target: 1.01 },
      { name: "CPU of all", reference, ratios: rounds.map(({ farm: f, bare }) => f.cpu / bare.cpu) },
    ];
  },
};

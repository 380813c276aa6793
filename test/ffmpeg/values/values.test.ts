import { statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Asset } from "../../../shared/model/asset.ts";
import { inCi, isLong, share, turn } from "../../helpers/long.ts";
import { ffmpegPath, ffprobePath, make, probe, scratchFolder } from "../../helpers/media/media-tools.ts";
import { groups, unplaced } from "./cases.ts";
import { answerTo, faultOf, isNamed } from "./outcome.ts";

const hasTools = ffmpegPath !== undefined && ffprobePath !== undefined;
if (!hasTools) console.warn("Values of fields are not tried: there is no ffmpeg or no ffprobe");

/** Pictures and sound of some milliseconds, and a subtitle, as tapes have them. */
const makeSource = async (folder: string): Promise<Asset> => {
  const texts = join(folder, "in.srt");
  writeFileSync(texts, "1\n00:00:00,000 --> 00:00:00,080\nHello\n");
  const path = await make(
    join(folder, "in.mkv"),
    ...["-f", "lavfi", "-i", "testsrc2=size=720x576:rate=25:duration=0.08"],
    ...["-f", "lavfi", "-i", "sine=frequency=440:sample_rate=48000:duration=0.5", "-i", texts],
    ...["-map", "0", "-map", "1", "-map", "2", "-ac", "2", "-c:v", "ffv1", "-pix_fmt", "yuv422p", "-c:a", "pcm_s24le"],
    ...["-c:s", "srt", "-aspect", "4:3", "-colorspace", "bt470bg", "-color_primaries", "bt470bg"],
  );
  const { size, mtimeMs } = statSync(path);
  const facts = await probe(path);
  return { version: "src", files: [{ uri: pathToFileURL(path).href, facts, size, modified: Math.floor(mtimeMs) }] };
};

/** The job itself wants that some files fail. */
const asked = /^The muxer warns, and mux_warnings is as_errors/;

/** Each was wrong once. */
const always = /^(compliance of mov|video\.level of mpeg2|video\.color_trc of h264)$/;
const chosen = share(groups, ({ name }) => always.test(name), 40);

describe.skipIf(!hasTools)(`every name that a field may hold (MEDIAFARM_TURN=${turn})`, { timeout: 600_000 }, () => {
  const folder = scratchFolder();
  let source: Asset | undefined;
  const count = { made: 0, refused: 0 };

  beforeAll(async () => {
    source = await makeSource(folder.path);
  }, 120_000);
  afterAll(async () => {
    if (inCi) console.info(`${count.made} values made what ffprobe reads, ${count.refused} were refused by name`);
    await folder[Symbol.asyncDispose]();
  });

  test("there is a place for every codec", () => expect(unplaced).toEqual([]));

  test.each(chosen.map((group) => [group.name, group] as const))(
    "%s makes something that is read again, or is refused by field and value",
    async (_name, { cases }) => {
      const wrong: string[] = [];
      // Every name once is enough for fields of sixty: a third of them in `.ci/run`.
      for (const { value, path, payload } of share(cases, () => isLong || cases.length < 20, 3)) {
        if (!source) throw new Error("the source was not made");
        const answer = answerTo(payload, source, folder.path);
        if ("refusal" in answer) {
          count.refused += 1;
          if (!isNamed(answer.refusal, path, value)) wrong.push(`${value} is refused as: ${answer.refusal}`);
          continue;
        }
        const fault = await faultOf(answer.work, answer.payload, folder.path);
        if (fault === undefined || asked.test(fault)) count.made += 1;
        else wrong.push(`${value}: ${fault}`);
      }
      expect(wrong).toEqual([]);
    },
  );
});

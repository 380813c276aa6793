import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { isLong, share } from "../../helpers/long.ts";
import { ffmpegPath } from "../../helpers/media/media-tools.ts";
import { type SampleFarm, startSampleFarm } from "../../samples/farm.ts";
import { sentenceOf } from "../../samples/outcome.ts";
import { markdownOf, type Row } from "../../samples/report.ts";
import { runSample } from "../../samples/run-sample.ts";
import { hasSamples, sampleNames, samplesFolder } from "../../samples/samples.ts";

/** Sample jobs of the API family, sent as they are: a few here, all of them in `npm run long`. */
const missing = [
  ...(ffmpegPath === undefined ? ["there is no ffmpeg"] : []),
  ...(hasSamples ? [] : [`there are no samples at ${samplesFolder}; MEDIAFARM_SAMPLES names another folder`]),
];
const title = `sample jobs run as they are${missing.length > 0 ? ` (skipped: ${missing.join(", ")})` : ""}`;
if (missing.length > 0) console.warn(title);

const few = [
  "feature_examples/advanced_outputs/x265_parameters.json",
  "feature_examples/analysis/analyze_black_detection_plus_qc.json",
  "feature_examples/data_movement/copy_file.json",
  "format_examples/mp4/mp4_512x288_h264_800kbs.json",
];
const inTurn = [
  "feature_examples/audio/target_audio_mapping_6ch_and_2ch.json",
  "feature_examples/hybrik_json/source_captions_embedding_2_captions.json",
  "feature_examples/packaging/advanced_hls_packaging_captions.json",
];

describe.skipIf(missing.length > 0)(title, () => {
  let farm: SampleFarm;
  beforeAll(async () => {
    farm = await startSampleFarm();
  });
  afterAll(() => farm[Symbol.asyncDispose]());

  test.each([...few, ...share(inTurn, () => false, inTurn.length)])(
    "%s is completed, and what it made is what it asked for",
    async (name) => {
      expect(sentenceOf(await runSample(farm, name))).toMatch(/^completed, [1-9]\d* outputs? checked/);
    },
  );

  test.skipIf(!isLong)(
    "every sample is completed, or says in words what it lacks (only in npm run long)",
    async () => {
      const rows: Row[] = [];
      for (const sample of sampleNames()) {
        const begun = performance.now();
        const outcome = await runSample(farm, sample);
        rows.push({ sample, outcome, seconds: (performance.now() - begun) / 1000 });
      }
      console.info(markdownOf(rows));
      expect(
        rows.flatMap(({ sample, outcome }) => (outcome.kind === "failed" ? [[sample, outcome.faults]] : [])),
      ).toEqual([]);
    },
    3_600_000,
  );
});

import { writeFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Rational, toNumber } from "../../../shared/basics/rational.ts";
import { isLong } from "../../helpers/long.ts";
import { ffmpeg, probe } from "../../helpers/media/media-tools.ts";
import { brightnessAt, type SampleFarm, samplesMissing, startSampleFarm, toneAt } from "./sample-farm.ts";

/** Sample jobs about sources, stitching, trims and contents. */
const title = `samples of sources run as they are${samplesMissing.length > 0 ? ` (skipped: ${samplesMissing.join(", ")})` : ""}`;
if (samplesMissing.length > 0) console.warn(title);

let farm: SampleFarm;
const seconds = (value: Rational | undefined) => (value ? toNumber(value) : Number.NaN);

describe.skipIf(samplesMissing.length > 0)(title, () => {
  beforeAll(async () => {
    farm = await startSampleFarm();
    await farm.film("tears_of_steel_1080p.mov", { seconds: 2, tones: [[300, 400]] });
    await farm.film("tears_of_steel_italian_audio.mp4", { seconds: 2, tones: [[500, 600]] });
    await farm.film("tears_of_steel_1080p_4_track_audio.mov", { seconds: 2, tones: [[700], [800], [900], [1000]] });
    await farm.film("bars_and_tone_30sec_2.0.mp4", { seconds: 2, tones: [[1100, 1200]] });
  }, 120_000);
  afterAll(() => farm[Symbol.asyncDispose]());

  test("black and silence before and after a film", async () => {
    const name = "generated_black_silence_head_tail";
    const path = await farm.made(`feature_examples/stitch_and_trim/${name}.json`, `${name}.mp4`);
    const { video, audio } = await probe(path);
    expect(video[0]).toMatchObject({
      codec: "h264",
      width: 1920,
      height: 1080,
      frames: 96,
      frameRate: { num: 24, den: 1 },
    });
    expect([
      audio[0]?.channels,
      await toneAt(path, 0, 1, 0.2, 0.6),
      await toneAt(path, 0, 1, 1.2, 1.6),
      await toneAt(path, 0, 1, 3.2, 0.6),
    ]).toEqual([2, 0, 1200, 0]);
    const light = await Promise.all([0.5, 2, 3.5].map((at) => brightnessAt(path, at)));
    expect(light.map((each) => each > 20)).toEqual([false, true, false]);
  });

  test.skipIf(!isLong)("the sound of another file (only in npm run long)", async () => {
    const path = await farm.made(
      "feature_examples/audio/alternate_audio_tracks.json",
      "tears_of_steel_1080p_alt_language.mov",
    );
    const { video, audio } = await probe(path);
    expect(video[0]).toMatchObject({ codec: "prores", width: 1920, height: 1080, frames: 48 });
    expect(audio).toMatchObject([{ codec: "pcm_s16le", channels: 2, language: "ita" }]);
    expect(await toneAt(path, 0, 0)).toBe(500);
  });

  test("channels of two files as four tracks", async () => {
    const path = await farm.made(
      "feature_examples/audio/audio_source_mapping.json",
      "tears_of_steel_1080p_4_track_audio.mov",
    );
    const { audio } = await probe(path);
    expect(audio.map(({ channels, language }) => [channels, language])).toEqual([
      [1, "eng"],
      [1, "eng"],
      [1, "ita"],
      [1, "ita"],
    ]);
    expect(await Promise.all([0, 1, 2, 3].map((track) => toneAt(path, track, 0)))).toEqual([300, 400, 500, 600]);
  });

  test("tracks of a file as the channels of one", async () => {
    const path = await farm.made(
      "feature_examples/source_options/contents_array/hybrik_contents_array_audio_mapping_example_url.json",
      "contents_array_audio_mapping.mov",
    );
    const { video, audio } = await probe(path);
    expect([video.length, audio.length]).toEqual([0, 1]);
    expect(audio[0]).toMatchObject({
      codec: "pcm_s24le",
      channels: 2,
      sampleRate: 48_000,
      language: "eng",
      layout: "downmix",
    });
    expect([await toneAt(path, 0, 0), await toneAt(path, 0, 1)]).toEqual([900, 1000]);
  });

  test("a sequence whose second part has its sound from elsewhere", async () => {
    // The sample maps two tracks of one channel of the first part's file.
    await farm.film("tears_of_steel_1080p.mov", { seconds: 2, tones: [[300], [400]] });
    const path = await farm.made(
      "feature_examples/source_options/contents_array/hybrik_contents_array_stitched_sequence_example.json",
      "contents_array_stitched_sequence.mov",
    );
    const { video, audio } = await probe(path);
    expect(video[0]).toMatchObject({ codec: "h264", width: 960, height: 540, frames: 96 });
    expect(audio).toMatchObject([{ codec: "aac", channels: 2 }]);
    const left = [await toneAt(path, 0, 0, 0.2, 1.6), await toneAt(path, 0, 0, 2.2, 1.6)];
    expect([...left, await toneAt(path, 0, 1, 2.2, 1.6)]).toEqual([300, 900, 1000]);
    await farm.film("tears_of_steel_1080p.mov", { seconds: 2, tones: [[300, 400]] });
  });

  test("a sequence of two films of different makings", async () => {
    await farm.film("tears_of_steel_720p.mov", { seconds: 2, tones: [[350]] });
    const name = "asset_complex_example";
    const path = await farm.made("feature_examples/hybrik_json/source_asset_complex_sequence.json", `${name}.mp4`);
    const { video, audio } = await probe(path);
    expect(video[0]).toMatchObject({ codec: "h264", width: 1280, height: 720, frames: 96 });
    expect(audio).toMatchObject([{ codec: "aac", channels: 2, sampleRate: 44_100 }]);
    expect([await toneAt(path, 0, 0, 0.2, 1.6), await toneAt(path, 0, 1, 2.2, 1.6)]).toEqual([1100, 600]);
  });

  test("tracks of six and two channels, changed about", async () => {
    const six = [310, 320, 330, 340, 350, 360];
    await farm.film("TOS_spoken_1920x1080p24_2tk_ch_positions_5.1_2.0.mov", { seconds: 2, tones: [six, [370, 380]] });
    const sample = "feature_examples/audio/target_audio_mapping_6ch_and_2ch.json";
    const [stereo, both] = [
      await farm.made(sample, "target_C_2-channel.mov"),
      await farm.made(sample, "target_D_2-channel.mov"),
    ];
    expect((await probe(both)).audio.map(({ channels }) => channels)).toEqual([2, 6]);
    expect([await toneAt(stereo, 0, 1), await toneAt(both, 0, 0), await toneAt(both, 1, 2)]).toEqual([380, 370, 330]);
  });

  test.skipIf(!isLong)("an interleaved track as discrete ones (only in npm run long)", async () => {
    const six = [310, 320, 330, 340, 350, 360];
    await farm.film("meridian_1920x1080p59.94_h264_audio-2tk_5.1_LtRt.mov", { seconds: 2, tones: [six, [370, 380]] });
    const name = "source_audio_interleaved_to_discrete_mapping_example";
    const path = await farm.made(`feature_examples/audio/${name}.json`, `${name}_with_designators.mov`);
    const { video, audio } = await probe(path);
    expect(video[0]).toMatchObject({ codec: "prores", width: 1280, height: 720, frames: 48 });
    expect(audio.map(({ channels }) => channels)).toEqual([1, 1, 1, 1, 1, 1, 2]);
    expect(await Promise.all([0, 1, 2, 3, 4, 5].map((track) => toneAt(path, track, 0)))).toEqual(six);
  });

  test("tracks that get names and designators", async () => {
    const six = [310, 320, 330, 340, 350, 360];
    await farm.film("tears_of_steel_720p_surround_audio.mp4", { seconds: 2, tones: [[370, 380], six] });
    const path = await farm.made(
      "feature_examples/audio/audio_track_name_channel_designator.json",
      "audio_track_names_and_channel_designators.mov",
    );
    const { video, audio } = await probe(path);
    expect(video[0]).toMatchObject({ codec: "prores", width: 960, height: 540, frames: 48 });
    expect(audio.map(({ channels }) => channels)).toEqual([2, 6]);
    expect([await toneAt(path, 0, 1), await toneAt(path, 1, 5)]).toEqual([380, 360]);
  });

  test("an IMF composition", async () => {
    const folder = "TOS_hd_imf";
    const film = ["-f", "lavfi", "-i", "testsrc2=size=320x180:rate=24:duration=2"];
    await ffmpeg(["-v", "error", "-y", ...film, "-c:v", "mpeg2video", "-g", "1", farm.source(`${folder}/v.mxf`)]);
    const tone = ["-f", "lavfi", "-i", "sine=frequency=500:sample_rate=48000:duration=2"];
    await ffmpeg([
      "-v",
      "error",
      "-y",
      ...tone,
      "-c:a",
      "pcm_s24le",
      "-f",
      "mxf_opatom",
      farm.source(`${folder}/a.mxf`),
    ]);
    writeFileSync(farm.source(`${folder}/ASSETMAP.xml`), assetMap);
    writeFileSync(farm.source(`${folder}/CPL_15c3fd8a-d86d-42be-ae58-e2fa0120a13a.xml`), composition);
    const path = await farm.made("feature_examples/hybrik_json/source_imf_cpl.json", "source_imf_example.mp4");
    const { video, audio } = await probe(path);
    expect(video[0]).toMatchObject({ codec: "h264", width: 1280, height: 720, frames: 36 });
    expect([audio[0]?.sampleRate, await toneAt(path, 0, 0, 0.2, 1)]).toEqual([44_100, 500]);
  });

  test.skipIf(!isLong)("a part by timecode, counted from the start (only in npm run long)", async () => {
    await farm.film("tears_of_steel_1080p.mov", { seconds: 61, tones: [[300, 400]] });
    const name = "trim_by_timecode";
    const path = await farm.made(`feature_examples/stitch_and_trim/${name}.json`, `${name}.mp4`);
    const { video, audio } = await probe(path);
    expect(video[0]).toMatchObject({ codec: "h264", width: 720, height: 480, frames: 720 });
    expect(Math.abs(seconds(audio[0]?.duration) - 30)).toBeLessThan(0.05);
  });

  test.skipIf(!isLong)("a part by the film's own timecode (only in npm run long)", async () => {
    const source = "TOS_spoken_1920x1080p24_1tk_ch_positions_5.1_1hour_start.mov";
    await farm.film(source, {
      seconds: 151,
      tones: [[310, 320, 330, 340, 350, 360]],
      more: ["-timecode", "01:00:00:00"],
    });
    const name = "trim_by_source_asset_timecode";
    const path = await farm.made(`feature_examples/stitch_and_trim/${name}.json`, `${name}.mp4`);
    const { video, audio } = await probe(path);
    expect(video[0]).toMatchObject({ codec: "h264", width: 720, height: 480, frames: 1440 });
    expect(Math.abs(seconds(audio[0]?.duration) - 60)).toBeLessThan(0.05);
  });
});

const asset = (id: string) =>
  `<Asset><Id>urn:uuid:${id}</Id><ChunkList><Chunk><Path>${id}.mxf</Path></Chunk></ChunkList></Asset>`;
const assetMap = `<?xml version="1.0"?><AssetMap><AssetList>${asset("v")}${asset("a")}</AssetList></AssetMap>`;

const resource = (id: string, rate: string, fields: readonly [number, number, number]) =>
  `<Resource><EditRate>${rate}</EditRate><IntrinsicDuration>${fields[0]}</IntrinsicDuration><EntryPoint>${fields[1]}</EntryPoint>
   <SourceDuration>${fields[2]}</SourceDuration><TrackFileId>urn:uuid:${id}</TrackFileId></Resource>`;
const composition = `<?xml version="1.0"?><CompositionPlaylist><EditRate>24 1</EditRate><SegmentList><Segment><SequenceList>
  <MainImageSequence><ResourceList>${resource("v", "24 1", [48, 12, 36])}</ResourceList></MainImageSequence>
  <MainAudioSequence><ResourceList>${resource("a", "48000 1", [96_000, 24_000, 72_000])}</ResourceList></MainAudioSequence>
  </SequenceList></Segment></SegmentList></CompositionPlaylist>`;

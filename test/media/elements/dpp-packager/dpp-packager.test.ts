import { describe, expect, test } from "vitest";
import type { PlanContext } from "../../../../media/elements/element.ts";
import { elementOf } from "../../../../media/elements/index.ts";
import { ratio } from "../../../../shared/basics/rational.ts";
import type { MediaFacts } from "../../../../shared/model/asset.ts";
import { TaskError } from "../../../../shared/model/failure.ts";

const element = elementOf("dpp_packager");
if (!element) throw new Error("there is no dpp_packager");

const time = { timeBase: ratio(1, 25), duration: ratio(180) };
const hd: MediaFacts = {
  ...{ format: "mxf", size: 1, timecode: "09:58:00:00", duration: ratio(180), others: [] },
  video: [
    {
      ...{ ...time, index: 0, codec: "h264", profile: "High 4:2:2 Intra", pixelFormat: "yuv422p10le" },
      ...{ width: 1920, height: 1080, frameRate: ratio(25), fieldOrder: "tt" },
    },
  ],
  audio: [1, 2].map((index) => ({ ...time, index, codec: "pcm_s24le", channels: 2, sampleRate: 48_000 })),
};

/** Everything that a programme must say of itself. */
const metadata = {
  editorial: {
    ...{ series_title: "Rivers & Hills", programme_title: "The <Thames>", episode_title_number: "1" },
    ...{ production_number: "ABC123", synopsis: "A river.", originator: "Studio", copyright_year: "2026" },
  },
  video: { afd: 10, picture_ratio: "16:9", three_d: false, product_placement: false, pse_pass: "Not tested" },
  audio: {
    ...{ audio_track_layout: "EBU R 123: 4b", primary_audio_language: "eng", audio_loudness_standard: "EBU R 128" },
  },
  timecodes: { line_up_start: "09:58:00:00", ident_clock_start: "09:59:30:00" },
  access_services: {
    ...{ audio_description_present: false, closed_captions_present: false, open_captions_present: false },
    signing_present: "No",
  },
  additional: { completion_date: "2026-11-01", textless_elements_exist: false, programme_has_text: false },
  contact_information: { contact_email: "post@studio.example", contact_telephone_number: "+44 20 0000" },
};

const payload = { location: { path: "/out" }, metadata };

const contextOf = (written: object, facts: MediaFacts = hd): PlanContext<unknown> => ({
  ...{ uid: "dpp", payload: element.payload.parse(written), job: { id: 7, name: "Delivery" } },
  inputs: [{ version: "mxf", files: [{ uri: "file:///in/film.mxf", facts }] }],
  factsOf: () => undefined,
});

const compiled = (written: object, facts: MediaFacts = hd) => {
  const context = contextOf(written, facts);
  const plan = element.plan(context);
  if (!("tasks" in plan) || !plan.tasks[0]) throw new Error("nothing was planned");
  return { requires: plan.tasks[0].requires, work: element.compile(plan.tasks[0], context) };
};

const problem = (written: object, facts: MediaFacts = hd): string => {
  try {
    compiled(written, facts);
    return "no problem";
  } catch (error) {
    return error instanceof TaskError ? `${error.failure.cause}: ${error.message}` : String(error);
  }
};

/** The payload with fields of one group of the metadata changed; undefined takes one away. */
const saying = (group: keyof typeof metadata, fields: object) => ({
  ...payload,
  metadata: { ...metadata, [group]: { ...metadata[group], ...fields } },
});

test("the picture is wrapped as it is, and each channel of sound gets a track of its own", () => {
  const { requires, work } = compiled(payload);
  expect(requires).toEqual(["ffmpeg", "muxer:mxf", "encoder:pcm_s24le", "filter:pan"]);
  const [wrap, sidecar] = work.steps;
  const graph = [1, 2]
    .flatMap((track) => [0, 1].map((channel) => `[0:${track}]pan=args=mono|c0=c${channel}[s${track}c${channel}]`))
    .join(";");
  const argv = wrap?.do === "ffmpeg" ? wrap.argv : [];
  expect(argv.slice(argv.indexOf("-filter_complex"))).toEqual([
    ...["-filter_complex", graph, "-map", "0:0", "-map", "[s1c0]", "-map", "[s1c1]", "-map", "[s2c0]"],
    ...["-map", "[s2c1]", "-c:v", "copy", "-c:a", "pcm_s24le", "-map_metadata", "-1"],
    ...["-timecode", "09:58:00:00", "-f", "mxf", { out: "mxf" }],
  ]);
  const sound = { codec: "pcm_s24le", channels: 1 };
  expect(work.outputs).toEqual({
    mxf: {
      ...{ version: "dpp", folder: "file:///out", name: "film.mxf", isSequence: false, existing: "fail" },
      expect: { video: { codec: "h264" }, audio: [sound, sound, sound, sound], timecode: "09:58:00:00" },
    },
    xml: { version: "dpp_sidecar", folder: "file:///out", name: "film.xml", isSequence: false, existing: "fail" },
  });
  expect(sidecar).toMatchObject({ do: "sidecar", of: "mxf", to: "xml" });
});

test("the sidecar says what people said, what the file is, and where its checksum goes", () => {
  const [, step] = compiled(payload).work.steps;
  if (step?.do !== "sidecar") throw new Error("there is no sidecar");
  expect(`${step.before}CHECKSUM${step.after}`).toMatchInlineSnapshot(`
    "<?xml version="1.0" encoding="UTF-8"?>
    <Programme xmlns="http://www.digitalproductionpartnership.co.uk/ns/as11/2013">
      <Editorial>
        <SeriesTitle>Rivers &amp; Hills</SeriesTitle>
        <ProgrammeTitle>The &lt;Thames&gt;</ProgrammeTitle>
        <EpisodeTitleNumber>1</EpisodeTitleNumber>
        <ProductionNumber>ABC123</ProductionNumber>
        <Synopsis>A river.</Synopsis>
        <Originator>Studio</Originator>
        <CopyrightYear>2026</CopyrightYear>
      </Editorial>
      <Technical>
        <ShimName>UK DPP HD</ShimName>
        <ShimVersion>1.1</ShimVersion>
        <Video>
          <VideoBitRate unit="Mbps">100</VideoBitRate>
          <VideoCodec>AVC-Intra 100</VideoCodec>
          <VideoCodecParameters>High 4:2:2 Intra@L4.1</VideoCodecParameters>
          <PictureFormat>1080i50 16:9</PictureFormat>
          <AFD>10</AFD>
          <PictureRatio>16:9 (1.78:1)</PictureRatio>
          <ThreeD>false</ThreeD>
          <ProductPlacement>false</ProductPlacement>
          <PSEPass>Not tested</PSEPass>
        </Video>
        <Audio>
          <AudioSamplingFrequency unit="kHz">48</AudioSamplingFrequency>
          <AudioBitDepth>24</AudioBitDepth>
          <AudioCodecParameters>PCM</AudioCodecParameters>
          <AudioTrackLayout>EBU R 123: 4b</AudioTrackLayout>
          <PrimaryAudioLanguage>eng</PrimaryAudioLanguage>
          <AudioLoudnessStandard>EBU R 128</AudioLoudnessStandard>
        </Audio>
        <Timecodes>
          <LineUpStart>09:58:00:00</LineUpStart>
          <IdentClockStart>09:59:30:00</IdentClockStart>
          <Parts>
            <Part>
              <PartNumber>1</PartNumber>
              <PartTotal>1</PartTotal>
              <PartSOM>10:00:00:00</PartSOM>
              <PartDuration>00:01:00:00</PartDuration>
            </Part>
          </Parts>
          <TotalNumberOfParts>1</TotalNumberOfParts>
          <TotalProgrammeDuration>00:01:00:00</TotalProgrammeDuration>
        </Timecodes>
        <AccessServices>
          <AudioDescriptionPresent>false</AudioDescriptionPresent>
          <ClosedCaptionsPresent>false</ClosedCaptionsPresent>
          <OpenCaptionsPresent>false</OpenCaptionsPresent>
          <SigningPresent>No</SigningPresent>
        </AccessServices>
        <Additional>
          <CompletionDate>2026-11-01</CompletionDate>
          <TextlessElementsExist>false</TextlessElementsExist>
          <ProgrammeHasText>false</ProgrammeHasText>
          <AssociatedMediaFilename>film.mxf</AssociatedMediaFilename>
          <MediaChecksumType>MD5</MediaChecksumType>
          <MediaChecksumValue>CHECKSUM</MediaChecksumValue>
        </Additional>
        <ContactInformation>
          <ContactEmail>post@studio.example</ContactEmail>
          <ContactTelephoneNumber>+44 20 0000</ContactTelephoneNumber>
        </ContactInformation>
      </Technical>
    </Programme>
    "
  `);
});

test("the part of a programme begins at ten o'clock and lasts to the end of the file, unless parts are named", () => {
  const text = (written: object) => {
    const [, step] = compiled(written).work.steps;
    return step?.do === "sidecar" ? step.before : "";
  };
  const parts = [
    { part_number: 1, part_total: 2, part_som: "10:00:00:00", part_duration: "00:00:20:00" },
    { part_number: 2, part_total: 2, part_som: "10:00:30:00", part_duration: "00:00:10:05" },
  ];
  expect(text(payload)).toContain("<PartDuration>00:01:00:00</PartDuration>");
  expect(text(saying("timecodes", { parts }))).toContain(
    "<TotalProgrammeDuration>00:00:30:05</TotalProgrammeDuration>",
  );
});

describe("what breaks a rule of the delivery is refused:", () => {
  const withVideo = (fields: object): MediaFacts => ({
    ...hd,
    video: hd.video.map((each) => ({ ...each, ...fields })),
  });
  const part = { part_number: 1, part_total: 1, part_som: "10:00:00:00", part_duration: "00:00:10:00" };
  const late = { ...part, part_number: 2, part_som: "10:00:10:10" };
  test.each<[string, object, MediaFacts?]>([
    ["the picture's profile is High, UK DPP HD has High 4:2:2 Intra", payload, withVideo({ profile: "High" })],
    ["the picture has 29.97 frames a second", payload, withVideo({ frameRate: ratio(2997, 100) })],
    ["the picture is progressive, UK DPP HD is interlaced", payload, withVideo({ fieldOrder: "progressive" })],
    ["the picture's width is 1280", payload, withVideo({ width: 1280 })],
    ["there are 2 channels of sound, UK DPP HD has 4 or 16", payload, { ...hd, audio: hd.audio.slice(1) }],
    ["audio track 0 is aac", payload, { ...hd, audio: hd.audio.map((each) => ({ ...each, codec: "aac" })) }],
    ["the picture's codec is h264, UK DPP SD has mpeg2video", { ...payload, schema: "uk_dpp_sd" }],
    ["metadata.editorial.synopsis is missing", saying("editorial", { synopsis: undefined })],
    [
      "metadata.video.three_d_type is missing, though metadata.video.three_d is true",
      saying("video", { three_d: true }),
    ],
    ["metadata.video.pse_version is said, though", saying("video", { pse_version: "3" })],
    ["afd is 9, a picture of 16:9 has 10 or 14", saying("video", { afd: 9 })],
    ['"EBU R 123: 16c" does not fit 4 channels', saying("audio", { audio_track_layout: "EBU R 123: 16c" })],
    ["names a language twice", saying("audio", { secondary_audio_language: "eng" })],
    ["other_identifier_type belong together", saying("editorial", { other_identifier: "X1" })],
    ["must begin in this order", saying("timecodes", { line_up_start: "09:57:00:00" })],
    [
      "part 1 begins at 10:00:01:00, not at 10:00:00:00",
      saying("timecodes", { parts: [{ ...part, part_som: "10:00:01:00" }] }),
    ],
    ["part 1 ends behind the file", saying("timecodes", { parts: [{ ...part, part_duration: "00:02:00:00" }] })],
    ["part 2 begins less than a second after", saying("timecodes", { parts: [part, { ...late, part_total: 2 }] })],
    ["which is not the sum of its parts", saying("timecodes", { total_programme_duration: "00:00:01:00" })],
  ])("%s", (message, written, facts) => expect(problem(written, facts)).toContain(message));
});

test("skipped validation makes a note of every broken rule", () => {
  const options = { skip_validation: true };
  const { work } = compiled({ location: payload.location, metadata: { editorial: {} }, options });
  expect(work.notes).toContain("validation was skipped: metadata.video.afd is missing");
});

test("what cannot be done is refused by its field", () => {
  expect(problem({ ...payload, embed_metadata: true })).toContain(
    "capability: dpp.payload.embed_metadata needs a tool",
  );
  expect(problem({ ...payload, metadata: { url: "s3://b/x.xml" } })).toContain(
    "dpp.payload.metadata.url: metadata in a file",
  );
  expect(problem({ ...payload, existing_files: "rename_new" })).toContain("contradicts the sidecar");
});

test("an excerpt and several files are refused: the packager wraps whole files", () => {
  const context = contextOf(payload);
  const [asset] = context.inputs;
  if (!asset) throw new Error("there is no input");
  const plan = (inputs: PlanContext<unknown>["inputs"]) => () => element.plan({ ...context, inputs });
  expect(plan([{ ...asset, range: { from: ratio(1) } }])).toThrow(
    "dpp takes whole files, and film.mxf is cut: transcode it first",
  );
  expect(plan([asset, asset])).toThrow("several came in");
  expect(plan([])).toThrow("no element feeds it a file");
});

test("sources are deleted where the payload asks for it, and metadata without a sidecar is named as idle", () => {
  const { work } = compiled({ ...payload, sidecar: false, options: { delete_sources: true } });
  expect(work.after).toEqual([{ do: "delete", id: "delete_sources", files: [{ uri: "file:///in/film.mxf" }] }]);
  expect(work.notes).toContain("dpp.payload.metadata has no effect: no sidecar is written, and the MXF takes none");
  expect(Object.keys(work.outputs)).toEqual(["mxf"]);
});

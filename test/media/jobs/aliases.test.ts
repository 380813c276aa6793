import { expect, test } from "vitest";
import { normaliseAliases, pathAsSent } from "../../../media/jobs/aliases.ts";
import { parseJob } from "../../../media/jobs/parse-job.ts";
import { AppError } from "../../../shared/basics/errors.ts";
import { aJob, aSource } from "../../helpers/farm/farm.ts";

const aTarget = (target: object) => ({
  payload: { elements: [{ uid: "t", kind: "transcode", payload: { targets: [target] } }] },
});
const read = (target: object) => {
  const { payload } = normaliseAliases(aTarget(target)) as ReturnType<typeof aTarget>; // its shape stays
  return payload.elements[0]?.payload.targets[0];
};

test("fields are read in the spelling of the specification", () => {
  const target = { ffmpeg_args: "-a", ffmpeg_args_compliance: "strict", hybrik_encoder_args: "-b", mp4box_args: "-c" };
  expect(read(target)).toEqual({
    ...{ extenc_args: "-a", extenc_args_compliance: "strict", service_encoder_args: "-b", boxtool_args: "-c" },
  });
  const mux = { mainconcept_mux_profile: "DVD", mainconcept_mux_options: "a=b", segment_duration: "6" };
  expect(read({ container: mux })).toEqual({
    container: { thirdparty_mux_profile: "DVD", thirdparty_mux_options: "a=b", segment_duration_sec: "6" },
  });
});

test("the longer of two words that begin alike is never read as the shorter", () => {
  const audio = [
    { dolby_digital: { dialnorm: -31 }, dolby_digital_plus: { dolby_digital_surround_ex_mode: "enabled" } },
  ];
  expect(read({ audio })).toEqual({
    audio: [{ vendor_digital: { dialnorm: -31 }, vendor_digital_plus: { vendor_digital_surround_ex_mode: "enabled" } }],
  });
});

test("values in their places", () => {
  const audio = ["dolby_digital", "dolby_digital_plus"].map((codec) => ({ codec, codec_provider: "hybrik" }));
  const video = { codec_provider: "mainconcept_v10", filters: [{ kind: "ffmpeg", payload: { ffmpeg_filter: "x" } }] };
  expect(read({ audio, video })).toEqual({
    audio: [
      { codec: "vendor_digital", codec_provider: "the service" },
      { codec: "vendor_digital_plus", codec_provider: "the service" },
    ],
    video: { codec_provider: "thirdparty_v10", filters: [{ kind: "extenc", payload: { extenc_filter: "x" } }] },
  });
  expect(normaliseAliases({ schema: "hybrik" })).toEqual({ schema: "service" });
  expect(normaliseAliases({ schema: "rhozet" })).toEqual({ schema: "thirdparty" });
});

test("words elsewhere are words", () => {
  const job = {
    ...{ name: "hybrik", user_tag: "rhozet", user_data: { dplc: 1 }, definitions: { ffmpeg_args: "x" } },
    ...aTarget({ file_pattern: "dolby_digital", location: { attributes: [{ name: "ffmpeg", value: "hybrik" }] } }),
  };
  expect(normaliseAliases(job)).toEqual(job);
});

test("a field that stands in both spellings keeps both, and the other one has no effect", () => {
  expect(read({ ffmpeg_args: "-a", extenc_args: "-b" })).toEqual({ ffmpeg_args: "-a", extenc_args: "-b" });
});

test("faults and warnings are told by the path that was sent", () => {
  const audio = [{ codec: "dolby_digital_plus", dolby_digital_plus: { dialnorm: 5, mood: 1 } }];
  const job = aJob(aTarget({ audio }));
  expect(() => parseJob(job)).toThrow(AppError);
  expect(() => parseJob(job)).toThrow("targets[0].audio[0].dolby_digital_plus.dialnorm: must be at most -1, not 5");
  const good = aTarget({ audio: [{ codec: "dolby_digital_plus", dolby_digital_plus: { mood: 1 } }] });
  expect(parseJob(aJob(good)).warnings).toEqual([
    "payload.elements[0].payload.targets[0].audio[0].dolby_digital_plus.mood is not known and has no effect",
  ]);
  expect(pathAsSent({ a: [{ max_refs: 1 }] }, ["a", 0, "refs"])).toEqual(["a", 0, "refs"]);
  expect(pathAsSent({ video: { max_refs: 1 } }, ["video", "refs"])).toEqual(["video", "max_refs"]);
});

test("__proto__ is a field like any other", () => {
  const job = JSON.parse('{"payload":{"__proto__":{"ffmpeg_args":"x"},"elements":[]}}');
  expect(JSON.stringify(normaliseAliases(job))).toBe('{"payload":{"__proto__":{"extenc_args":"x"},"elements":[]}}');
  expect(
    parseJob(aJob({ payload: { ...job.payload, elements: [aSource()], constructor: 1 } as object })).warnings,
  ).toBeDefined();
});

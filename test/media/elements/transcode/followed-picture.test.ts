import { expect, test } from "vitest";
import { elementOf } from "../../../../media/elements/index.ts";
import { beginOf } from "../../../../media/elements/transcode/subtitles/candidates.ts";
import { ratio } from "../../../../shared/basics/rational.ts";
import type { MediaFacts } from "../../../../shared/model/asset.ts";
import { aPicture, aSound } from "../../../helpers/media/transcode-words.ts";

const six = { start: ratio(0), duration: ratio(6) };
const common = { ...six, size: 9, others: [] };
const film: MediaFacts = { ...common, format: "mov", video: [aPicture({ ...six, frames: 150 })], audio: [] };
const sound: MediaFacts = { ...common, format: "wav", video: [], audio: [aSound({ ...six, index: 0 })] };

/** The part that is used of a sound of six seconds, beside a film of six that is cut like this. */
const rangeBeside = (picture: object | undefined, trim: object) => {
  const component = (name: string, kind: string, cut: object | undefined) => ({
    ...{ kind: "name", name, contents: [{ kind }], ...(cut && { trim: cut }) },
  });
  const asset_components = [component("a.mov", "video", picture), component("a.wav", "audio", trim)];
  const version = { location: { path: "/in" }, asset_components };
  const source = elementOf("source");
  const payload = source?.payload.parse({ kind: "asset_complex", payload: { asset_versions: [version] } });
  const plan = source?.plan({
    ...{ uid: "src", payload, job: { id: 1, name: "j" }, inputs: [] },
    factsOf: (uri) => ({ size: 9, modified: 5, facts: uri.endsWith("mov") ? film : sound }),
  });
  const [asset] = plan && "assets" in plan ? (plan.assets ?? []) : [];
  const range = asset?.sections?.[0]?.parts[1]?.range;
  return range && [range.from, range.to].map((time) => time && time.num / time.den);
};

test("sound that follows a picture to its ends follows what is left of it", () => {
  const ends = { inpoint: "track_begin", outpoint: "track_end", reference_media_track: "video" };
  expect(rangeBeside(undefined, ends)).toEqual([0, 6]);
  expect(rangeBeside({ outpoint_sec: 3 }, ends)).toEqual([0, 3]);
  expect(rangeBeside({ inpoint_sec: 1, duration_sec: 3 }, ends)).toEqual([1, 4]);
  expect(rangeBeside({ inpoint_sec: 2 }, { ...ends, outpoint: undefined })).toEqual([2, undefined]);
});

test("sound that counts frames counts those of the whole picture", () => {
  expect(rangeBeside({ inpoint_sec: 2 }, { inpoint_frame: 25 })).toEqual([1, undefined]);
});

test("the texts of a version that is played after others begin with it", () => {
  const names = [["a.mov"], ["b.mov", "b.srt"]];
  const asset_versions = names.map((each) => ({
    location: { path: "/in" },
    asset_components: each.map((name) => ({
      kind: "name",
      name,
      ...(name === "a.mov" && { trim: { outpoint_sec: 2 } }),
    })),
  }));
  const source = elementOf("source");
  const payload = source?.payload.parse({ kind: "asset_complex", payload: { asset_versions } });
  const plan = source?.plan({
    ...{ uid: "src", payload, job: { id: 1, name: "j" }, inputs: [] },
    factsOf: () => ({ size: 9, modified: 5, facts: film }),
  });
  const [asset] = plan && "assets" in plan ? (plan.assets ?? []) : [];
  const [text] = asset?.sidecars ?? [];
  expect(text).toMatchObject({ uri: "file:///in/b.srt", beginSec: 2 });
  expect(text && beginOf(text, { timecode: undefined, video: undefined, start: 0.5 })).toEqual({ begin: -1500 });
});

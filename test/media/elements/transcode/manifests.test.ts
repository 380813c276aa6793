import { expect, test } from "vitest";
import type { PlanContext } from "../../../../media/elements/element.ts";
import { elementOf } from "../../../../media/elements/index.ts";
import { ratio } from "../../../../shared/basics/rational.ts";
import type { Asset, MediaFacts } from "../../../../shared/model/asset.ts";
import { TaskError } from "../../../../shared/model/failure.ts";

const element = elementOf("transcode");
if (!element) throw new Error("there is no transcode");

const times = { timeBase: ratio(1, 1000), start: ratio(0), duration: ratio(4) };
const facts: MediaFacts = {
  ...{ format: "matroska,webm", start: ratio(0), duration: ratio(4), size: 1000, others: [] },
  video: [{ ...times, index: 0, codec: "ffv1", width: 320, height: 180, pixelFormat: "yuv420p", frameRate: ratio(25) }],
  audio: [{ ...times, index: 1, codec: "flac", channels: 2, sampleRate: 48_000 }],
};
const inputs: Asset[] = [{ version: "src", files: [{ uri: "file:///in/film.mkv", facts }] }];

const picture = (more: object = {}) => ({
  ...{ file_pattern: "v.mp4", manifest_uids: ["m"], container: { kind: "fmp4" }, video: { codec: "h264" } },
  ...more,
});
const sound = {
  ...{ file_pattern: "a.mp4", manifest_uids: ["m"], container: { kind: "fmp4" }, location: { path: "/snd" } },
  audio: [{ codec: "aac", language: "eng", layer_id: "stereo" }],
};

const contextFor = (payload: object): PlanContext<unknown> => ({
  ...{ uid: "tc", payload: element.payload.parse({ location: { path: "/out" }, ...payload }) },
  ...{ job: { id: 7, name: "j" }, inputs, factsOf: () => undefined },
});
const planned = (payload: object) => {
  const plan = element.plan(contextFor(payload));
  if (!("tasks" in plan) || "stage" in plan) throw new Error("facts are missing");
  return plan;
};
const compiled = (payload: object) => {
  const [task] = planned(payload).tasks;
  if (!task) throw new Error("nothing was planned");
  return element.compile(task, contextFor(payload));
};
const problem = (payload: object): string => {
  try {
    planned(payload);
    return "no problem";
  } catch (error) {
    return error instanceof TaskError ? `${error.failure.cause}: ${error.message}` : String(error);
  }
};

test("manifests are described from the targets that name them, and shown after them", () => {
  const manifests = [{ uid: "m", kind: "hls", location: { path: "/out/lists" } }];
  const { outputs, steps } = compiled({ targets: [picture(), sound], manifests });
  expect(Object.entries(outputs).map(([id, { version, folder, name }]) => [id, version, `${folder}/${name}`])).toEqual([
    ["t0", "target_0", "file:///out/v.mp4"],
    ["t1", "target_1", "file:///snd/a.mp4"],
    ["manifest_0_v.m3u8", "m_playlists", "file:///out/lists/v.m3u8"],
    ["manifest_0_a.m3u8", "m_playlists", "file:///out/lists/a.m3u8"],
    ["manifest_0", "m", "file:///out/lists/film.m3u8"],
  ]);
  const fragments = { layout: "fragments" };
  expect(steps.slice(-2)).toEqual([
    {
      ...{ do: "describe_media", id: "describe_0" },
      media: [
        {
          ...{ ...fragments, from: { out: "t0" }, kind: "video", playlist: "v.m3u8", set: "video\nh264\n" },
          ...{ hlsUrl: "../v.mp4", dashUrl: "../v.mp4" },
        },
        {
          ...{ ...fragments, from: { out: "t1" }, kind: "audio", playlist: "a.m3u8", set: "audio\nstereo\neng\n\n" },
          ...{ hlsUrl: "../../snd/a.mp4", dashUrl: "../../snd/a.mp4", language: "eng" },
        },
      ],
      master: {
        name: "manifest_0.m3u8",
        recipe: {
          variants: [{ playlist: "v.m3u8", codecs: [], audio: ["stereo"] }],
          renditions: [
            {
              ...{ type: "AUDIO", group: "stereo", name: "eng", language: "eng", isDefault: true, playlist: "a.m3u8" },
            },
          ],
          ...{ captions: [], iframes: [], version: 6 },
        },
      },
    },
    {
      ...{ do: "place", id: "place_0", moves: [] },
      manifests: [
        { from: "v.m3u8", to: "manifest_0_v.m3u8", rewriting: { as: "hls" } },
        { from: "a.m3u8", to: "manifest_0_a.m3u8", rewriting: { as: "hls" } },
        { from: "manifest_0.m3u8", to: "manifest_0", rewriting: { as: "hls" } },
      ],
    },
  ]);
});

test("the segments of a numbered target are listed by the muxer that cuts them", () => {
  const numbered = picture({ container: { kind: "segmented_ts" }, file_pattern: "s_%03d.ts" });
  const { steps } = compiled({ targets: [numbered], manifests: [{ uid: "m" }] });
  const [cut, pace, describe] = steps;
  expect(pace).toMatchObject({ do: "pace_transport", form: "segments" });
  const words = cut?.do === "ffmpeg" ? cut.argv : [];
  expect(words[words.indexOf("-segment_list") + 1]).toEqual({ scratch: "t0_list" });
  expect(describe?.do === "describe_media" && describe.media).toMatchObject([
    { layout: "segments", list: "t0_list", playlist: "s.m3u8", hlsUrl: "" },
  ]);
});

test("a manifest whose targets are all left out is not made, and the job is told", () => {
  const small = picture({
    file_pattern: "w.mp4",
    manifest_uids: ["n"],
    include_conditions: ["source.video.height > 500"],
  });
  const plan = planned({ targets: [picture(), small], manifests: [{ uid: "m" }, { uid: "n" }] });
  expect(plan.warnings).toContain("tc.payload.manifests[1] is not made: conditions leave out all of its targets");
});

test("targets of a transcode without manifests may name those of a package, which changes nothing", () => {
  const plan = planned({ targets: [picture({ container: { kind: "mp4" } })] });
  expect(plan.warnings).toEqual([
    "tc.payload.targets[0].manifest_uids has no effect: the transcode has no manifests of its own",
  ]);
});

const m = [{ uid: "m" }];
test.each<[string, object]>([
  [
    'definition: tc.payload.targets[0].manifest_uids names "m", which tc.payload.manifests does not have',
    { manifests: [] },
  ],
  ["definition: tc.payload.manifests[1] has no targets", { manifests: [...m, { uid: "n" }] }],
  ['definition: tc.payload.manifests[1].uid "m" is the uid of another manifest too', { manifests: [...m, ...m] }],
  [
    'capability: tc.payload.manifests[0].kind "smooth" is not implemented: use a package',
    { manifests: [{ uid: "m", kind: "smooth" }] },
  ],
  [
    'capability: tc.payload.targets[0].manifest_uids is not implemented for container "mp4": use fmp4',
    { manifests: m, targets: [picture({ container: { kind: "mp4" } })] },
  ],
  [
    'definition: tc.payload.targets[0].existing_files "rename_new" contradicts manifest_uids',
    { manifests: m, targets: [picture({ existing_files: "rename_new" })] },
  ],
  [
    "definition: tc.payload.manifests[0] would name s_%05d.ts, and DASH does not play transport streams",
    {
      manifests: [{ uid: "m", kind: "dash" }],
      targets: [picture({ container: { kind: "segmented_ts" }, file_pattern: "s.ts" })],
    },
  ],
  [
    "definition: tc.payload.manifests[0] would name v.mp4, which has several streams",
    { manifests: [{ uid: "m", kind: "dash" }], targets: [picture({ audio: [{ codec: "aac" }] })] },
  ],
])("%s", (message, payload) => {
  expect(problem({ targets: [picture()], ...payload })).toContain(message);
});

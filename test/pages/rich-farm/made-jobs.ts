import { ratio } from "../../../shared/basics/rational.ts";
import type { MediaFacts } from "../../../shared/model/asset.ts";
import type { ElementJson, Job } from "../../helpers/farm/job-builders.ts";

const projects = "/mnt/projects";
const place = (path: string) => ({ storage_provider: "file", path: `${projects}/${path}` });

const target = (more: object = {}) => ({
  ...{ file_pattern: "{source_basename}_v03.mp4", existing_files: "replace", container: { kind: "mp4" } },
  video: { codec: "h264", width: 1920, height: 1080, preset: "slow", bitrate_kb: 12_000 },
  audio: [{ codec: "aac_lc", channels: 2, bitrate_kb: 256 }],
  ...more,
});
const source = (slug: string): ElementJson => ({
  ...{ uid: "source", kind: "source" },
  payload: { kind: "asset_url", payload: { storage_provider: "file", url: `${projects}/${slug}/${slug}.mov` } },
});
const clips = (slug: string, count: number): ElementJson => ({
  ...{ uid: "clips", kind: "folder_enum" },
  payload: { source: place(`${slug}/${count}`), settings: { wildcard: "*.mov", files_per_job: 1 } },
});
const transcode = (slug: string, uid = "transcode", more: object = {}): ElementJson => ({
  ...{ uid, kind: "transcode" },
  payload: { location: place(`${slug}/out`), targets: [target(more)] },
});
const copyTo = (uid: string, path: string): ElementJson => ({
  ...{ uid, kind: "copy" },
  payload: { target: { location: place(path), file_pattern: "{source_name}", existing_files: "replace" } },
});
const tell = (uid: string): ElementJson => ({
  ...{ uid, kind: "notify" },
  payload: { notify_method: "rest", rest: { url: "https://hooks.example.com/jobs" } },
});
const link = (from: string, success: readonly string[], error: readonly string[] = []) => ({
  from: [{ element: from }],
  to: { success: success.map((element) => ({ element })), error: error.map((element) => ({ element })) },
});

/** One transcode of each clip of a folder. */
export const aBatch = (name: string, slug: string, count: number, more: Partial<Job> = {}): Job => ({
  name,
  ...more,
  payload: {
    elements: [clips(slug, count), transcode(slug), copyTo("deliver", `${slug}/delivery`)],
    connections: [link("clips", ["transcode"]), link("transcode", ["deliver"])],
  },
});

/** One file, several deliveries of it. */
export const aDelivery = (name: string, slug: string, targets: number, more: Partial<Job> = {}): Job => {
  const uids = [...Array(targets).keys()].map((nr) => `version_${nr + 1}`);
  const versions = uids.map((uid, nr) => transcode(slug, uid, { file_pattern: `{source_basename}_${nr + 1}.mp4` }));
  return {
    name,
    ...more,
    payload: {
      elements: [source(slug), ...versions, copyTo("deliver", `${slug}/delivery`)],
      connections: [link("source", uids), ...uids.map((uid) => link(uid, ["deliver"]))],
    },
  };
};

/** Twelve elements: a check, a split transcode, a delivery, and what happens on errors. */
export const aLargeDelivery = (name: string, slug: string, count: number, more: Partial<Job> = {}): Job => ({
  name,
  ...more,
  payload: {
    elements: [
      ...[source(slug), copyTo("keep", `${slug}/kept`), transcode(slug, "proxy"), clips(slug, count)],
      ...[transcode(slug), copyTo("deliver", `${slug}/delivery`), copyTo("archive", `${slug}/archive`)],
      ...[copyTo("hold", `${slug}/held`), tell("tell_producer"), tell("tell_operator"), tell("tell_mam")],
      tell("tell_archive"),
    ],
    connections: [
      link("source", ["keep", "proxy"], ["hold"]),
      link("hold", ["tell_producer"]),
      link("keep", ["clips"]),
      link("clips", ["transcode"]),
      link("transcode", ["deliver"], ["tell_operator"]),
      link("deliver", ["tell_mam"], ["tell_operator"]),
      link("proxy", ["archive"]),
      link("archive", ["tell_archive"]),
    ],
  },
});

/** A graph of thirty elements: ten versions, each checked and delivered. */
export const aWideJob = (name: string, slug: string, more: Partial<Job> = {}): Job => {
  const nrs = [...Array(10).keys()].map((nr) => nr + 1);
  const parts = nrs.flatMap((nr) => [
    transcode(slug, `version_${nr}`, { file_pattern: `{source_basename}_${nr}.mp4` }),
    copyTo(`deliver_${nr}`, `${slug}/delivery/${nr}`),
    ...(nr > 1 ? [tell(`tell_${nr}`)] : []),
  ]);
  return {
    name,
    ...more,
    payload: {
      elements: [source(slug), ...parts],
      connections: [
        link(
          "source",
          nrs.map((nr) => `version_${nr}`),
        ),
        ...nrs.flatMap((nr) => [
          link(`version_${nr}`, [`deliver_${nr}`]),
          ...(nr > 1 ? [link(`deliver_${nr}`, [`tell_${nr}`])] : []),
        ]),
      ],
    },
  };
};

export const aWatchedFolder = (name: string, slug: string): Job => ({
  name,
  user_tag: "news",
  payload: {
    elements: [
      {
        ...{ uid: "watch", kind: "watchfolder" },
        payload: {
          source: place(`${slug}/in`),
          settings: { wildcard: "*.mov", interval_sec: 60, process_existing_files: true },
        },
      },
      transcode(slug),
    ],
    connections: [link("watch", ["transcode"])],
  },
});

/** An hour and six minutes of UHD with six channels. */
export const someFacts = (uri: string): MediaFacts => ({
  ...{ format: uri.endsWith(".mp4") ? "mp4" : "mov", start: ratio(0), duration: ratio(60), size: 4e9, others: [] },
  video: [
    {
      ...{ index: 0, codec: uri.endsWith(".mp4") ? "h264" : "prores", timeBase: ratio(1, 12_288), start: ratio(0) },
      ...{ duration: ratio(60), width: 1920, height: 1080, pixelFormat: "yuv422p10le", frameRate: ratio(24) },
      ...{ averageFrameRate: ratio(24), frames: 1440, pixelAspect: ratio(1), fieldOrder: "progressive" },
    },
  ],
  audio: [
    {
      ...{ index: 1, codec: "pcm_s24le", timeBase: ratio(1, 48_000), start: ratio(0), duration: ratio(60) },
      ...{ channels: 2, layout: "stereo", sampleRate: 48_000, language: "und" },
    },
  ],
});

import type { InputOf } from "../../shared/api/api.ts";

type Job = InputOf<"createJob">;

/** A job that only looks at a file: one light task. */
export const sourceJob = (path: string): Job => ({ name: "bench", payload: { elements: [sourceOf(path)] } });

/** A job that makes an MP4 of a file in a folder, with this picture. */
export const transcodeJob = (path: string, folder: string, video: object): Job =>
  jobOf(path, folder, [targetOf(video)]);

/** A job that makes so many MP4s of the same picture. */
export const manyTargetsJob = (path: string, folder: string, video: object, count: number): Job =>
  jobOf(
    path,
    folder,
    Array.from({ length: count }, (_, at) => ({ ...targetOf(video), file_pattern: `${at}.mp4` })),
  );

/** A job that makes one MP4 for each picture, all with the same sound. */
export const ladderJob = (path: string, folder: string, pictures: readonly { readonly height: number }[]): Job =>
  jobOf(
    path,
    folder,
    pictures.map((video) => ({
      ...targetOf({ ...video, chroma_format: "yuv420p" }),
      file_pattern: `{source_basename}_${video.height}.mp4`,
      audio: [{ codec: "aac_lc", channels: 2, bitrate_kb: 128 }],
    })),
  );

/** A file or folder of a job, as an address; `access` for a server that asks for credentials. */
export type Place = { readonly address: string; readonly access?: object };

/** A job that copies a file into a folder. */
export const copyJob = (from: Place, to: Place): Job => ({
  name: "bench",
  payload: {
    elements: [
      {
        uid: "source",
        kind: "source",
        payload: { kind: "asset_url", payload: { url: from.address, access: from.access } },
      },
      {
        uid: "copy",
        kind: "copy",
        payload: { target: { location: { path: to.address, access: to.access }, existing_files: "replace" } },
      },
    ],
    connections: [{ from: [{ element: "source" }], to: { success: [{ element: "copy" }] } }],
  },
});

/** A job that measures a file; without any detector it is only looked at. */
export const analysisJob = (path: string, deep: object): Job => ({
  name: "bench",
  payload: {
    elements: [
      sourceOf(path),
      { uid: "analyze", kind: "analyze", payload: { general_properties: { enabled: true }, deep_properties: deep } },
    ],
    connections: [{ from: [{ element: "source" }], to: { success: [{ element: "analyze" }] } }],
  },
});

/** A job of so many light tasks: each looks at a file of its own. */
export const sourcesJob = (name: string, count: number): Job => ({
  name,
  payload: {
    elements: Array.from({ length: count }, (_, nr) => ({
      uid: `source_${nr}`,
      kind: "source",
      payload: {
        kind: "asset_url",
        payload: { storage_provider: "file", url: `file:///media/${name}-${nr}.mov` },
      },
    })),
  },
});

const sourceOf = (path: string) => ({
  uid: "source",
  kind: "source",
  payload: {
    kind: "asset_url",
    payload: { storage_provider: "file", url: path },
  },
});

const targetOf = (video: object) => ({
  file_pattern: "{source_basename}_made.mp4",
  existing_files: "fail",
  container: { kind: "mp4" },
  video: { codec: "h264", ...video },
  audio: [{ codec: "aac_lc", channels: 2, bitrate_kb: 64 }],
});

/** A job of 2 kB: one transcode, and so many sources beside each other, the first of which it reads. */
export const largeJob = (sources: number): Job => {
  const elements = Array.from({ length: sources }, (_, nr) => ({
    ...sourceOf(`/media/in-${nr}.mov`),
    uid: `source-${nr}`,
  }));
  const payload = { storage_provider: "file", path: "/media/out" };
  const targets = [targetOf({ width: 1280, height: 720, bitrate_kb: 4000 })];
  const transcode = { uid: "transcode", kind: "transcode", payload: { location: payload, targets } };
  return {
    ...{ name: "bench", user_tag: "bench", user_data: { note: "x".repeat(1000) } },
    payload: {
      elements: [...elements, transcode],
      connections: [{ from: [{ element: "source-0" }], to: { success: [{ element: "transcode" }] } }],
    },
  };
};

const jobOf = (path: string, folder: string, targets: readonly object[]): Job => ({
  name: "bench",
  payload: {
    elements: [
      sourceOf(path),
      {
        uid: "transcode",
        kind: "transcode",
        payload: { location: { storage_provider: "file", path: folder }, targets },
      },
    ],
    connections: [{ from: [{ element: "source" }], to: { success: [{ element: "transcode" }] } }],
  },
});

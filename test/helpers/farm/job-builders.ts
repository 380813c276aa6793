import type { InputOf } from "../../../shared/api/api.ts";

export type Job = InputOf<"createJob">;
export type ElementJson = { readonly uid: string; readonly kind: string } & Record<string, unknown>;

/** Elements one after the other, each feeding the next. */
export const aChain = (elements: readonly ElementJson[], more: Partial<Job> = {}): Job => ({
  name: "a test's job",
  ...more,
  payload: {
    elements: [...elements],
    connections: elements.slice(1).map(({ uid }, index) => ({
      from: [{ element: elements[index]?.uid }],
      to: { success: [{ element: uid }] },
    })),
  },
});

export const aFileSource = (path: string, more: object = {}): ElementJson => ({
  uid: "source",
  kind: "source",
  payload: { kind: "asset_url", payload: { storage_provider: "file", url: path, ...more } },
});

export const aCopyTo = (folder: string, target: object = {}): ElementJson => ({
  uid: "copy",
  kind: "copy",
  payload: {
    target: { location: { storage_provider: "file", path: folder }, file_pattern: "{source_name}", ...target },
  },
});

export const aTranscodeTo = (folder: string, targets: readonly object[]): ElementJson => ({
  uid: "transcode",
  kind: "transcode",
  payload: { location: { storage_provider: "file", path: folder }, targets: [...targets] },
});

/** H.264 and AAC in MP4, small and quick unless told otherwise. */
export const anMp4Target = (more: Record<string, unknown> = {}) => ({
  file_pattern: "{source_basename}_made.mp4",
  existing_files: "fail",
  container: { kind: "mp4" },
  video: { codec: "h264", width: 160, height: 90, preset: "ultrafast", bitrate_kb: 200 },
  audio: [{ codec: "aac_lc", channels: 2, bitrate_kb: 64 }],
  ...more,
});

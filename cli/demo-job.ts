import type { InputOf } from "../shared/api/api.ts";

/** source -> transcode (two renditions and thumbnails) -> copy of all that was made. */
export const demoJob = (source: string, folder: string): InputOf<"createJob"> => ({
  name: "Demo: Big Buck Bunny",
  payload: {
    elements: [
      {
        uid: "source",
        kind: "source",
        payload: { kind: "asset_url", payload: { storage_provider: "file", url: source } },
      },
      {
        uid: "transcode",
        kind: "transcode",
        payload: {
          location: { storage_provider: "file", path: `${folder}/made` },
          targets: [rendition("720p", 1280, 720, 2500), rendition("360p", 640, 360, 800), thumbnails],
        },
      },
      {
        uid: "deliver",
        kind: "copy",
        payload: {
          target: {
            location: { storage_provider: "file", path: `${folder}/delivered` },
            file_pattern: "{source_name}",
            existing_files: "replace",
          },
        },
      },
    ],
    connections: [
      { from: [{ element: "source" }], to: { success: [{ element: "transcode" }] } },
      { from: [{ element: "transcode" }], to: { success: [{ element: "deliver" }] } },
    ],
  },
});

const rendition = (uid: string, width: number, height: number, bitrate: number) => ({
  uid,
  file_pattern: `{source_basename}_${uid}{default_extension}`,
  existing_files: "replace",
  container: { kind: "mp4" },
  video: {
    codec: "h264",
    preset: "veryfast",
    width,
    height,
    bitrate_mode: "vbr",
    bitrate_kb: bitrate,
    max_bitrate_kb: bitrate * 1.2,
  },
  audio: [{ codec: "aac_lc", channels: 2, sample_rate: 48000, bitrate_kb: 128 }],
});

const thumbnails = {
  uid: "thumbnails",
  file_pattern: "{source_basename}_%02d{default_extension}",
  existing_files: "replace",
  container: { kind: "jpg" },
  video: { codec: "jpeg", width: 320, height: 180, image_sequence: { total_number: 6, relative_offset: 0.1 } },
};

import { choice, type JobTemplate, nodesField, numberIn, sharedAmong } from "./job-template.ts";

const rungs = [
  { height: 1080, bitrate_kb: 5000 },
  { height: 720, bitrate_kb: 2800 },
  { height: 540, bitrate_kb: 1600 },
  { height: 360, bitrate_kb: 800 },
  { height: 234, bitrate_kb: 350 },
] as const;

export const webLadder: JobTemplate = {
  id: "web-ladder",
  title: "Web ladder: HLS and DASH",
  says: "Several sizes of the film, cut into segments, with playlists for players on the web.",
  fields: [
    choice(
      "top",
      "Largest picture",
      "720",
      rungs.slice(0, 4).map(({ height }) => [String(height), `${height} lines`] as const),
    ),
    { key: "segment", label: "Seconds a segment", kind: "number", initial: 4, min: 2, max: 12 },
    choice("kind", "Playlists", "both", [
      ["both", "HLS and DASH"],
      ["hls", "HLS"],
      ["dash", "DASH"],
    ]),
    nodesField,
  ],
  make: (values, location) => {
    const [top, segment] = [numberIn(values, "top"), numberIn(values, "segment")];
    const shared = { existing_files: "replace", container: { kind: "mp4" } };
    const videos = rungs
      .filter(({ height }) => height <= top)
      .map(({ height, bitrate_kb }) => ({
        ...shared,
        file_pattern: `{source_basename}_${height}p{default_extension}`,
        video: {
          ...{ codec: "h264", preset: "veryfast", height, bitrate_kb, bitrate_mode: "vbr" },
          ...{ chroma_format: "yuv420p", exact_keyframe_interval_sec: segment / 2 },
        },
      }));
    const audio = {
      ...shared,
      file_pattern: "{source_basename}_audio{default_extension}",
      audio: [{ codec: "aac_lc", channels: 2, sample_rate: 48_000, bitrate_kb: 128 }],
    };
    const kind = values.kind === "both" ? ["hls", "dash"] : [String(values.kind)];
    return {
      elements: [
        {
          uid: "ladder",
          kind: "transcode",
          payload: { location, ...sharedAmong(values), targets: [...videos, audio] },
        },
        {
          uid: "package",
          kind: "package",
          payload: { kind, location, segmentation_mode: "fmp4", segment_duration_sec: segment },
        },
      ],
      connections: [
        ["source", ["ladder"]],
        ["ladder", ["package"]],
      ],
    };
  },
};

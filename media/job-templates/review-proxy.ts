import { choice, type JobTemplate, nodesField, numberIn, outputPattern, transcodeJob } from "./job-template.ts";

export const reviewProxy: JobTemplate = {
  id: "review-proxy",
  title: "Review proxy",
  says: "A small H.264 file that every browser plays, with stereo sound.",
  fields: [
    choice("height", "Height", "720", [
      ["1080", "1080 lines"],
      ["720", "720 lines"],
      ["540", "540 lines"],
      ["360", "360 lines"],
    ]),
    { key: "bitrate", label: "Video kbit/s", kind: "number", initial: 2500, min: 100, max: 50_000 },
    nodesField,
  ],
  make: (values, location) => {
    const target = {
      file_pattern: outputPattern("proxy"),
      existing_files: "rename_new",
      container: { kind: "mp4" },
      video: {
        ...{ codec: "h264", preset: "veryfast", height: numberIn(values, "height") },
        ...{ bitrate_kb: numberIn(values, "bitrate"), chroma_format: "yuv420p" },
      },
      audio: [{ codec: "aac_lc", channels: 2, sample_rate: 48_000, bitrate_kb: 128 }],
    };
    return transcodeJob("proxy", location, target, values);
  },
};

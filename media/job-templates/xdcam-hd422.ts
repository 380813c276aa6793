import { choice, type JobTemplate, masterSound, outputPattern, transcodeJob } from "./job-template.ts";

/** Frames a second, and which field comes first where there are fields. */
const pictures: Readonly<Record<string, object>> = {
  "25i": { frame_rate: 25, interlace_mode: "tff" },
  "25p": { frame_rate: 25, interlace_mode: "progressive" },
  "29.97i": { frame_rate: "30000/1001", interlace_mode: "tff" },
  "23.976p": { frame_rate: "24000/1001", interlace_mode: "progressive" },
};

export const xdcamHd422: JobTemplate = {
  id: "xdcam-hd422",
  title: "XDCAM HD422",
  says: "MPEG-2 4:2:2 at 50 Mbit/s, 1920×1080, in MXF with uncompressed sound, as broadcasters take it.",
  fields: [
    choice("frames", "Frames", "25i", [
      ["25i", "25 interlaced, upper field first"],
      ["25p", "25 progressive"],
      ["29.97i", "29.97 interlaced, upper field first"],
      ["23.976p", "23.976 progressive"],
    ]),
  ],
  make: ({ frames }, location) =>
    transcodeJob("xdcam", location, {
      file_pattern: outputPattern("xdcam"),
      existing_files: "rename_new",
      container: { kind: "mxf" },
      video: {
        ...{ codec: "mpeg2", profile: "422P", level: "HL", chroma_format: "yuv422p", width: 1920, height: 1080 },
        ...{ bitrate_mode: "cbr", bitrate_kb: 50_000, max_gop_frames: 12, ...pictures[String(frames)] },
      },
      audio: [masterSound],
    }),
};

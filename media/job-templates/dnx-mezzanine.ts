import { choice, type JobTemplate, masterSound, nodesField, outputPattern, transcodeJob } from "./job-template.ts";

/** What each quality asks of the encoder: 10 bits, the best of 8 bits, or a small file for the offline cut. */
const qualities: Readonly<Record<string, object>> = {
  hqx: { chroma_format: "yuv422p10le" },
  hq: { chroma_format: "yuv422p" },
  offline: { chroma_format: "yuv422p", bitrate_kb: 36_000 },
};

export const dnxMezzanine: JobTemplate = {
  id: "dnx-mezzanine",
  title: "DNx mezzanine",
  says: "DNxHD at its standard sizes, DNxHR at any other, for editing; with uncompressed sound.",
  fields: [
    choice("quality", "Quality", "hqx", [
      ["hqx", "HQX: 4:2:2, 10 bits"],
      ["hq", "HQ: 4:2:2, 8 bits"],
      ["offline", "Offline: small"],
    ]),
    choice("container", "File", "mxf", [
      ["mxf", "MXF"],
      ["mov", "QuickTime"],
    ]),
    nodesField,
  ],
  make: (values, location) => {
    const target = {
      file_pattern: outputPattern("dnx"),
      existing_files: "rename_new",
      container: { kind: values.container },
      video: { codec: "dnxhd", ...qualities[String(values.quality)] },
      audio: [masterSound],
    };
    return transcodeJob("mezzanine", location, target, values);
  },
};

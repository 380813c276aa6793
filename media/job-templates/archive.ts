import { choice, type JobTemplate, masterSound, outputPattern, transcodeJob } from "./job-template.ts";

/** JPEG 2000 without a bit rate loses nothing; ProRes 4444 loses what nobody sees. */
const forms: Readonly<Record<string, { readonly container: string; readonly video: object }>> = {
  lossless: { container: "mxf", video: { codec: "jpeg2000" } },
  prores: { container: "mov", video: { codec: "prores", profile: "ap4h" } },
};

export const archive: JobTemplate = {
  id: "archive",
  title: "Archive",
  says: "A master to keep: JPEG 2000 without loss in MXF, or ProRes 4444; with uncompressed sound.",
  fields: [
    choice("form", "Form", "lossless", [
      ["lossless", "JPEG 2000 without loss, MXF"],
      ["prores", "ProRes 4444, QuickTime"],
    ]),
  ],
  make: ({ form }, location) => {
    const { container, video } = forms[String(form)] ?? { container: "mxf", video: { codec: "jpeg2000" } };
    const target = { existing_files: "rename_new", container: { kind: container }, video, audio: [masterSound] };
    return transcodeJob("archive", location, { file_pattern: outputPattern("archive"), ...target });
  },
};

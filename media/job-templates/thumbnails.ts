import { type JobTemplate, numberIn, transcodeJob } from "./job-template.ts";

export const thumbnails: JobTemplate = {
  id: "thumbnails",
  title: "Thumbnails",
  says: "JPEG stills at even distances over the whole film.",
  fields: [
    { key: "count", label: "How many", kind: "number", initial: 10, min: 1, max: 500 },
    { key: "width", label: "Width in pixels", kind: "number", initial: 640, min: 16, max: 7680 },
  ],
  make: (values, location) =>
    transcodeJob("thumbnails", location, {
      file_pattern: "{source_basename}_%03d{default_extension}",
      existing_files: "replace",
      container: { kind: "jpg" },
      video: {
        ...{ codec: "jpeg", width: numberIn(values, "width") },
        image_sequence: { total_number: numberIn(values, "count") },
      },
    }),
};

import { type JobTemplate, numberIn, singleElementJob } from "./job-template.ts";

export const checks: JobTemplate = {
  id: "checks",
  title: "Checks and report",
  says: "Looks for black, silence and wrong loudness, and writes a report. Nothing is transcoded.",
  fields: [
    { key: "black", label: "Black longer than, seconds", kind: "number", initial: 2, min: 0, max: 600 },
    { key: "silence", label: "Silence longer than, seconds", kind: "number", initial: 5, min: 1, max: 600 },
  ],
  make: (values, location) =>
    singleElementJob("checks", "analyze", {
      deep_properties: {
        video: { black: { duration_sec: numberIn(values, "black") } },
        audio: [{ silence: { duration_sec: numberIn(values, "silence") }, ebur128: {} }],
      },
      report: { file_pattern: "{source_basename}_report.pdf", location },
    }),
};

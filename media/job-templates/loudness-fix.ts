import { choice, type JobTemplate, loudnessFilter, masterSound, outputPattern, transcodeJob } from "./job-template.ts";

export const loudnessFix: JobTemplate = {
  id: "loudness-fix",
  title: "Loudness fix",
  says: "Normalizes the sound to a region's loudness; the picture is copied unchanged.",
  fields: [
    choice("rule", "Rule", "-23", [
      ["-23", "EBU R 128: −23 LUFS"],
      ["-24", "ATSC A/85: −24 LKFS"],
      ["-16", "Podcasts: −16 LUFS"],
      ["-14", "Streaming: −14 LUFS"],
    ]),
  ],
  make: ({ rule }, location) =>
    transcodeJob("loudness", location, {
      file_pattern: outputPattern("loudness"),
      existing_files: "rename_new",
      container: { kind: "mov" },
      video: { codec: "copy" },
      audio: [{ ...masterSound, filters: [loudnessFilter(Number(rule))] }],
    }),
};

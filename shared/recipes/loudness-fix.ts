import { named, type Recipe, transcoded } from "./recipe.ts";

export const loudnessFix: Recipe = {
  id: "loudness-fix",
  title: "Loudness fix",
  says: "Normalizes the sound to a region's loudness; the picture is copied unchanged.",
  fields: [
    {
      ...{ key: "rule", label: "Rule", kind: "choice", initial: "-23" },
      choices: [
        ["-23", "EBU R 128: −23 LUFS"],
        ["-24", "ATSC A/85: −24 LKFS"],
        ["-16", "Podcasts: −16 LUFS"],
        ["-14", "Streaming: −14 LUFS"],
      ],
    },
  ],
  make: ({ rule }, location) =>
    transcoded("loudness", location, {
      file_pattern: named("loudness"),
      existing_files: "rename_new",
      container: { kind: "mov" },
      video: { codec: "copy" },
      audio: [
        {
          ...{ codec: "pcm", sample_size: 24, sample_rate: 48_000 },
          filters: [
            {
              kind: "normalize",
              payload: {
                kind: "ebur128",
                payload: { integrated_lufs: Number(rule), true_peak_dbfs: -1 },
              },
            },
          ],
        },
      ],
    }),
};

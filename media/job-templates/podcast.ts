import { named, numberIn, type Recipe, transcoded } from "./recipe.ts";

const forms: Readonly<Record<string, { readonly container: string; readonly codec: string }>> = {
  mp3: { container: "mp3", codec: "mp3" },
  aac: { container: "mp4", codec: "aac_lc" },
};

export const podcast: Recipe = {
  id: "podcast",
  title: "Podcast",
  says: "The sound alone, brought to an even loudness in two passes, as a small file.",
  fields: [
    {
      ...{ key: "form", label: "Form", kind: "choice", initial: "mp3" },
      choices: [
        ["mp3", "MP3"],
        ["aac", "AAC in MP4"],
      ],
    },
    {
      ...{ key: "loudness", label: "Loudness", kind: "choice", initial: "-16" },
      choices: [
        ["-16", "Stereo: −16 LUFS"],
        ["-19", "Mono: −19 LUFS"],
        ["-14", "Streaming: −14 LUFS"],
      ],
    },
    { key: "bitrate", label: "kbit/s", kind: "number", initial: 128, min: 64, max: 320 },
  ],
  make: (values, location) => {
    const { container, codec } = forms[String(values.form)] ?? { container: "mp3", codec: "mp3" };
    const loudness = { integrated_lufs: numberIn(values, "loudness"), true_peak_dbfs: -1 };
    const audio = {
      ...{ codec, channels: values.loudness === "-19" ? 1 : 2, sample_rate: 48_000 },
      bitrate_kb: numberIn(values, "bitrate"),
      filters: [{ kind: "normalize", payload: { kind: "ebur128", payload: loudness } }],
    };
    const target = { existing_files: "rename_new", container: { kind: container }, audio: [audio] };
    return transcoded("podcast", location, { file_pattern: named("podcast"), ...target });
  },
};

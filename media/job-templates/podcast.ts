import { choice, type JobTemplate, loudnessFilter, numberIn, outputPattern, transcodeJob } from "./job-template.ts";

const forms: Readonly<Record<string, { readonly container: string; readonly codec: string }>> = {
  mp3: { container: "mp3", codec: "mp3" },
  aac: { container: "mp4", codec: "aac_lc" },
};

export const podcast: JobTemplate = {
  id: "podcast",
  title: "Podcast",
  says: "The sound alone, brought to an even loudness in two passes, as a small file.",
  fields: [
    choice("form", "Form", "mp3", [
      ["mp3", "MP3"],
      ["aac", "AAC in MP4"],
    ]),
    choice("loudness", "Loudness", "-16", [
      ["-16", "Stereo: −16 LUFS"],
      ["-19", "Mono: −19 LUFS"],
      ["-14", "Streaming: −14 LUFS"],
    ]),
    { key: "bitrate", label: "kbit/s", kind: "number", initial: 128, min: 64, max: 320 },
  ],
  make: (values, location) => {
    const { container, codec } = forms[String(values.form)] ?? { container: "mp3", codec: "mp3" };
    const audio = {
      ...{ codec, channels: values.loudness === "-19" ? 1 : 2, sample_rate: 48_000 },
      bitrate_kb: numberIn(values, "bitrate"),
      filters: [loudnessFilter(numberIn(values, "loudness"))],
    };
    const target = { existing_files: "rename_new", container: { kind: container }, audio: [audio] };
    return transcodeJob("podcast", location, { file_pattern: outputPattern("podcast"), ...target });
  },
};

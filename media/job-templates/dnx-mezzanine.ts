import { named, nodesField, type Recipe, transcoded } from "./recipe.ts";

/** What each quality asks of the encoder: 10 bits, the best of 8 bits, or a small file for the offline cut. */
const qualities: Readonly<Record<string, object>> = {
  hqx: { chroma_format: "yuv422p10le" },
  hq: { chroma_format: "yuv422p" },
  offline: { chroma_format: "yuv422p", bitrate_kb: 36_000 },
};

export const dnxMezzanine: Recipe = {
  id: "dnx-mezzanine",
  title: "DNx mezzanine",
  says: "DNxHD at its standard sizes, DNxHR at any other, for editing; with uncompressed sound.",
  fields: [
    {
      ...{ key: "quality", label: "Quality", kind: "choice", initial: "hqx" },
      choices: [
        ["hqx", "HQX: 4:2:2, 10 bits"],
        ["hq", "HQ: 4:2:2, 8 bits"],
        ["offline", "Offline: small"],
      ],
    },
    {
      ...{ key: "container", label: "File", kind: "choice", initial: "mxf" },
      choices: [
        ["mxf", "MXF"],
        ["mov", "QuickTime"],
      ],
    },
    nodesField,
  ],
  make: (values, location) => {
    const target = {
      file_pattern: named("dnx"),
      existing_files: "rename_new",
      container: { kind: values.container },
      video: { codec: "dnxhd", ...qualities[String(values.quality)] },
      audio: [{ codec: "pcm", sample_size: 24, sample_rate: 48_000 }],
    };
    return transcoded("mezzanine", location, target, values);
  },
};

import { named, type Recipe, transcoded } from "./recipe.ts";

/** JPEG 2000 without a bit rate loses nothing; ProRes 4444 loses what nobody sees. */
const forms: Readonly<Record<string, { readonly container: string; readonly video: object }>> = {
  lossless: { container: "mxf", video: { codec: "jpeg2000" } },
  prores: { container: "mov", video: { codec: "prores", profile: "ap4h" } },
};

export const archive: Recipe = {
  id: "archive",
  title: "Archive",
  says: "A master to keep: JPEG 2000 without loss in MXF, or ProRes 4444; with uncompressed sound.",
  fields: [
    {
      ...{ key: "form", label: "Form", kind: "choice", initial: "lossless" },
      choices: [
        ["lossless", "JPEG 2000 without loss, MXF"],
        ["prores", "ProRes 4444, QuickTime"],
      ],
    },
  ],
  make: ({ form }, location) => {
    const { container, video } = forms[String(form)] ?? { container: "mxf", video: { codec: "jpeg2000" } };
    const audio = [{ codec: "pcm", sample_size: 24, sample_rate: 48_000 }];
    const target = { existing_files: "rename_new", container: { kind: container }, video, audio };
    return transcoded("archive", location, { file_pattern: named("archive"), ...target });
  },
};
